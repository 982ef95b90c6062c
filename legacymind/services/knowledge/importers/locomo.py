"""Conversations of two people over several sessions, in the form of the LoCoMo data set.

Each session is a session with the authors and the time of the file; its turns are one second apart. The photo
of a turn is stored as its caption. Questions, summaries and other annotations are not read.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final, cast

from legacymind.services.knowledge.importers.chat import said
from legacymind.services.knowledge.importers.jsonl import documents, members
from legacymind.services.knowledge.importers.records import (
    Fault,
    LineNumber,
    ReadLine,
    SourceFile,
    ThoughtLine,
)

_SESSION: Final = re.compile(r"session_(\d+)")
_MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec"
_TIME: Final = re.compile(
    r"(\d{1,2}):(\d\d)\s*([ap])m on (\d{1,2}) ([a-z]{3})[a-z]*,? (\d{4})", re.IGNORECASE
)


def read(files: Iterable[SourceFile]) -> Iterator[ReadLine]:
    """Read the conversations of files: one sample, or a list of samples."""
    for file in files:
        for place, value, _ in documents(file):
            if isinstance(value, Fault):
                yield place, value
                continue
            samples = cast("list[Any]", value) if isinstance(value, list) else [value]
            for number, sample in enumerate(samples, start=1):
                yield from _sample(place, sample, number)


def _sample(place: LineNumber, sample: Any, number: int) -> Iterator[ReadLine]:
    sessions = members(members(sample).get("conversation"))
    if not sessions:
        yield place, Fault(f"sample {number} has no conversation")
        return
    name = str(members(sample).get("sample_id") or f"conversation-{number}")
    for key in sorted(filter(_SESSION.fullmatch, sessions), key=_number):
        yield from _session(place, f"{name}/{key}", name, sessions[key], sessions.get(f"{key}_date_time"))


def _session(place: LineNumber, session_id: str, name: str, turns: Any, time: Any) -> Iterator[ReadLine]:
    try:
        start = _start(time)
        if not isinstance(turns, list):
            raise Fault("it is no list of turns")
    except Fault as reason:
        yield place, Fault(f"{session_id}: {reason}")
        return
    for index, turn in enumerate(cast("list[Any]", turns)):
        try:
            yield place, _turn(turn, index, session_id, name, start + timedelta(seconds=index))
        except Fault as reason:
            yield place, Fault(f"{session_id}, turn {index + 1}: {reason}")


def _turn(turn: Any, index: int, session_id: str, name: str, time: datetime) -> ThoughtLine:
    fields = members(turn)
    speaker, text, caption = fields.get("speaker"), fields.get("text") or "", fields.get("blip_caption")
    if not isinstance(speaker, str) or not isinstance(text, str):
        raise Fault("its speaker or text is missing")
    if caption:
        text = f"{text} [photo: {caption}]".strip()
    key = f"{name}:{fields.get('dia_id') or f'{session_id}:{index + 1}'}"
    return said(key, session_id, speaker, text, time, human=True, chain_id=name)


def _start(time: object) -> datetime:
    """The time of a session: "1:56 pm on 8 May, 2023". Month names are English, whatever the locale is."""
    found = _TIME.search(time) if isinstance(time, str) else None
    try:
        if found is None:
            raise ValueError
        hour, minute, half, day, month, year = found.groups()
        return datetime(
            int(year),
            _MONTHS.index(month.lower()) // 4 + 1,
            int(day),
            int(hour) % 12 + 12 * (half.lower() == "p"),
            int(minute),
            tzinfo=UTC,
        )
    except ValueError:
        raise Fault("its time has not the form 1:56 pm on 8 May, 2023") from None


def _number(key: str) -> int:
    return int(key.removeprefix("session_"))
