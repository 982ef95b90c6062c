"""Removes what looks like a secret from a text that is stored without being read before, such as a command.

Known forms only: a pattern for every long word would remove hashes and ids, which errors are about. The
repetitions are bounded, so the time is linear in the length of the text.
"""

import re
from typing import Final

HIDDEN: Final = "[secret]"

_KEY: Final = (
    r"[\w.-]{0,60}(?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key"
    r"|account[_-]?key|passphrase|credentials?)"
)
_VALUE: Final = r"(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s\"',;&)-][^\s\"',;&)]*)"
_FORM: Final = re.compile(
    # A key in PEM, also cut off.
    r"(?s:-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z))"
    # Prefixes of OpenAI, Anthropic, Stripe, GitHub, GitLab, Slack, npm, PyPI, Hugging Face, Google and AWS.
    r"|\b(?:sk|pk|rk)_(?:live|test)_\w{16,}|\b(?:sk|pk|rk)-(?=[\w.-]{0,80}\d)[\w.-]{16,}"
    r"|\bgh[opusr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}"
    r"|\bxox[abeprs]-[\w-]{10,}|\bnpm_\w{20,}|\bpypi-[\w-]{20,}|\bhf_\w{20,}|\bAIza[\w-]{30,}"
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"
    # Groq, Replicate, Notion, Supabase, Figma, LangSmith, Shopify, DigitalOcean, Docker, Linear, xAI,
    # Perplexity, NVIDIA, Tavily, Mem0, Google's OAuth, SendGrid, age and Telegram.
    r"|\b(?:gsk|r8|ntn|sbp|figd|lsv2|shp[a-z]{2}|dop_v1|dckr_pat|lin_api)_\w{12,}"
    r"|\b(?:xai|pplx|nvapi|tvly|m0|GOCSPX)-(?=[\w-]{0,80}\d)[\w-]{16,}|\bya29\.[\w-]{16,}"
    r"|\bSG\.[\w-]{16,80}\.[\w-]{16,}|\bAGE-SECRET-KEY-1\w{20,}|\b\d{8,10}:AA[\w-]{30,}"
    r"|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"  # a JSON Web Token
)
_NAMED: Final = (
    # The name stays, the value goes: `Authorization: Bearer …`, `DB_PASSWORD=…`, `"apiKey": …`, `--token …`.
    re.compile(
        r"(?P<name>\bauthorization[\"']?\s*[:=]\s*[\"']?(?:(?:bearer|basic|token)\s+)?"
        r"|\bbearer\s+(?=[\w.~+/=-]{8}))[^\s\"',;]+",
        re.IGNORECASE,
    ),
    # After a colon and a space, a word without a digit is prose: `The secret: never deploy on Friday`.
    re.compile(
        rf"(?P<name>\b{_KEY}[\"']?(?:\s*=\s*|\s*:(?=[^\s/])|\s*:\s+(?=[\"']|\S{{0,80}}\d))){_VALUE}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?P<name>(?:[?&]sig=|\bcookie:\s*[\w-]{{1,60}}="
        rf"|\blogin\s+\S{{1,80}}\s+password\s+|[\"']auth[\"']:\s*(?=[\"'][\w+/=]{{16}}))){_VALUE}",
        re.IGNORECASE,
    ),
    re.compile(r"(?P<name>\s(?:-u|--user)\s+[^\s:]{1,80}:)(?!\d+(?:\s|\Z))\S+"),
    re.compile(r"(?P<name>\bhooks\.slack\.com/services/|\bdiscord(?:app)?\.com/api/webhooks/\d+/)[\w/-]+"),
    re.compile(rf"(?P<name>--?{_KEY}\s+){_VALUE}", re.IGNORECASE),
    re.compile(r"(?P<name>\b[a-z][a-z0-9+.-]{0,20}://[^\s:/@]{0,200}:)[^\s@/]{1,500}(?=@)", re.IGNORECASE),
)


def without_secrets(text: str) -> str:
    """The text with ``[secret]`` in place of keys, tokens and passwords in known forms."""
    text = _FORM.sub(HIDDEN, text)
    for form in _NAMED:
        text = form.sub(rf"\g<name>{HIDDEN}", text)
    return text
