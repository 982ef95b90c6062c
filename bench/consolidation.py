"""Corrected facts of FactConsolidation: `python -m bench.consolidation --data FILE`.

FILE is data/Conflict_Resolution.json of MemoryAgentBench; it is never committed. Each statement of the
smallest single-hop part is remembered by itself, in its order, as a fact about what it is about; a later one
gives another value. Each question is searched: the newest statement that answers it has to come before those
that it corrects. With `--agent`, a script does what the answer of `remember` says: it supersedes a near fact
that begins as the new one does. The namespace is new for each run.
"""

import argparse
import asyncio
import json
import re
import uuid
from dataclasses import replace
from pathlib import Path
from typing import Any

from legacymind.mind import Mind
from legacymind.model.base import ObservationInput

_ABOUT = tuple(
    re.compile(form)
    for form in (
        r"The univeristy where (.+) was educated is ",
        r"The type of music that (.+) plays is ",
        r"The company that produced (.+) is ",
        r"The name of the current head of (?:the |state in )?(.+?)(?: government)? is ",
        r"The [\w ]+? of (.+?) is ",
        r"(.+)'s child is ",
        r"(.+?) (?:is|was|plays|worked|works|died|speaks) ",
    )
)
_PART = "factconsolidation_sh_6k"


def subject(statement: str) -> str:
    """What a statement is about."""
    return next(match[1] for form in _ABOUT if (match := form.match(statement)))


def rivals(answer: str, question: str, statements: list[str]) -> tuple[str, set[str]] | None:
    """The statement that answers a question, and those about the same subject that it corrects."""
    asked = set(re.findall(r"\w+", question.lower()))
    ending = [one for one in statements if one.rstrip(".").endswith(answer)]
    if not ending:
        return None
    newest = max(ending, key=lambda one: len(asked & set(re.findall(r"\w+", one.lower()))))
    frame = newest.rstrip(".").removesuffix(answer)
    return newest, {one for one in statements if one.startswith(frame) and one != newest}


def corrected(new: str, near: str) -> bool:
    """Whether a near fact gives another value: all of it but the end is as in the new one."""
    words, others = new.split(), near.split()
    same = next((n for n, pair in enumerate(zip(words, others, strict=False)) if pair[0] != pair[1]), 0)
    return same >= 0.5 * max(len(words), len(others)) or (
        same >= 3 and words[:same][-1] in ("is", "of", "in")
    )


async def main(parts: list[Any], *, agent: bool) -> None:
    """Print for how many questions the newest statement comes before what it corrects."""
    part = next(one for one in parts if one["metadata"]["source"] == _PART)
    statements = re.findall(r"^\d+\. (.+)$", part["context"], re.MULTILINE)
    namespace = f"consolidation-{uuid.uuid4()}"
    async with Mind() as mind:
        for one in statements:
            fact = ObservationInput(entity=subject(one), content=one)
            result = await mind.remember(observations=[fact], namespace=namespace)
            for near in result.observations[0].near if agent else ():
                if corrected(one, near.content):
                    await mind.remember(observations=[replace(fact, supersedes=near.id)], namespace=namespace)
        asked = first = found = 0
        for question, (answer, *_) in zip(part["questions"], part["answers"], strict=True):
            pair = rivals(answer, question, statements)
            if pair is None or not pair[1]:
                continue
            asked += 1
            hits = [hit.text for hit in (await mind.search(question, limit=20, namespace=namespace)).hits]
            places = {text: place for place, text in enumerate(hits)}
            newest = places.get(pair[0], len(hits))
            older = min(places.get(one, len(hits) + 1) for one in pair[1])
            found += pair[0] in places
            first += newest < older
            if newest >= older:
                print(f"  {question}: {pair[0]} at {newest}, corrected at {older}")
    print(f"{asked} questions: newest found {found}, before what it corrects {first}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--agent", action="store_true")
    given = parser.parse_args()
    asyncio.run(main(json.loads(given.data.read_text()), agent=given.agent))
