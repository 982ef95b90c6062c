"""The error that a text is about, without the parts that vary between its occurrences."""

import errno
import re
from collections.abc import Iterator
from typing import Final

MAX_SIGNATURE: Final = 200
"""Maximum length of a signature, in characters."""

_READ: Final = 32_768
"""Characters read at each end of a text: errors are described at the beginning or printed at the end."""

_LINE: Final = 2_000  # characters read at each end of a line
_MESSAGE: Final = 500

_LEADING: Final = re.compile(r"(?:[>|*•#+-]|E {2,}(?! |assert )|\s)++")
_NAME: Final = re.compile(r"[A-Za-z_$][\w$.]*+")
_ENDINGS: Final = ("Error", "Exception", "Failure", "Fault", "Interrupt", "Timeout", "Warning")
_IN_CODE: Final = re.compile(
    r"\b(?:raise|except|throw|catch|isinstance|import)\b[\s(]*+(?:[\w.]++[,|\s(]++)*+\Z"
)
_REPORTED: Final = re.compile(
    r"(?:Caused by:|Exception in thread \"[^\"]*+\"|Unhandled exception[.:]|.*--->) "
)
_CODES: Final = "|".join((*errno.errorcode.values(), "ENOTFOUND", "EAI_AGAIN"))
_NAMED: Final = 4
"""The place of exceptions, which are found by their names, among the forms."""

_FORMS: Final = tuple(
    re.compile(form)
    for form in (
        r"\b(?P<kind>Neo\.(?:Client|Transient|Database)Error(?:\.[A-Za-z]++)++)"
        r"(?:[)\]}]?\s?[:{]?\s?\{?(?:message:)?\s?(?P<message>[^}]++))?",
        r"(?<![\w.])(?<!no )(?P<kind>panic|fatal error|error(?:\[[A-Z]\d+\]| [A-Z]{1,6}\d+)|ERROR \d+ \(\w+\)"
        r"|(?:ORA|PLS|TNS)-\d+): (?P<message>.+)",
        r"(?P<panic>thread '[^']*+'(?: \(\d+\))? panicked at )(?:'(?P<message>.*)', )?",
        r"^(?:E {2,}|FAILED \S+ - )(?P<assertionerror>)(?P<message>assert .+)",
        r"(?!)",  # exceptions
        r"(?<![\w.\"'])(?<![Nn]o )(?P<kind>(?i:error|exception|fatal|fehler|erreur|ошибка)|错误|エラー)"
        r"\s?[:：]\s?(?P<message>[^\s{\[].*)",
        r"(?P<error>(?:^|[\d\]Z] )\[?(?:ERROR|FATAL|CRITICAL|SEVERE)\]?)[\s|-]++"
        r"(?:(?:\[[^\]]*+\]|\([^)]*+\))[\s:|-]*+)*+(?P<message>.+)",
        r"\[(?P<kind>(?:Errno|WinError) -?\d+)\] ?(?P<message>.+)",
        rf"\b(?P<kind>(?:{_CODES}|SIG(?:SEGV|KILL|ABRT|BUS|ILL|FPE|PIPE))\b"
        r"|(?i:segmentation fault|bus error|out of memory|stack overflow|OOMKilled|CrashLoopBackOff"
        r"|ImagePullBackOff)\b)",
        r"(?i:\b(?:(?:http(?:/[\d.]+)?|status|response|returned|returns|got|getting|answers)"
        r"(?: with| an?| status| error| code){0,4}[ :=]{1,3}(?P<http>[45]\d\d)"
        r"|(?P<http_>[45]\d\d)s? (?:errors?|responses?|service|bad|not found|server|gateway))\b)",
        r"(?i:\b(?:exit(?:ed|s)?(?: with| non-?zero| status| code){0,3}+|return code)"
        r"[ :=(]{1,3}(?P<exit>-?[1-9]\d*+)\b)",
    )
)
"""The forms of errors, the most specific first. The name of a group is the kind where the text has none."""

