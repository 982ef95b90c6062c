"""The error that a text is about, without the parts that vary between occurrences."""

import re
from collections.abc import Iterator
from enum import IntEnum
from http import HTTPStatus
from typing import Final, NamedTuple

from legacymind.text.placeholders import STATUS_PHRASES, normalise_message

MAX_SIGNATURE: Final = 200
"""Maximum length of a signature, in characters."""

_READ: Final = 32_768
"""Characters read at each end of a text: errors are described at the beginning or printed at the end."""

_LINE: Final = 2_000  # characters read at each end of a line
_MESSAGE: Final = 500


class Error(NamedTuple):
    """An error as written in a text. The message may be empty."""

    kind: str
    message: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}" if self.message else self.kind


class _Rank(IntEnum):
    """How specific a mention of an error is. The lowest rank found in a text wins."""

    CODED = 0
    REPORTED = 1  # by a runtime: a traceback, a panic, a cause
    TYPED = 2  # a line that begins with the error
    NAMED = 3  # in the middle of a sentence
    LOGGED = 4
    SYSTEM = 5
    HTTP = 6
    ENDED = 7


_LEADING: Final = re.compile(r"(?:[>|*•#+-]|E {2,}(?! |assert )|\s)+")
_STAMP: Final = re.compile(
    r"\[?(?:\d{4}[-/]\d\d[-/]\d\d|[A-Z][a-z]{2} +\d\d?)?[T ]?\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?"
    r"(?:Z| ?[+-]\d\d:?\d\d| UTC)?\]?[\s|:-]*"
)
_TRACEBACK: Final = re.compile(r"Traceback \(most recent call last\)")
_TRACED: Final = re.compile(r"([A-Za-z_][\w.]*)(?:: ?(.*))?$")
_CAUSED: Final = re.compile(
    r"(?:.* --->|Caused by:|Exception in thread \"[^\"]*\"|Unhandled exception[.:]"
    r"|Uncaught(?: \(in promise\))?:?) "
)
_RUST_PANIC: Final = re.compile(r"thread '[^']*'(?: \(\d+\))? panicked at (?:'(.*)', |(?=\S+:\d+:\d+:?$))")
_EXCEPTION: Final = re.compile(r"[A-Za-z_$][\w$.]*")
_ENDINGS: Final = ("Error", "Exception", "Failure", "Fault", "Interrupt", "Timeout", "Warning")
_OTHERS: Final = frozenset({"StopIteration", "SystemExit", "GeneratorExit", "DoesNotExist"})
_TYPE_ENDINGS: Final = tuple(ending.lower() for ending in _ENDINGS)
_OTHER_TYPES: Final = frozenset(name.lower() for name in _OTHERS)
_IN_CODE: Final = re.compile(
    r"(?:^(?:from \S+ )?import [\w ,(]*"
    r"|\b(?:raise|except|throw|catch|isinstance)\b[\s(]*(?:[\w.]+[,|\s(]{1,3}){0,3})$"
)
_FIRST_PERSON: Final = re.compile(r"\b(?:I|[Ww]e|[Mm]y|[Oo]ur)\b")
_FRAME: Final = re.compile(
    r"\s|at |File |Caused by|\.\.\. \d+ more|During handling|The above exception|Traceback|goroutine |\d+: "
)
_MESSAGE_START: Final = re.compile(
    r" (?:could not|couldn't|can(?:no|')t|did not|does not|is not|no (?:such|space|route|module|attribute)"
    r"|not (?:found|allowed|supported|enough|authori[sz]ed|implemented)|(?:un|in)[a-z]+(?:ed|able|id)\b"
    r"|failed|missing|expected|exceeded|refused|rejected|denied|timed out|read timed"
    r"|(?:division by|list index|string index|index out|maximum \w+|too many|out of|access denied"
    r"|permission denied|object (?:has|of|is))\b"
    r"|(?:name|module|object|attribute|key|column|table|file|type) ['\"`]"
    r"|[a-z][\w-]* (?:(?:\w+ ){0,3}(?:exhausted|refused|reset|closed|lost|timed out|not found|exceeded"
    r"|expired|failed|denied|missing|full|unavailable|unreachable|does not exist|already exists|invalid"
    r"|is not \w+|too (?:long|large|many|short)))\b|['\"`<\[{(]\S)",
    re.IGNORECASE,
)
"""How a message begins that follows an error's type without a colon."""

