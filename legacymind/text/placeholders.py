"""Replaces the variable parts of an error message with placeholders."""

import re
from http import HTTPStatus
from typing import Final

STATUS_PHRASES: Final = "|".join(re.escape(status.phrase) for status in HTTPStatus if status >= 400)
"""The reason phrases of HTTP error statuses, as alternatives of a regular expression."""

_FILES: Final = (
    "py|pyx|pyi|ipynb|m?js|[jt]sx|ts|vue|rs|go|java|kt|scala|cs|cc?|cpp|hpp|h|rb|php|swift|json|jsonl|toml|ya?ml"
    "|txt|csv|log|sql|so|dll|exe|jar|sh|bat|cfg|conf|ini|env|xml|html?|css|md|lock|sqlite3?|parquet|onnx|cypher"
)
_DOMAINS: Final = "com|org|net|io|dev|ai|app|cloud|local|internal|lan|test|example|svc|eu|de|uk|fr"

# Tried in this order at every position. Each begins at a word boundary, so no word is scanned twice.
_PATTERNS: Final = (
    (
        "keep",  # codes that identify an error
        r"\b(?:errno|sqlstate|sqlcode|error|code|status|signal|exit|http(?:/[\d.]+)?)(?: code| status)?"
        r"[ :=(#]{1,3}-?\d\w{0,5}\b"
        rf"|\b[45]\d\d(?= (?:client error|server error|{STATUS_PHRASES})\b)"
        r"|\b(?-i:[A-Z]{1,6})-?\d{3,6}\b",
    ),
    (
        "str",  # an apostrophe inside a word is not a quotation mark
        r"(?<!\w)[bru]?(?:'\[[^\]]*\]'|'(?:[^'\\]|\\.|'(?=\w))*'|\"(?:[^\"\\]|\\.)*\")|`[^`]*`|“[^”]*”|«[^»]*»"
        r"|(?<![\w.+-])[\w.+-]{1,64}@[\w-]+\.[\w.-]+",
    ),
    ("url", r"\b[a-z][a-z0-9+.-]{1,15}://(?:\[[^\s\]]*\])?[^\s'\"<>)\]}]+"),
    (
        "time",
        r"\b\d{4}[-/]\d\d[-/]\d\d(?:[t ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:z|[+-]\d\d:?\d\d)?)?(?!\w)"
        r"|\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b",
    ),
    ("id", r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"),
    (
        "path",
        r"(?:\b[a-z]:[\\/]|(?<!\w)\\\\)[^\s'\"<>|:*?,;)]+(?::\d+)*"
        r"|(?<![\w<./~])(?:~|\.{1,2})?/[\w.@%+~/-]*\w(?::\d+)*"
        r"|(?<![\w./-])[\w-][\w.-]*/[\w./-]*\.\w{1,5}\b(?::\d+)*"
        rf"|(?<![\w./-])[\w-]+\.(?:{_FILES})\b(?::\d+)*",
    ),
    (
        "host",
        r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?![\w.])"
        r"|\[[0-9a-f:.]*:[0-9a-f:.]+\](?::\d+)?|(?<!\w)::1\b|\blocalhost\b(?::\d+)?"
        rf"|(?<![\w./-])[a-z\d][\w-]*(?:\.[\w-]+)*\.(?:{_DOMAINS})\b(?!\.\w)(?::\d+)?"
        r"|(?<![\w./-])[a-z][\w-]*(?:\.[\w-]+)*:\d{2,5}\b",
    ),
    ("hex", r"\b0x[0-9a-f]+\b|@[0-9a-f]{5,}\b|\b(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{7,}\b"),
    ("id", r"\b(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{20,}\b"),
    (
        "n",
        r"(?<!\w)(?:[-+]|v)?\d[\d,_]*(?:\.\d+)*(?:e[-+]?\d+)?(?:\s?(?:%|ms|[µn]s|s|secs?|seconds?|[kmgt]i?b|bytes)|[mhdkbgx])?"
        r"(?!\w)"
        r"|(?<=_)\d+(?!\w)",
    ),
)
_VARYING: Final = re.compile(
    "|".join(f"(?P<{name}_{n}>{pattern})" for n, (name, pattern) in enumerate(_PATTERNS)), re.IGNORECASE
)
_REPEATED: Final = re.compile(r"(<(?:n|str|id|hex)>)(?:,? ?\1)+")
_SPACE: Final = re.compile(r"\s+")


def normalise_message(message: str) -> str:
    """The message in lower case with single spaces, its variable parts as ``<n>``, ``<str>``, ``<path>`` ….

    Codes that identify an error are kept: HTTP statuses, exit codes, labelled errnos, codes such as E0382.
    """
    plain = _VARYING.sub(_placeholder, message)
    return _REPEATED.sub(r"\1", _SPACE.sub(" ", plain)).strip(" .,;:!?-–—…").lower()


def _placeholder(varying: re.Match[str]) -> str:
    name = (varying.lastgroup or "").partition("_")[0]
    return varying[0] if name == "keep" else f"<{name}>"
