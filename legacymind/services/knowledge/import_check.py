"""Checks the records of an import before they are stored."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import fields, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from legacymind.errors import InvalidInput
from legacymind.model.base import ALWAYS, LINK_NAMES, EntityInput, ObservationInput, RelationInput
from legacymind.services.knowledge.batch import MAX_ITEMS, Batch
from legacymind.services.knowledge.importers.records import (
    EntityLine,
    Fault,
    Knowledge,
    LineNumber,
    ObservationLine,
    Record,
    RefusedLine,
    RelationLine,
    SkippedMessage,
    ThoughtLine,
    Warned,
    refused,
    too_long,
)
from legacymind.services.think.thought import Thought, derived_id

Ready = Batch | list[ThoughtLine]
"""Checked records that are stored together: knowledge, or thoughts."""

_THOUGHTS_SIZE: Final = 200
"""Thoughts embedded together."""


class Checker:
    """Checks and counts the records of one import, and groups them in their order.

    ``prepare`` checks a thought. With ``derives_ids``, the ids of thoughts derive from those of the source
    and the namespace. If ``strict``, the first fault raises InvalidInput. ``counts`` are those of the records
    that were yielded, by kind, ``skipped`` those of messages that are no thoughts, by reason, ``warnings``
    what was left out of imported items, and ``places`` the first places of thoughts by their ids.
    """

    def __init__(
        self,
        prepare: Callable[[ThoughtLine], Thought],
        namespace: str,
        *,
        derives_ids: bool = True,
        strict: bool = False,
    ) -> None:
        self._prepare = prepare
        self._namespace = namespace
        self._derives_ids = derives_ids
        self._strict = strict
        self._contents: dict[str, int] = {}
        self._thoughts: list[ThoughtLine] = []
        self._knowledge: list[tuple[int, LineNumber, Knowledge]] = []
        self._waiting: Counter[str] = Counter()
        self._entities: set[tuple[str, str | None]] = set()
        self._refused: list[tuple[int, RefusedLine]] = []
        self._number = 0
        self.counts: Counter[str] = Counter()
        self.skipped: Counter[str] = Counter()
        self.warnings: list[str] = []
        self.places: dict[str, str] = {}

    @property
    def refused(self) -> list[RefusedLine]:
        """The lines that cannot be imported, in the order of the source."""
        return [line for _, line in sorted(self._refused, key=lambda one: one[0])]

    def add(self, place: LineNumber, found: Record | Fault | SkippedMessage | Warned) -> Iterator[Ready]:
        """Check a record, and yield what is ready. Raises InvalidInput for a fault if ``strict``."""
        self._number += 1
        if isinstance(found, SkippedMessage):
            self.skipped[str(found)] += 1
            return
        if isinstance(found, Warned):
            self.warnings.append(f"{place}: {found}.")
            return
        try:
            if isinstance(found, Fault):
                raise found
            long = too_long(found)
            if long is not None:
                raise Fault(long)
            record = self._checked_thought(place, found) if isinstance(found, ThoughtLine) else found
        except (Fault, InvalidInput) as reason:
            if self._strict:  # An earlier record may have a fault, too.
                yield from self.rest()
            self._refuse(self._number, place, reason)
            return
        if isinstance(record, ThoughtLine):
            yield from self._rest_of_knowledge()
            self._thoughts.append(record)
            if len(self._thoughts) >= _THOUGHTS_SIZE:
                yield from self._rest_of_thoughts()
        else:
            yield from self._rest_of_thoughts()
            self._knowledge.append((self._number, place, record))
            self._waiting[record.kind] += 1
            if self._waiting[record.kind] >= MAX_ITEMS:
                yield from self._rest_of_knowledge()

    def rest(self) -> Iterator[Ready]:
        """Yield what is left. Raises InvalidInput for a fault if ``strict``."""
        yield from self._rest_of_thoughts()
        yield from self._rest_of_knowledge()

    def _rest_of_thoughts(self) -> Iterator[Ready]:
        ready, self._thoughts = self._thoughts, []
        self.counts["thought"] += len(ready)
        if ready:
            yield ready

    def _rest_of_knowledge(self) -> Iterator[Ready]:
        """The batch of the collected knowledge. Only if it has a fault, each record is checked alone."""
        collected, self._knowledge = self._knowledge, []
        self._waiting.clear()
        try:
            batch = _batch([record for *_, record in collected], self._entities)
        except InvalidInput:
            valid: list[Knowledge] = []
            for number, place, record in collected:
                try:
                    _batch([record])
                except InvalidInput as reason:
                    self._refuse(number, place, reason)
                else:
                    valid.append(record)
            batch = _batch(valid, self._entities)
        self.counts["entity"] += len(batch.sent)
        self.counts["observation"] += len(batch.observations)
        self.counts["relation"] += len(batch.relations)
        self._entities |= batch.entity_keys
        if batch.entities:
            yield batch

    def _refuse(self, number: int, place: LineNumber, reason: Fault | InvalidInput) -> None:
        why = reason.what.rstrip(".") if isinstance(reason, InvalidInput) else str(reason)
        if self._strict:
            raise refused(place, why) from None
        self._refused.append((number, RefusedLine(line=place.line, reason=why, file=place.file)))

    def _checked_thought(self, place: LineNumber, record: ThoughtLine) -> ThoughtLine:
        """The thought with the id that it gets. Raises InvalidInput if it cannot be stored."""
        own = _with_derived_ids(record, self._namespace) if self._derives_ids else record
        thought = self._prepare(own)
        digest = hash(thought.content)  # The texts of a long import are not kept.
        if self._contents.setdefault(thought.id, digest) != digest:
            raise InvalidInput(f"An earlier line has another thought with the id {thought.id[:80]!r}.")
        self.places.setdefault(thought.id, str(place))
        return own


def _batch(records: Sequence[Knowledge], earlier: Set[tuple[str, str | None]] = frozenset()) -> Batch:
    """Build a batch from records of knowledge. Raises InvalidInput."""
    return Batch(
        datetime.now(UTC),
        ALWAYS,
        [EntityInput(**members(record)) for record in records if isinstance(record, EntityLine)],
        [ObservationInput(**members(record)) for record in records if isinstance(record, ObservationLine)],
        [RelationInput(**members(record)) for record in records if isinstance(record, RelationLine)],
        earlier=earlier,
    )


def members(record: Record) -> dict[str, Any]:
    """The fields of a record by the names of its input type."""
    return {name: getattr(record, name) for name in _names(type(record))}


@cache
def _names(record: type[Record]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(record) if field.name != "kind")


def _with_derived_ids(record: ThoughtLine, namespace: str) -> ThoughtLine:
    """The thought with ids of its own in the database: those of a source are unique in the source only."""
    names = ("id", *LINK_NAMES)
    own = {name: getattr(record, name) for name in names}
    return replace(record, **{name: id and derived_id(namespace, id) for name, id in own.items()})