_PROSE: Final = re.compile(
    r"[.!](?:\s|$)|,|;|\b(?:when|whenever|while|because|since|after|before|again|whether|should|would"
    r"|could be|please|let us|let's|handling|so|but|which|that|if|the fix|in (?:the|my|our|this|every|all)"
    r"|today|yesterday|means|happens|occurs|comes|came|appears|(?:is|was) (?:raised|caused))\b",
    re.IGNORECASE,
)
"""What no message without a colon has, but sentences about errors have."""

_LEVEL: Final = re.compile(r"\[?(?:ERROR|FATAL|CRITICAL|SEVERE)\]?[\s:|-]+(?=[\w.$]*(?:Error|Exception)\b)")
"""The level of a log line before an exception."""

_CLOSING: Final = {"`": "`", "“": "”", "«": "»"}
_SENTENCE_END: Final = re.compile(r"(?<=[\w)'\"\]}`”»>])[.!?](?=\s)|\\n(?![a-z])|\[recovered\]")
_PROSE_GOES_ON: Final = re.compile(
    rf"{_SENTENCE_END.pattern}|[,;]? (?:when|whenever|while|because|every time|but|so|in (?:the|my|our))\b"
)

# What precedes an error inside a sentence: "I'm stuck on ORA-00942: …". Elsewhere the error begins a line.
_PREFIX: Final = (
    r"(?:^|(?P<before>[:`“«(] ?|(?i:\b(?:on|with|at|by|from|got|gets?|getting|says?|see|saw|hit|hits)) ))"
)

# A line without any of these matches none of the forms below, which take twenty times as long.
_HINTS: Final = (
    "err exception failure fault interrupt timeout warning panic fatal fehler ошибка 错误 エラー neo. "
    "ora- pls- tns- assert level severity critical severe emerg alert stopiter exit notexist return memory "
    "overflow deadlock oomkilled backoff bus sig"
).split()
_CODE_HINT: Final = re.compile(r"[45]\d\d|E[A-Z]{3}")

# Forms of errors by rank. The kind is given, or captured as ``kind``; ``message`` captures the message.
_FORMS: Final = tuple(
    (rank, kind, re.compile(pattern))
    for rank, kind, pattern in (
        (
            _Rank.CODED,
            None,
            r"\b(?P<kind>Neo\.(?:Client|Transient|Database)Error(?:\.[A-Za-z]+)+)"
            r"(?:[)\]}]?\s?[:{]?\s?\{?(?:message:)?\s?(?P<message>[^}]+))?",
        ),
        (_Rank.REPORTED, None, _PREFIX + r"(?P<kind>panic|fatal error): (?P<message>.+)"),
        (_Rank.TYPED, None, _PREFIX + r"(?P<kind>(?:error|warning)\[[A-Z]\d{3,5}\]): (?P<message>.+)"),
        (_Rank.TYPED, None, _PREFIX + r"(?P<kind>(?:ORA|PLS|TNS)-\d{4,6}): (?P<message>.+)"),
        (_Rank.TYPED, "assertionerror", r"^(?:E {2,}|FAILED \S+ - )(?P<message>assert .+)"),
        (_Rank.NAMED, None, ""),  # exceptions are searched by name at this rank
        (
            _Rank.LOGGED,
            None,
            r"(?<![\w.\"'])(?<!no )(?<!No )(?P<kind>(?i:error(?: [A-Z]*\d+(?: \(\w+\))?)?|exception|fatal"
            r"|fehler|erreur|ошибка|错误|エラー))\s?[:：]\s?(?P<message>[^\s{\[].*)",
        ),
        (
            _Rank.LOGGED,
            "error",
            r"^(?:\[?(?:ERROR|FATAL|CRITICAL|SEVERE|EMERG|ALERT)\]?(?=[\s|-])|(?i:\[(?:error|fatal|critical)\]))"
            r"[\s|-]*(?:(?:\[[^\]]*\]|\([^)]*\))[\s:|-]*)*(?P<message>.+)",
        ),
        (
            _Rank.LOGGED,
            "error",
            r"(?i:\b(?:level|severity)\"?\s?[=:]\s?\"?(?:error|fatal|critical)\b.*?\b(?:msg|message|error)\"?\s?"
            r"[=:]\s?(?P<message>\"(?:[^\"\\]|\\.)+\"|[^\s\"]+))",
        ),
        (
            _Rank.LOGGED,
            None,
            r"(?i:\"error\"\s?:.*?\"code\"\s?:\s?\"?(?P<kind>[\w.-]+)\"?(?:.*?\"message\"\s?:\s?"
            r"(?P<message>\"(?:[^\"\\]|\\.)+\"))?)",
        ),
        (_Rank.SYSTEM, None, r"\[(?P<kind>(?:Errno|WinError) -?\d+)\] ?(?P<message>.+)"),
        (
            _Rank.SYSTEM,
            None,
            r"\b(?P<kind>E(?:CONN(?:REFUSED|RESET|ABORTED)|ACCES|PERM|NOENT|EXIST|PIPE|AGAIN|TIMEDOUT|HOSTUNREACH"
            r"|NETUNREACH|ADDRINUSE|ADDRNOTAVAIL|NOTFOUND|AI_AGAIN|MFILE|NFILE|NOSPC|NOMEM|NOTDIR|ISDIR|NOTEMPTY"
            r"|INVAL|BUSY|ROFS|XDEV|LOOP|NAMETOOLONG|PROTO|DQUOT|INTR|BADF|FAULT|OVERFLOW|DEADLK|RESOLVE))\b",
        ),
        (
            _Rank.HTTP,
            "http",
            r"(?i:\b(?:HTTP(?:/[\d.]+)?(?: (?:status|error|code))*|status(?: code)?|response(?: code)?"
            r"|(?:returned|returns|got|getting|answers|answered|responds|responded)(?: with)?(?: an?)?)"
            r"[ :=]{1,3}(?P<status>[45]\d\d)\b"
            rf"|\b(?P<named>[45]\d\d)s? (?:errors?|responses?|{STATUS_PHRASES})\b)",
        ),
        (
            _Rank.ENDED,
            "exit",
            r"(?i:\b(?:exit(?:ed|s)?(?: with)?(?: (?:non-?zero|status|code|exit)){0,3}|return code)"
            r"[ :=(]{1,3}(?P<code>-?[1-9]\d{0,9})\b)",
        ),
        (
            _Rank.ENDED,
            None,
            r"(?P<kind>(?i:\b(?:segmentation fault|bus error|out of memory|stack overflow|deadlock detected"
            r"|OOMKilled|CrashLoopBackOff|ImagePullBackOff)\b)|\bSIG(?:SEGV|KILL|ABRT|BUS|ILL|FPE|PIPE)\b)",
        ),
    )
)


