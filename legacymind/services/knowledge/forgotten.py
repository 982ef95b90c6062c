"""What is forgotten: items with their digests, the texts that others have from it, and where it remains."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypedDict

from legacymind.model.base import REDACTED, Kind
from legacymind.model.nodes import Forgotten, ForgottenKind, Remainder
from legacymind.text import fulltext
from legacymind.text.excerpts import excerpt


class ForgottenText(TypedDict):
    """The text of a fact, or the name of an entity."""

    id: str
    text: str | None


class ForgottenNode(TypedDict):
    """What was forgotten; ``kind`` is null when the node does not exist. ``closed``: it was closed before.
    ``later``: it begins later.

    ``merged_into`` is the id of the node that an alias leads to. ``texts`` are those of the node and its
    facts.
    """

    kind: Literal["entity", "observation", "alias"] | None
    merged_into: str | None
    closed: bool
    later: bool
    texts: list[ForgottenText]
    relations: int


class TextsRow(TypedDict):
    """A node and its texts: its own, those that it has from others by property, and those that are hashed.

    ``linked``: it is linked with one of the entities. ``redacted``: a thought without a text, or
    what is left of a merged entity. ``step``: it records a redaction.
    """

    id: str
    kind: Kind
    linked: bool
    own: list[str]
    quoted: dict[str, str | None]
    fixed: list[str]
    redacted: bool
    step: bool
    digest: str | None


class NewQuotes(TypedDict):
    """The properties of a node that change; null removes one. ``embedded``: its vector has the old text."""

    id: str
    properties: dict[str, str | None]
    embedded: bool


_EXAMPLES: Final = 5
"""Texts of each kind that a plan shows."""

_ASCII: Final = re.compile(r"[a-z0-9]+")

_LOGS: Final = (
    "db.tx_log.rotation.size",
    "db.tx_log.rotation.retention_policy",
    "db.checkpoint.interval.time",
)


@dataclass
class Gone:
    """What goes, by kind, with the digest of each item's text by its id, and some beginnings of texts."""

    digests: dict[ForgottenKind, dict[str, str]] = field(default_factory=dict[ForgottenKind, dict[str, str]])
    counts: dict[ForgottenKind, int] = field(default_factory=dict[ForgottenKind, int])
    examples: dict[ForgottenKind, list[str]] = field(default_factory=dict[ForgottenKind, list[str]])
    quotes: list[NewQuotes] = field(default_factory=list[NewQuotes])
    notes: list[str] = field(default_factory=list[str])
    fixed: int = 0

    def add(self, kind: ForgottenKind, id: str, text: str, digest: str | None = None) -> None:
        """Add an item; its digest is the chain's, if it has one, or else that of its text."""
        own = self.digests.setdefault(kind, {})
        if id in own:
            return
        own[id] = digest or hashlib.sha256(text.encode()).hexdigest()
        shown = self.examples.setdefault(kind, [])
        if len(shown) < _EXAMPLES:
            shown.append(f"{id}: {excerpt(text, 80)}")

    def ids(self, kind: Kind) -> list[str]:
        """The ids of the items of a kind, in order: two calls lock them in one order."""
        return sorted(self.digests.get(kind, {}))

    def listed(self, *, done: bool) -> list[Forgotten]:
        """The members of a result: examples in a plan, digests in a certificate."""
        found = [
            Forgotten(
                kind=kind,
                count=len(own),
                sha256=_sealed(own) if done else None,
                examples=[] if done else self.examples[kind],
            )
            for kind, own in self.digests.items()
            if own
        ]
        return found + [Forgotten(kind=kind, count=n) for kind, n in self.counts.items() if n]


def add_node(gone: Gone, row: ForgottenNode, *, closed: bool = False) -> None:
    """Add the node of a row, its facts, and the number of its relations."""
    if closed or row["kind"] is None:
        return
    for number, one in enumerate(row["texts"]):
        kind = "observation" if number or row["kind"] == "observation" else "entity"
        gone.add(kind, one["id"], one["text"] or "")
    gone.counts["relation"] = gone.counts.get("relation", 0) + row["relations"]


def text_of(row: TextsRow) -> str:
    """The text of a node that its digest is of: its content, or the name of an entity."""
    return row["own"][0] if row["own"] else ""


def words(names: Iterable[str]) -> list[str]:
    """Pieces without which no text has one of the names, the longest of each; or all texts are read.

    Cypher's lower case leaves "ß" as it is, which the key of a name has as "ss".
    """
    longest = [max(_ASCII.findall(name.replace("ss", " ")), key=len, default="") for name in names]
    return [""] if "" in longest else sorted({*longest})


def replaced(row: TextsRow, told: Callable[[str], bool]) -> NewQuotes | None:
    """The texts of a node that have another's, without them; None if it has none."""
    changed: dict[str, str | None] = {}
    for name, text in row["quoted"].items():
        if text is None:
            continue
        if told(text):
            changed[name] = REDACTED if name == "redacted_reason" else None
    if not changed:
        return None
    if "description" in changed:  # its words are there, too
        changed["other_forms"] = fulltext.other_forms(*row["own"])
    return {"id": row["id"], "properties": changed, "embedded": "description" in changed}


def _sealed(digests: dict[str, str]) -> str:
    lines = "".join(f"{id} {digest}\n" for id, digest in sorted(digests.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def remainders(settings: Mapping[str, str]) -> list[Remainder]:
    """Where the texts remain, by the settings of the server, which are empty if it hides them."""
    size, policy, interval = (settings.get(name) for name in _LOGS)
    logs = (
        f"a log is closed at {size}, and removed by the policy {policy!r} at a checkpoint, which is due "
        f"after {interval}, and when the server stops"
        if size
        else "as long as the settings of the server say, which it does not show"
    )
    return [
        Remainder(where="Neo4j's transaction logs", until=logs),
        Remainder(
            where="free space in Neo4j's files",
            until="it is overwritten by what is stored later; at once, by an export into a new home",
        ),
        Remainder(where="backups, exports and heads made before", until="you delete them"),
        Remainder(where="caches of vectors, without texts, in other processes", until="those end"),
    ]
