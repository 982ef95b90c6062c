"""The line that a user keeps of an anchor: ``legacymind-anchor 1 root=… sessions=… time=… namespace=…``."""

import re
from dataclasses import dataclass
from typing import Final, Self
from urllib.parse import quote, unquote

from legacymind.errors import InvalidInput

_NAME: Final = "legacymind-anchor"
_VERSION: Final = "1"
_ROOT: Final = re.compile(r"[0-9a-fA-F]{64}")
_SIZE: Final = re.compile(r"[0-9]{1,18}")
SAFE: Final = "-._~:@/"
"""Characters that are not percent-encoded in a namespace or session id."""
_AROUND: Final = "\ufeff#>*- \t"
"""What may stand before and after an anchor in a line."""


@dataclass(frozen=True, slots=True)
class AnchorLine:
    """The root of an anchor, as hex, and what was anchored. A bare root has no other value."""

    root: str
    namespace: str | None = None
    sessions: int | None = None
    time: str | None = None
    session_id: str | None = None

    def __str__(self) -> str:
        fields = {
            "root": self.root,
            "sessions": self.sessions,
            "time": self.time,
            "namespace": self.namespace and quote(self.namespace, safe=SAFE),
            "session": self.session_id and quote(self.session_id, safe=SAFE),
        }
        values = (f"{name}={value}" for name, value in fields.items() if value is not None)
        return " ".join([_NAME, _VERSION, *values])

    @classmethod
    def parse(cls, line: str) -> Self:
        """Read a line, or a root alone. Raises InvalidInput for any other text."""
        words = line.strip(_AROUND).split()
        if len(words) == 1 and _ROOT.fullmatch(words[0]):
            return cls(words[0].lower())
        if words[:1] == [_NAME] and words[1:2] not in ([], [_VERSION]):
            raise InvalidInput(
                f"The anchor has version {words[1][:80]}; this LegacyMind reads version {_VERSION}.",
                effect="Nothing was verified.",
                hint="Upgrade LegacyMind.",
            )
        fields = {name: value for name, _, value in (word.partition("=") for word in words[2:])}
        root, sessions = fields.get("root", ""), fields.get("sessions")
        if words[:1] != [_NAME] or not _ROOT.fullmatch(root) or (sessions and not _SIZE.fullmatch(sessions)):
            raise not_an_anchor()
        namespace, session = fields.get("namespace"), fields.get("session")
        return cls(
            root=root.lower(),
            namespace=namespace and unquote(namespace),
            sessions=int(sessions) if sessions else None,
            time=fields.get("time"),
            session_id=session and unquote(session),
        )


def anchor_lines(text: str) -> list[AnchorLine]:
    """Every anchor in a text, such as a file or a commit message; other lines are skipped."""
    # Comments, quotations, items of lists and a BOM hide no anchor.
    lines = [line.strip(_AROUND) for line in text.splitlines()]
    found = [line for line in lines if line.startswith(f"{_NAME} ") or _ROOT.fullmatch(line)]
    return [AnchorLine.parse(line) for line in found]


def not_an_anchor() -> InvalidInput:
    """The error for a text without an anchor."""
    return InvalidInput(
        "This is not an anchor.",
        effect="Nothing was verified.",
        hint="Pass the line that `legacymind anchor` printed, or the file that it wrote.",
    )
