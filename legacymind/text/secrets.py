"""Removes what looks like a secret from a text that is stored without being read before, such as a command.

Known forms only: a pattern for every long word would remove hashes and ids, which errors are about. The
repetitions are bounded, so the time is linear in the length of the text.
"""

import re
from typing import Final

HIDDEN: Final = "[secret]"

_KEY: Final = (
    r"[\w.-]{0,60}(?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key"
    r"|credentials?)"
)
_VALUE: Final = r"(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s\"',;&)-][^\s\"',;&)]*)"
_FORM: Final = re.compile(
    # A key in PEM, also cut off.
    r"(?s:-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z))"
    # Prefixes of OpenAI, Anthropic, Stripe, GitHub, GitLab, Slack, npm, PyPI, Hugging Face, Google and AWS.
    r"|\b(?:sk|pk|rk)[-_][\w-]{16,}|\bgh[opusr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}"
    r"|\bxox[abeprs]-[\w-]{10,}|\bnpm_\w{20,}|\bpypi-[\w-]{20,}|\bhf_\w{20,}|\bAIza[\w-]{30,}"
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"
    r"|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"  # a JSON Web Token
)
_NAMED: Final = (
    # The name stays, the value goes: `Authorization: Bearer …`, `DB_PASSWORD=…`, `"apiKey": …`, `--token …`.
    re.compile(
        r"(?P<name>\bauthorization[\"']?\s*[:=]\s*[\"']?(?:(?:bearer|basic|token)\s+)?)[^\s\"',;]+",
        re.IGNORECASE,
    ),
    re.compile(r"(?P<name>\bbearer\s+)[\w.~+/=-]{8,}", re.IGNORECASE),
    re.compile(rf"(?P<name>\b{_KEY}[\"']?\s*(?:=|:(?!//))\s*){_VALUE}", re.IGNORECASE),
    re.compile(rf"(?P<name>--?{_KEY}\s+){_VALUE}", re.IGNORECASE),
    re.compile(r"(?P<name>\b[a-z][a-z0-9+.-]{0,20}://[^\s:/@]{0,200}:)[^\s@/]{1,500}(?=@)", re.IGNORECASE),
)


def without_secrets(text: str) -> str:
    """The text with ``[secret]`` in place of keys, tokens and passwords in known forms."""
    text = _FORM.sub(HIDDEN, text)
    for form in _NAMED:
        text = form.sub(rf"\g<name>{HIDDEN}", text)
    return text
