"""What is known about kinds of errors: the question that the message of each kind leaves open."""

import re
from dataclasses import dataclass
from typing import Final

_HTTP: Final = {
    "400": "which part of the request could the server not read",
    "401": "were the credentials sent at all, or had they expired",
    "403": "which permission does the caller lack",
    "404": "is the path wrong, or is the resource gone",
    "409": "which other write came first",
    "413": "which server on the way has the smallest limit for a body",
    "429": "which limit of requests was reached, and by which caller",
    "500": "what does the server's own log have at that time",
    "502": "was the server behind the proxy running",
    "503": "was the server starting, overloaded or switched off",
    "504": "does the server behind the proxy take longer than the proxy waits",
}


@dataclass(frozen=True, slots=True)
class Failure:
    """An error message, and the question that its kind leaves open. ``fact`` is what the message implies."""

    ground: str
    question: str
    fact: str | None = None


# Each pattern is for one line. Its groups go into the question; {0} is the whole match, also in a fact.
_KINDS: Final = tuple(
    (re.compile(pattern), question, *fact)
    for pattern, question, *fact in (
        (
            r"KeyError: '[^']{1,60}'",
            "Which input lacks the key of {0}: is the key optional there, or was it renamed?",
        ),
        (
            r"(?P<fn>NOT NULL constraint failed|null value in column)[: ]+(?P<key>\"?[\w.]{1,80}\"?)",
            "Which record came without a value in {0}, and should it have been refused earlier?",
        ),
        (
            r"(?:UNIQUE constraint failed|duplicate key value violates unique constraint)[: ]+"
            r"\"?[\w.]{1,80}\"?",
            "Was the first record of {0} written by an earlier try of the same call, or by another source?",
        ),
        (
            r"(?:could not convert string to (?:float|int)|invalid literal for int\(\) with base \d+"
            r"|invalid input syntax for type \w+): (?P<value>'[^']{0,60}'|\"[^\"]{0,60}\")",
            "Where does the value in {0} come from, and which other values are written that way?",
        ),
        (
            r"(?:'NoneType' object (?:has no attribute '\w+'|is not \w+)"
            r"|Cannot read propert(?:y|ies) (?:'\w+' )?of (?:undefined|null)(?: \(reading '\w+'\))?"
            r"|NullPointerException(?:: .{1,60})?|nil pointer dereference)",
            "Which call returned nothing just before {0}?",
        ),
        (
            r"(?:ModuleNotFoundError: )?No module named '?[\w.]{1,60}'?",
            "Is the name in {0} spelt as the package is, and is it installed for the interpreter that runs?",
        ),
        (
            r"cannot import name '\w{1,60}'(?: from '[\w.]{1,80}')?",
            "Do two modules import each other, or did the version change that {0} refers to?",
        ),
        (
            r"'(?P<codec>[\w-]{1,20})' codec can't (?:de|en)code (?:byte|character)s? \S{1,12}"
            r" in position \d+",
            "Which encoding were the bytes of {0} written in, if not {codec}?",
        ),
        (
            r"(?:src refspec \S{1,60} does not match any|pathspec '[^']{1,60}' did not match any)",
            "Does the branch in {0} exist locally, and has it a commit?",
        ),
        (
            r"(?:(?:Connection refused|ECONNREFUSED|Failed to connect to)(?: (?:at|to|by))?"
            r"(?: [\w.-]{1,60}(?:(?::| port )\d{1,5})?)?|Couldn't connect to server)",
            "Does any process listen where {0} tried, and as seen from the same host or container?",
        ),
        (
            r"(?:\[Errno \d+\] )?(?:[Aa]ddress already in use|EADDRINUSE\S*(?: \S{1,40})?"
            r"|port is already allocated)",
            "Which process holds the address of {0}: an earlier start of the same program?",
        ),
        (
            r"(?:[Tt]im(?:ed|ing|es) out|[Gg]ave up|[Gg]iving up|[Tt]imeout) (?:after|of)"
            r" \d[\d.,]* ?[a-z]{1,12}",
            "If the limit of {0} were ten times as long, would it finish, and after how long?",
        ),
        (
            r"(?:[Pp]ool (?:is )?(?:empty|exhausted)|PoolExhausted\w*|[Tt]oo many (?:connections|clients)"
            r"|[Uu]nable to fetch a connection(?: in \d+ \w+)?)",
            "Who holds the connections when {0}: slow statements, or code that does not give them back?",
        ),
        (
            r"waits for \w{3,30} on transaction \d+; blocked by process \d+",
            "In which order does each of the two take its locks: {0}?",
        ),
        (
            r"(?:Permission denied|EACCES)(?:: '?[^'\s]{1,80}'?)?",
            "As which user does it run, and who owns what {0} names?",
        ),
        (
            r"(?:No such file or directory|ENOENT)(?:: '?[^'\s]{1,80}'?)?",
            "Relative to which folder is the path of {0} looked up, and which step should have made it?",
        ),
        (
            r"(?:No space left on device|ENOSPC)",
            "What grew on the device of {0} since it last had room: logs, temporary files, data?",
        ),
        (
            r"(?:maximum recursion depth exceeded|StackOverflowError)",
            "Which input makes a call contain itself, so that {0}?",
        ),
        (
            r"(?:exit(?:s|ed)?(?: with)?(?: code| status)?|code) 137\b|OOMKilled",
            "How much memory did the process have when {0}, and what is the limit?",
            "{0} means signal 9: something killed the process, most often the kernel for want of memory.",
        ),
        (
            r"(?:exit(?:s|ed)?(?: with)?(?: code| status)?|code) 139\b|[Ss]egmentation fault",
            "Which native library runs when {0}?",
            "{0} means signal 11: native code touched memory that it does not own.",
        ),
        (
            r"(?:certificate verify failed|self[- ]signed certificate|certificate has expired)(?:: .{1,60})?",
            "Which certificate does the server of {0} send, and which authorities does the client trust?",
        ),
        (
            r"assert (?P<got>-?\d+(?:\.\d+)?) == (?P<want>-?\d+(?:\.\d+)?)(?!\d)",
            "Which side of {0} is right: does the difference of {difference} come from the code or from the"
            " expectation?",
        ),
        (
            r"(?:list|string|tuple) index out of range|IndexOutOfBounds\w*(?:: .{1,60})?",
            "What is the length in the case of {0}: zero, or one less than assumed?",
        ),
        (
            r"division by zero|ZeroDivisionError",
            "When is the divisor of {0} rightly zero, and what should the result be then?",
        ),
        (
            r"(?:Expecting (?:value|property name)[^:]{0,40}|Unexpected token \S{1,10}[^:]{0,20}).{0,20}?"
            r"(?:line \d+ column \d+|position \d+)?",
            "What does the text that {0} refers to begin with: is it JSON at all?",
        ),
        (
            r"\"(?:GET|POST|PUT|PATCH|DELETE|HEAD) \S{1,80} HTTP/[\d.]+\" (?P<http>[45]\d\d)\b",
            "About {0}: {meaning}?",
        ),
        (
            r"(?:(?:HTTP(?:/[\d.]+)?|status|code|returns?|gets?|got|error)(?: an?)? )"
            r"(?P<http>400|401|403|404|409|413|429|500|502|503|504)\b",
            "About {0}: {meaning}?",
        ),
    )
)