_HINT: Final = re.compile(
    r"(?i:err|exception|failure|fault|interrupt|timeout|warning|panic|fatal|fehler|ошибка|错误|エラー|neo\."
    r"|ora-|pls-|tns-|assert|severe|critical|exit|return|http|status|code|memory|overflow|oom|backoff)"
    r"|[45]\d\d|\b(?:E|SIG)[A-Z]|bus error"
)
"""What a line with an error has; the forms take twenty times as long."""

_CLOSING: Final = {"`": "`", "“": "”", "«": "»"}
_END: Final = re.compile(r"(?<=[\w)'\"\]}`”»>])[.!?](?=\s)|\\n(?![a-z])|\[recovered\]")
_PROSE_END: Final = re.compile(
    rf"{_END.pattern}|[,;]? (?:when|while|because|every time|but|so|in (?:the|my))\b"
)

# Tried in this order at every position. Each begins at a word boundary, so no word is scanned twice.
_VARYING: Final = re.compile(
    r"(?P<keep>\b(?:errno|sqlstate|code|status|signal|exit)[ :=(#]{1,3}-?\d++|\b[45]\d\d(?= \w++ error\b)"
    r"|\b(?-i:[A-Z]{1,6})-?\d{3,6}\b)"
    r"|(?P<str>(?<!\w)[bru]?(?:'(?:[^'\\]|\\.|'(?=\w))*+'|\"(?:[^\"\\]|\\.)*+\")|`[^`]*+`|“[^”]*+”|«[^»]*+»)"
    r"|(?P<url>\b[a-z][a-z0-9+.-]{1,15}://(?:\[[^\s\]]*+\])?[^\s'\"<>)\]}]++)"
    r"|(?P<time>\b\d{4}[-/]\d\d[-/]\d\d(?:[t ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:z|[+-]\d\d:?\d\d)?)?(?!\w)"
    r"|\b\d\d:\d\d:\d\d\b)"
    r"|(?P<path>(?:\b[a-z]:[\\/]|(?<!\w)\\\\|(?<![\w<./~])(?:~|\.{1,2})?/)[^\s'\"<>|:*?,;)]++(?::\d++)*+"
    r"|(?<![\w./-])[\w-]++\.(?:py|[jt]sx?|rs|go|java|json|ya?ml|toml|csv|txt|db|log|so)\b(?::\d++)*+)"
    r"|(?P<host>(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d++)?(?![\w.])|\[[0-9a-f.]*+:[0-9a-f:.]++\](?::\d++)?"
    r"|(?<!\w)::1\b|\blocalhost\b(?::\d++)?|(?<![\w./-])[a-z][\w.-]*+(?::\d{2,5}\b|(?<=\.(?:com|org|net))\b))"
    r"|(?P<id>\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\b0x[0-9a-f]++\b|@[0-9a-f]{5,}+\b"
    r"|\b(?=\d*+[a-f])(?=[a-f]*+\d)[0-9a-f]{7,}+\b|\b(?=[a-z]*+\d)(?=\d*+[a-z])[a-z0-9]{20,}+\b)"
    r"|(?P<n>(?<!\w)(?:[-+]|v)?\d[\d,_]*+(?:\.\d++)*+(?:\s?(?:%|[µmn]?s|secs?|seconds?|[kmgt]i?b|bytes))?(?!\w)"
    r"|(?<=[_-])\d++(?!\w))",
    re.IGNORECASE,
)
_REPEATED: Final = re.compile(r"(<(?:n|str|id)>)(?:,? ?\1)+")


