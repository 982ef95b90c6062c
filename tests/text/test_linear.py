"""No text freezes the server: what takes foreign text takes time in proportion to its length."""

import gc
import json
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from legacymind.adapters import texts
from legacymind.doors.cli.hooks import transcripts
from legacymind.embed import windows
from legacymind.services.knowledge.importers import formats, markdown_blocks
from legacymind.services.knowledge.importers.records import SourceFile
from legacymind.text import (
    communities,
    error_signature,
    excerpts,
    fencing,
    fulltext,
    hypothesis,
    keys,
    likeness,
    modes,
    passages,
    query_analysis,
    secrets,
    standing,
    summary,
    tags,
    times,
    words,
)
from legacymind.text.frameworks import analyze

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PATTERN = hypothesis.contradiction_regex()


def read(name: str, content: str) -> list[object]:
    """What a format's reader makes of a file."""
    file = SourceFile(f"file.{name}", content.splitlines(keepends=True), "file")
    return [*formats.FORMATS[name].read([file])]


def transcript(text: str) -> object:
    """What a session's end reads of a transcript with a text."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8", errors="replace") as file:
        file.write(json.dumps({"role": "user", "content": text}))
        file.flush()
        return transcripts.last_turn(file.name), transcripts.mended(file.name)


MEMORY = {"type": "entity", "entityType": "x"}
MESSAGE = {"role": "user", "created_at": "2026-01-01T00:00:00Z"}
FUNCTIONS: dict[str, Callable[[str], object]] = {
    "title": excerpts.title,
    "sentences": excerpts.sentences,
    "passage": lambda text: excerpts.Passage(text, ["alpha", "beta"]).within(300),
    "embedding": lambda text: passages.for_embedding(text, technical=False),
    "without_code": lambda text: passages.without_code(text, unclosed=True),
    "error": error_signature.error_signature,
    "mode": lambda text: modes.select(text, None),
    "query": lambda text: query_analysis.analyse(text, ["ada"], NOW),
    "thought": lambda text: query_analysis.analyse_thought(text, "ada", NOW),
    "possible": query_analysis.possible_names,
    "first_person": lambda text: query_analysis.in_first_person(text, ["Ada"]),
    "full_text": lambda text: fulltext.full_text_query("default", text, ""),
    "stems": fulltext.word_stems,
    "other_forms": fulltext.other_forms,
    "words": words.content_words,
    "comparable": words.comparable,
    "normalised": keys.normalised,
    "names": keys.possible_names,
    "says": lambda text: keys.says("ada lovelace", text),
    "labels": lambda text: communities.labels([[communities.Labelled(text)]]),
    "fenced": fencing.fenced,
    "secrets": secrets.without_secrets,
    "windows": lambda text: windows.cut_by_bytes(text, 64),
    "value": texts.shown,
    "standing": standing.is_standing,
    "summary": lambda text: summary.summary([text, "alpha beta"]),
    "stance": lambda text: hypothesis.stance("alpha is beta 7", text, PATTERN),
    "frameworks": lambda text: analyze(text, "question"),
    "blocks": lambda text: [*markdown_blocks.blocks(text)],
    "without_context": transcripts.without_context,
    "transcript": transcript,
    "mixes_scripts": likeness.mixes_scripts,
    "likeness": lambda text: likeness.likeness(text, f"{text[1:]}b"),
    "tags": lambda text: tags.kept_and_dropped(text.split(), "alpha, beta"),
    "times": lambda text: times.read(text, NOW),
    "with_names": lambda text: query_analysis.with_names(text, {"Kate": "emi", "Ada": "Kate"}),
    "named": lambda text: query_analysis.named_authors(text, ["Ada Lovelace", "Kate"]),
    "error_text": error_signature.comparable,
    "format": lambda text: formats.recognised("file", text.encode("utf-8", "replace")),
    **{f"read {name}": lambda text, name=name: read(name, text) for name in formats.FORMATS},
    "memory": lambda text: read("mcp-memory", json.dumps({**MEMORY, "name": text, "observations": [text]})),
    "front": lambda text: read("markdown", f"---\n{text}\n---\nalpha"),
    "message": lambda text: read("messages", json.dumps([{**MESSAGE, "content": text}])),
}

PIECES = [
    *".~`'\"*<[(#\n -/\\|=:;,!?0aÄ火\u0301",
    ". ", "\n ", "- ", "[[", "](", "`a", "a.", "a-", "1.", "1,", ".\"", "~\n", "<a", "a:", "aB",
    "what ", "what name ", "```\n", "~~~\n", "> ```a\n", "<hook_context>", "<legacymind-memory ", "not ",
    "Error: ", "at x.y(z) ", "File \"", "](a.md", "[[a", "because ", "always ", "sk-", "key=", "I'm ",
    "Traceback (most recent call last):\n", "https://a.b/", "2026-01-01 ", "/a/b", "Ada ",
]  # fmt: skip

_SIZES = 4_096, 16_384, 65_536
_FREE = 0.005
"""Seconds below which growth is noise."""


def seconds(function: Callable[[str], object], text: str) -> float:
    """The processor time of this thread: a model's threads may still spin.

    Without collections of garbage, whose time is that of all objects which other tests left.
    """
    gc.disable()
    try:
        begin = time.thread_time()
        function(text)
        return time.thread_time() - begin
    finally:
        gc.enable()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_time_grows_as_the_text_does(name: str) -> None:
    function = FUNCTIONS[name]
    for piece in PIECES:
        texts = [piece * (size // len(piece)) for size in _SIZES]
        least = [seconds(function, text) for text in texts[:2]]
        assert least[1] < 2, f"{name} takes {least[1]:.1f} s for {_SIZES[1]} characters of {piece!r}"
        if least[1] < _FREE or least[1] < 4 * 1.3 * least[0]:
            continue
        least.append(seconds(function, texts[2]))
        for _ in range(9):  # others use the processor too
            if least[2] <= 4 * 1.3 * least[1]:
                break
            least = [min(was, seconds(function, text)) for was, text in zip(least, texts, strict=True)]
        else:
            # What grows too fast grows so on; what only seemed to, on a busy machine, does not.
            longer = piece * (4 * _SIZES[2] // len(piece))
            if least[2] < 1 and min(seconds(function, longer) for _ in range(3)) <= 4 * 1.3 * least[2]:
                continue
            pytest.fail(f"{name} takes {[round(one, 4) for one in least]} s for {_SIZES} of {piece!r}")