# A line without any of these matches no pattern.
_HINT: Final = re.compile(
    r"error|fail|refused|econn|couldn't|eaddr|in use|allocated|enospc|enoent|eacces|denied|no such"
    r"|no module|import name|codec|spec|timed out|times out|timing out|timeout|gave up|giving up|pool"
    r"|too many|unable to fetch|waits for|space left|recursion|overflow|code|exit|oomkilled"
    r"|segmentation|certificate|assert|out of range|outofbounds|division|expecting|unexpected|http"
    r"|status|return|get|got|null|nonetype|undefined|nil pointer|constraint|duplicate|convert|literal"
    r"|syntax"
)


def failures(lines: list[str]) -> list[Failure]:
    """The known errors of the lines, the last line's first: an error is printed at the end."""
    found: dict[str, Failure] = {}
    for line in reversed([line for line in lines if _HINT.search(line.lower())]):
        for pattern, question, *fact in _KINDS:
            match = pattern.search(line)
            if match is None or question in found or match.groupdict().get("http", "404") not in _HTTP:
                continue
            groups = {name: value or "" for name, value in match.groupdict().items()}
            if "http" in groups:
                groups["meaning"] = _HTTP[groups["http"]]
            if "got" in groups:
                groups["difference"] = f"{abs(float(groups['got']) - float(groups['want'])):.6g}"
            ground = match[0].strip(' "')
            found[question] = Failure(
                ground,
                question.format(f"“{ground}”", **groups),
                fact[0].format(f"“{ground}”") if fact else None,
            )
    return list(found.values())
