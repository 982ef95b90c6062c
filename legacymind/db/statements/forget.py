"""The statements of ``cypher/forget``, with the types of their rows and of larger parameters."""

from typing import Literal, TypedDict

from legacymind.db.query import load
from legacymind.model.base import Kind


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


forget_node = load("forget/forget_node", ForgottenNode, writes=True)


class ForgottenRelation(TypedDict):
    """The relation that was forgotten; ``label`` is null when it does not exist."""

    label: str | None
    closed: bool
    later: bool


forget_relation = load("forget/forget_relation", ForgottenRelation, writes=True)


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


find_texts = load("forget/find_texts", TextsRow, writes=False, long_running=True)


class NoteRow(TypedDict):
    """A relationship by its element id, and its texts."""

    id: str
    texts: list[str]


find_notes = load("forget/find_notes", NoteRow, writes=False, long_running=True)


class ClearedNotes(TypedDict):
    """The number of relationships without their text now."""

    cleared: int


clear_notes = load("forget/clear_notes", ClearedNotes, writes=True)


class NewQuotes(TypedDict):
    """The properties of a node that change; null removes one. ``embedded``: its vector has the old text."""

    id: str
    properties: dict[str, str | None]
    embedded: bool


class ReplacedQuotes(TypedDict):
    """The number of nodes whose texts were replaced."""

    replaced: int


replace_quotes = load("forget/replace_quotes", ReplacedQuotes, writes=True)


class DeletedNodes(TypedDict):
    """The number of deleted nodes."""

    deleted: int


delete_namespace = load("forget/delete_namespace", DeletedNodes, writes=True)
delete_rest = load("forget/delete_rest", DeletedNodes, writes=True)


class NamesRow(TypedDict):
    """The names of an entity."""

    names: list[str]


read_names = load("forget/read_names", NamesRow, writes=False)


class LogSetting(TypedDict):
    """A setting of the server's transaction logs."""

    name: str
    value: str


read_log_settings = load("forget/read_log_settings", LogSetting, writes=False)


class ExpiredRow(TypedDict):
    """The number of expired thoughts that have a text, and the first: id, session, and time in ISO 8601."""

    total: int
    expired: list[tuple[str, str | None, str]]


find_expired = load("forget/find_expired", ExpiredRow, writes=False)