def error_signature(content: str) -> str | None:
    """The error that a text is about, as a lower-case string of up to 200 characters; None without an error.

    The same error in another process, line, path or host has the same signature, because numbers, addresses,
    ids, paths, hosts, times and quoted values become placeholders. Codes that identify an error are kept:
    HTTP statuses, exit codes, errno names, codes of compilers and databases. If a text has several errors,
    the most specific wins: a database's code, then the last error of a traceback or chain of causes, then the
    first one mentioned. Of a long text, the first and the last 32,768 characters are read.
    """
    error = find_error(content)
    if error is None:
        return None
    message = normalise_message(error.message)
    whole = f"{error.kind.lower()}: {message}" if message else error.kind.lower()
    return re.sub(r"<[^>]{0,4}$", "", whole[:MAX_SIGNATURE]).strip()


def is_type(kind: str) -> bool:
    """Whether the kind of a signature is an exception's type, such as ``timeouterror``."""
    return kind in _OTHER_TYPES or (
        not kind.startswith("neo.") and kind.endswith(_TYPE_ENDINGS) and kind not in _TYPE_ENDINGS
    )


def comparable(content: str) -> str:
    """The beginning and the end of a text as a signature has them: in lower case, with placeholders."""
    return normalise_message(_ends(content, _LINE))


def is_only_error(content: str) -> bool:
    """Whether a text is an error as a program prints it, with or without its traceback, and nothing else."""
    first, *others = [line for line in _lines(content) if line.strip()] or [""]
    if content.rstrip().endswith("?") or _FIRST_PERSON.search(content):
        return False
    traced = _TRACEBACK.match(first.lstrip()) is not None
    return (traced or _begins_with_error(first)) and all(
        _FRAME.match(line) or (traced and _TRACED.match(line)) or _begins_with_error(line) for line in others
    )


def _begins_with_error(line: str) -> bool:
    """Whether a line is an error, with its message after a colon or in the words of a message."""
    bare = _after(_STAMP, _after(_LEADING, line))
    bare = _after(_CAUSED if _CAUSED.match(bare) else _LEVEL, bare)
    for _, error in _line_error(bare):
        kind = re.match(rf"[`'\"“«\[]*(?:[\w$.]*[.$])?{re.escape(error.kind)}", bare)
        if kind is None:
            continue
        rest = bare[kind.end() :].rstrip()
        if re.match(r" ?[:：(\]]|[`'\"”»]*$", rest):
            return True
        # A longer line is most likely a sentence.
        if is_type(error.kind.lower()) and len(rest) <= 200 and _MESSAGE_START.match(rest):
            return _PROSE.search(rest) is None
    return False


