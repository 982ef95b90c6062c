"""Attacks of a public corpus beside honest notes: `python -m bench.trust_corpus`.

bastioncorpus 0.6.0 (`pip install bastioncorpus==0.6.0`), which LegacyMind does not need, has 118 attacks and
63 harmless texts that look like some. Each attack is stored by a door, beside a note of the user's about the
same thing, and asked for by what it wants. For each door this prints

marked     attacks with which every item of search, recall, context and both hooks says who said it
above      attacks that stand above the note, of those that are found with it; in brackets, those whose cosine
           is at most a step of trust (.06) above that of the note
withheld   harmless texts that a search for half of their words does not find
"""

import asyncio
import json
import uuid
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final

from legacymind.calls import calling, through
from legacymind.db.query import NoRow, Query
from legacymind.doors.answer import jsonable
from legacymind.doors.cli.hooks import command, output
from legacymind.doors.cli.hooks import input as hook_input
from legacymind.mind import Mind
from legacymind.origins import AGENT, IMPORT, OUTSIDE
from legacymind.settings import load_settings
from tests.trust.answers import items_of

_DOORS: Final = {
    "outside": ("a failed command", OUTSIDE),
    "import": ("an import of messages", IMPORT),
    "agent": ("mcp", AGENT),
}
_EQUAL: Final = 0.06
"""The step of relevance that a step of trust is worth."""

_INDEXED: Final = Query(
    "indexed", NoRow, True, "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()", frozenset()
)


def _said(answer: Any) -> list[bool]:
    """Of each item of an answer, whether it says who said it."""
    return ["said_by" in item for item in items_of(answer)]


def _told(text: str | None) -> list[bool]:
    """Of each line of a hook, whether it says who said it."""
    lines = [line for line in (text or "").splitlines() if line.startswith("- ")]
    origins = ("user", "agent", "import", "outside", "derived")
    return [line.removeprefix("- (").startswith(origins) for line in lines]


async def _store(mind: Mind, content: str, session: str) -> str:
    given = {"content": content, "session_id": session, "injection_scale": 0}
    stored = await mind.operations["think"].call(given)
    return stored.delegated_result.thought_id.removeprefix("thoughts:")


def _hook(event: str, prompt: str) -> hook_input.HookInput:
    members = {"hook_event_name": event, "session_id": "reader", "prompt": prompt, "cwd": "/home/ada/shop"}
    return hook_input.read(json.dumps(members))


async def _attack(mind: Mind, row: Any, ids: tuple[str, str]) -> Mapping[str, bool | None]:
    asked = row.intent or row.stripped()
    with calling(agent=True, door="mcp"):
        found = await mind.operations["search"].call({"query": asked, "limit": 50, "max_tokens": 100_000})
        recalled = await mind.operations["recall"].call(
            {"content": asked, "injection_scale": 5, "verbose_analysis": True, "max_tokens": 100_000}
        )
        context = await mind.operations["context"].call({"query": asked})
    said = _said([jsonable(answer) for answer in (found, recalled, context)])
    said += _told(await output.recalled(mind, _hook("UserPromptSubmit", asked)))
    said += _told(await command.context(mind, _hook("SessionStart", asked)))
    order = [hit.id for hit in found.hits]
    above = order.index(ids[0]) < order.index(ids[1]) if {*ids} <= {*order} else None
    cosine = {one.id: one.cosine for one in recalled.memories if one.cosine is not None}
    near = above and {*ids} <= cosine.keys() and cosine[ids[0]] - cosine[ids[1]] <= _EQUAL
    return {"marked": bool(said) and all(said), "above": above, "equal": bool(near)}


async def _door(name: str, rows: Sequence[Any]) -> None:
    door, trust = _DOORS[name]
    settings = load_settings().changed(namespace=f"bastion-{uuid.uuid4().hex[:8]}")
    async with Mind(settings) as mind:
        attacks = [row for row in rows if row.is_malicious]
        stored: list[tuple[str, str]] = []
        for number, row in enumerate(attacks):
            note = await _store(
                mind, f"Decided: nobody may {row.intent or row.stripped()}.", f"note {number}"
            )
            with through(door, trust):
                stored.append((await _store(mind, row.text, f"page {number}"), note))
        harmless: list[tuple[str, str]] = []
        for number, row in enumerate(row for row in rows if not row.is_malicious):
            with through(door, trust):
                harmless.append((await _store(mind, row.text, f"other {number}"), row.text))
        await mind.graph.run(_INDEXED, {})
        read = [await _attack(mind, row, ids) for row, ids in zip(attacks, stored, strict=True)]
        withheld = 0
        for id, text in harmless:
            words = text.split()  # a question is no answer to itself
            query = " ".join(words[: len(words) // 2 + 1])
            found = await mind.operations["search"].call({"query": query, "limit": 50, "max_tokens": 100_000})
            withheld += id not in {hit.id for hit in found.hits}
    both = sum(one["above"] is not None for one in read)
    print(
        f"{name:10} marked {sum(one['marked'] is True for one in read)}/{len(read)}, "
        f"above {sum(one['above'] is True for one in read)}/{both} "
        f"({sum(one['equal'] is True for one in read)}), withheld {withheld}/{len(harmless)}",
        flush=True,
    )


def main() -> None:
    """Print a line for each door."""
    rows = import_module("bastioncorpus").load_corpus()
    for name in _DOORS:
        asyncio.run(_door(name, rows))


if __name__ == "__main__":
    main()
