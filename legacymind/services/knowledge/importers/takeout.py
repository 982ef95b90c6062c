"""``MyActivity.json`` of Google Takeout, with the prompts and answers of the Gemini apps, the newest first.

A record has no conversation, so those of a day are a session. Its title is the prompt after a verb, its HTML
the answer. Records of other products and of other acts, such as feedback, are skipped.
"""

import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from typing import Any, Final, cast

from legacymind.services.knowledge.importers.jsonl import documents, members
from legacymind.services.knowledge.importers.messages import conversation, session_of
from legacymind.services.knowledge.importers.records import (
    Fault,
    LineNumber,
    ReadLine,
    SkippedMessage,
    SourceFile,
)

_PRODUCT: Final = re.compile("gemini|bard", re.IGNORECASE)
_PROMPT: Final = re.compile(r"(?:Prompted(?: with:)?|Asked(?: Gemini:| Bard:)?|Said|Branched|Answered)\s+")
_ATTACHED: Final = re.compile(r"\s*Attached \d+ files?\.?\s*\Z")
_BLOCKS: Final = frozenset("p div br li tr pre blockquote h1 h2 h3 h4 h5 h6".split())


def read(files: Iterable[SourceFile]) -> Iterator[ReadLine]:
    """Read the activities of files, the oldest first."""
    for file in files:
        days: dict[str, list[tuple[LineNumber, Any]]] = {}
        for place, value, _ in documents(file):
            records = cast("list[Any]", value) if isinstance(value, list) else [value]
            for record in reversed(records):
                try:
                    found = _messages(record)
                except (Fault, SkippedMessage) as reason:
                    yield place, reason
                    continue
                day = str(found[0]["created_at"])[:10]
                days.setdefault(day, []).extend((place, message) for message in found)
        for day, messages in days.items():
            yield from conversation(messages, f"{session_of(file)}-{day}", file, where=f"{day}, ")


def _messages(record: Any) -> list[dict[str, Any]]:
    """The prompt and the answer of a record. Raises Fault and SkippedMessage."""
    if isinstance(record, Fault):
        raise record
    fields = members(record)
    title, time = fields.get("title"), fields.get("time")
    if not isinstance(title, str) or not isinstance(time, str):
        raise Fault("a record has no title or no time")
    if not _PRODUCT.search(f"{fields.get('header')} {fields.get('products')}"):
        raise SkippedMessage("of another product")
    items = fields.get("safeHtmlItem")
    answers = cast("list[Any]", items) if isinstance(items, list) else []
    pieces = [members(item).get("html") for item in answers]
    answer = "\n\n".join(_text(piece) for piece in pieces if isinstance(piece, str)).strip()
    prompt = _PROMPT.match(title)
    if prompt is None and not answer:  # The verbs of other languages are unknown; only prompts have answers.
        raise SkippedMessage("no prompt")
    said = _ATTACHED.sub("", title[prompt.end() if prompt else 0 :])
    spoken = [{"role": "user", "content": said, "created_at": time}]
    return spoken + ([{"role": "model", "content": answer, "created_at": time}] if answer else [])


class _Words(HTMLParser):
    """The words of HTML; blocks are lines."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCKS:
            self.found.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self.handle_starttag(tag, [])

    def handle_data(self, data: str) -> None:
        self.found.append(data)


def _text(html: str) -> str:
    parser = _Words()
    parser.feed(html)
    parser.close()
    return re.sub(r"\n\s*\n", "\n", "".join(parser.found)).strip()