def error_signature(content: str) -> str | None:
    """The error that a text is about, as a lower-case string of up to 200 characters; None without an error.

    The same error in another process, line, path or host has the same signature: what varies is a
    placeholder, such as ``<n>``. Codes that identify an error are kept. Of several errors the most specific
    wins, then the last of a traceback or chain of causes, then the first. Of a long text the first and the
    last 32,768 characters are read.
    """
    best = min(_errors(content), default=None)
    if best is None:
        return None
    whole = ": ".join(part for part in (best[2].lower(), comparable(best[3])) if part)
    shown = whole[:MAX_SIGNATURE]
    half = shown.rfind("<", -5)  # a placeholder that is cut
    return (shown[:half] if half > shown.rfind(">") else shown).strip()


def is_type(kind: str) -> bool:
    """Whether the kind of a signature is an exception's type, such as ``timeouterror``."""
    endings = tuple(ending.lower() for ending in _ENDINGS)
    return kind.endswith(endings) and kind not in endings and not kind.startswith("neo.")


def comparable(content: str) -> str:
    """The beginning and the end of a text as a signature has them: in lower case, with placeholders."""
    text = _ends(content, _LINE)
    plain = _VARYING.sub(lambda part: part[0] if part.lastgroup == "keep" else f"<{part.lastgroup}>", text)
    return _REPEATED.sub(r"\1", " ".join(plain.split())).strip(" .,;:!?-–—…").lower()


def _ends(text: str, length: int, between: str = " ") -> str:
    """The text, or its beginning and its end of ``length`` characters each if it is longer."""
    return text if len(text) <= 2 * length else f"{text[:length]}{between}{text[-length:]}"


def _errors(content: str) -> Iterator[tuple[int, int, str, str]]:
    """The errors of a text: rank, place among those of its rank, kind and message."""
    traced: int | None = None  # the indent of a traceback that has not ended yet
    lines = [_ends(line, _LINE) for line in _ends(content, _READ, "\n").splitlines()]
    for n, (line, after) in enumerate(zip(lines, [*lines[1:], ""], strict=False)):
        start = found.end() if (found := _LEADING.match(line)) else 0
        if traced is None and "Traceback (most recent call last)" in line:
            traced = start
        elif traced is not None and start < len(line) and start <= traced:
            traced, ending = None, _NAME.match(line, start)
            if ending and "Neo." not in line:
                kind = ending[0].rpartition(".")[2]
                yield 4, -n, kind, _message(line[ending.end() :].removeprefix(":"))
        yield from _of_line(line[start:], n, after)


def _of_line(line: str, n: int, after: str) -> Iterator[tuple[int, int, str, str]]:
    """The most specific error of a line."""
    for rank, form in enumerate(_FORMS if _HINT.search(line) else ()):
        if rank == _NAMED:
            for name in _NAME.finditer(line):
                kind, rest = name[0].rstrip(".").rpartition(".")[2], line[name.end() :]
                if kind.endswith(_ENDINGS) and kind not in _ENDINGS and kind[0].isupper():
                    before = line[max(0, name.start() - 80) : name.start()]
                    if not (rest.startswith(("(", "{", "<", " {")) or _IN_CODE.search(before)):
                        caused = _REPORTED.match(line) is not None
                        message = rest[1:] if rest.startswith(":") else ""
                        yield rank + (not caused), -n if caused else n, kind, _message(message, before)
                        return
        elif found := form.search(line):
            groups = {name: text for name, text in found.groupdict().items() if text is not None}
            message = groups.pop("message", "" if "panic" not in groups else after)
            ((name, text),) = groups.items()
            kind = (
                text if name == "kind" else f"{name.rstrip('_')} {text if text.strip('-').isdigit() else ''}"
            )
            yield rank + (rank > _NAMED), n, kind.strip(), _message(message, line[: found.start()])
            return


def _message(text: str, before: str = "") -> str:
    """The first sentence of a message; inside other text it ends at a conjunction or closing quote too."""
    message = text.strip()[:_MESSAGE].partition(_CLOSING.get(before[-1:], "\0"))[0]
    end = (_PROSE_END if before.strip() else _END).search(message)
    return message[: end.start()] if end else message