def find_error(content: str) -> Error | None:
    """The error that ``error_signature`` is about, as written in the text."""
    best: tuple[_Rank, Error] | None = None
    for rank, error in _errors(_lines(content)):
        # In a chain of reports the last one counts; elsewhere the first error is the cause.
        if best is None or rank < best[0] or rank == best[0] == _Rank.REPORTED:
            best = (rank, error)
    return best[1] if best else None


def _lines(content: str) -> list[str]:
    return [_ends(line, _LINE) for line in _ends(content, _READ, "\n").splitlines()]


def _after(beginning: re.Pattern[str], text: str) -> str:
    """The text without what it begins with, if it does."""
    found = beginning.match(text)
    return text[found.end() :] if found else text


def _ends(text: str, length: int, between: str = " ") -> str:
    """The text, or its beginning and its end of ``length`` characters each if it is longer."""
    return text if len(text) <= 2 * length else f"{text[:length]}{between}{text[-length:]}"


def _errors(lines: list[str]) -> Iterator[tuple[_Rank, Error]]:
    """The errors in the lines, with their ranks, in the order of the text."""
    indent: int | None = None  # of a traceback that has not ended yet
    for n, line in enumerate(lines):
        bare = _after(_LEADING, line)
        if _TRACEBACK.search(bare):
            indent = len(line) - len(bare)
            if joined := list(_exceptions(bare)):  # a traceback joined into one line
                yield _Rank.REPORTED, joined[-1][1]
        elif indent is not None and bare and len(line) - len(bare) <= indent:
            indent = None
            if (last := _TRACED.match(bare)) and "Neo." not in bare:
                yield _Rank.REPORTED, _error(last[1].rpartition(".")[2], last[2])
            else:
                yield from _line_error(bare)
        elif panic := _RUST_PANIC.search(bare):
            yield _Rank.REPORTED, _error("panic", panic[1] or "".join(lines[n + 1 : n + 2]).strip())
        elif bare:
            yield from _line_error(bare)


def _line_error(line: str) -> Iterator[tuple[_Rank, Error]]:
    """The most specific error of a line, if it has one."""
    lowered = line.lower()
    if not (any(hint in lowered for hint in _HINTS) or _CODE_HINT.search(line)):
        return
    line = _after(_STAMP, line)
    for rank, kind, form in _FORMS:
        if rank is _Rank.NAMED:
            caused = _CAUSED.match(line)
            for begins, error in _exceptions(_after(_CAUSED, line)):
                yield _Rank.REPORTED if caused else _Rank.TYPED if begins else _Rank.NAMED, error
                return
        elif match := form.search(line):
            groups = match.groupdict()
            if code := groups.get("status") or groups.get("named"):
                yield rank, Error(f"{kind} {code} {_reason_phrase(int(code))}".strip(), "")
            elif code := groups.get("code"):
                yield rank, Error(f"{kind} {code}", "")
            else:
                message, before = groups.get("message"), (groups.get("before") or "").strip()
                if message and before in _CLOSING:
                    message = message.partition(_CLOSING[before])[0]
                prose = bool(before) or (rank >= _Rank.LOGGED and match.start() > 0)
                yield rank, _error(kind or groups["kind"], message, prose=prose)
            return


def _exceptions(text: str) -> Iterator[tuple[bool, Error]]:
    """Exceptions by name with their messages, and whether the text begins with them."""
    for token in _EXCEPTION.finditer(text):
        name = token[0].rstrip(".").rpartition(".")[2]
        if name not in _OTHERS and not (
            name.endswith(_ENDINGS) and name not in _ENDINGS and name[0].isupper()
        ):
            continue
        before, after = text[: token.start()], text[token.end() :][: 2 * _MESSAGE]
        if after.lstrip().startswith(("(", "{", "<")) or _IN_CODE.search(before):
            continue
        begins = not before.strip("`'\"“« ")
        message = after[1:] if after.startswith(":") and not token[0].endswith(".") else ""
        if quoted := _CLOSING.get(before[-1:]):
            message = message.partition(quoted)[0]
        yield begins, _error(name, message, prose=not begins)


def _error(kind: str, text: str | None, *, prose: bool = False) -> Error:
    """An error with the first sentence of its message. In ``prose`` a conjunction ends the message too."""
    message = (text or "").strip()[:_MESSAGE]
    if len(message) > 1 and message[0] == message[-1] == '"':
        message = message[1:-1]
    end = (_PROSE_GOES_ON if prose else _SENTENCE_END).search(message)
    return Error(kind, message[: end.start()] if end else message)


def _reason_phrase(code: int) -> str:
    try:
        return HTTPStatus(code).phrase.lower()
    except ValueError:
        return ""
