"""Answers of MCP's core profile: what an agent uses, in few tokens.

They have the names of the full answers, and less. Empty members are left out, and so is what the agent has
said itself or can read with ``legacymind_get``. Ids are their first eight digits, which every operation
accepts. A date is a day, without the year in this one; what is of today has none.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Any, Final, cast

from pydantic_core import to_jsonable_python

from legacymind.model.base import Answer, Context, Hit, RememberResult, SearchResult
from legacymind.model.think import Memory, RecallResult, ThinkResult
from legacymind.model.trails import TrailResult, TrailStep
from legacymind.operations.ids import NAMES, short

_EMPTY: Final[tuple[Any, ...]] = (None, [], {}, "")
_TIME: Final = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|\+00:00)")
_UUID: Final = re.compile(r"(?:thoughts:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_OWN_WORDS: Final = frozenset(("warnings", "note", "kept", "ask", "examples", "stays"))
"""Members of which LegacyMind writes the texts, with ids in them."""

_STORED: Final = frozenset(("text", "content", "entity", "name", "label", "aliases", "tags", "hypothesis"))
"""Members whose texts are as they were stored, also if one is an id or a time."""

_UNUSED: Final = ("rank", "cosine", "mode", "session_id", "step_index", "entity_type")
"""Members of an item that an agent does not use."""


def item(record: object, members: Mapping[str, Any]) -> dict[str, Any]:
    """A record of a list, by the members that are sent, as the core profile sends it."""
    made = _short(to_jsonable_python(members))
    return _item(made) if isinstance(record, Hit | Memory | TrailStep) else made


def brief(result: Answer, whole: dict[str, Any]) -> dict[str, Any]:
    """An answer of an operation, ``whole`` as JSON, as the core profile sends it."""
    made: dict[str, Any] = _short(whole)
    shaped = next((shape for kind, shape in _SHAPES.items() if isinstance(result, kind)), None)
    return shaped(made) if shaped else _without(made, "namespace")


def _short(value: Any, name: str = "") -> Any:
    """A value without empty members, with short ids and times."""
    if isinstance(value, list):
        return [_short(one, name) for one in cast("list[Any]", value)]
    if isinstance(value, dict):
        members = {own: _short(one, own) for own, one in cast("dict[str, Any]", value).items()}
        return {own: one for own, one in members.items() if one not in _EMPTY}
    if not isinstance(value, str) or name in NAMES or name in _STORED:
        return value
    if name in _OWN_WORDS:
        return _UUID.sub(lambda found: short(found[0]), value)
    if time := _TIME.fullmatch(value):
        return f"{time[1]}T{time[2]}Z"
    return short(value) if _UUID.fullmatch(value) else value


def _without(members: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in members.items() if name not in names}


def _item(item: dict[str, Any]) -> dict[str, Any]:
    """An item of a list: of a fact the time from which it is true, and its entity unless its text has it."""
    shown = _without(item, *_UNUSED)
    if item.get("kind") in ("entity", "observation"):
        shown.pop("created_at", None)
    if item.get("kind") == "observation":
        shown["valid_from"] = item.get("valid_from") or item.get("created_at")
        if str(item.get("entity")).casefold() in item.get("text", "").casefold():
            shown.pop("entity", None)
    else:
        shown.pop("valid_from", None)
    for name in ("created_at", "valid_from"):
        if (day := _day(shown.pop(name, None))) is not None:
            shown[name] = day
    return shown


def _day(time: str | None) -> str | None:
    """The day of a time; None for today."""
    today = datetime.now(UTC).date()
    if not time or time[:10] == today.isoformat():
        return None
    day = date.fromisoformat(time[:10])
    return f"{day:%b} {day.day}" if day.year == today.year else time[:10]


def _search(made: dict[str, Any]) -> dict[str, Any]:
    """Hits, of which the commonest kind is said once, and so is an entity that all are about."""
    hits = [_item(hit) for hit in made.get("hits", ())]
    kinds = Counter(hit.get("kind", "thought") for hit in hits)
    kind = max(kinds, key=lambda name: kinds[name], default="thought")
    for hit in hits:
        own = hit.pop("kind", "thought")
        if own != kind:
            hit["kind"] = own
    entities = {hit.get("entity") for hit in hits}
    of: dict[str, Any] = {} if kind == "thought" else {"kind": kind}
    if len(entities) == 1 and (entity := entities.pop()):
        of["entity"] = entity
        hits = [_without(hit, "entity") for hit in hits]
    shown = _without(made, "namespace", "order", "method", "hits", "standing")
    standing = [_without(_item(hit), "standing") for hit in made.get("standing", ())]
    said = {"data": shown.pop("data")} if "data" in shown else {}
    more = {"standing": standing} if standing else {}
    if not shown.get("left_out"):
        shown.pop("left_out", None)
    return {**said, **of, "hits": hits, **more, **shown}


def _context(made: dict[str, Any]) -> dict[str, Any]:
    shown = {
        name: [_without(_item(cast("dict[str, Any]", hit)), name) for hit in value]
        if name in _PARTS
        else value
        for name, value in made.items()
    }
    return shown if shown.get("left_out") else _without(shown, "left_out")


_PARTS: Final = frozenset(("pinned", "standing", "unresolved", "relevant", "recent"))


def _think(made: dict[str, Any]) -> dict[str, Any]:
    """A thought's id and mode, its memories and its test; the summary only if there are no memories."""
    memories = [_item(memory) for memory in made.get("memories", ())]
    shown = _without(made, "namespace", "memories", "links", "chained", "chain", "telemetry")
    if memories:
        shown.pop("memory_summary", None)
    if "reason" in shown:
        first, mark, note = shown["reason"].partition(";")
        shown["reason"] = first.split()[0].rstrip(":") + mark + note
    if "delegated_result" in shown:
        shown["delegated_result"] = {"thought_id": shown["delegated_result"]["thought_id"]}
    if dropped := made.get("telemetry", {}).get("dropped_tags"):
        shown["dropped_tags"] = dropped
    if "verification" in shown:
        shown["verification"] = _without(shown["verification"], "hypothesis", "telemetry")
    said = {"data": shown.pop("data")} if "data" in shown else {}
    return {**said, "memories": memories, **shown}


def _trail(made: dict[str, Any]) -> dict[str, Any]:
    steps = [_without(_item(step), "thought_type", "depth") for step in made.get("steps", ())]
    return {**_without(made, "namespace", "direction"), "steps": steps}


def _remembered(made: dict[str, Any]) -> dict[str, Any]:
    """Ids in the order of the call; of relations their labels, since no core tool takes their ids."""
    shown = {name: value for name, value in _without(made, "namespace").items() if value is not False}
    for name, unused in (("entities", "label"), ("observations", "label"), ("relations", "id")):
        items: list[dict[str, Any]] = [_without(one, unused) for one in shown.pop(name, ())]
        if items:
            shown[name] = [
                {own: value for own, value in one.items() if own != "created" or not value} for one in items
            ]
    return shown


_SHAPES: Final[Mapping[type[Answer], Callable[[dict[str, Any]], dict[str, Any]]]] = {
    SearchResult: _search,
    Context: _context,
    ThinkResult: _think,
    RecallResult: _think,
    RememberResult: _remembered,
    TrailResult: _trail,
}
