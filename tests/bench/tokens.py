"""The estimate of tokens beside two real tokenizers: `python -m tests.bench.tokens`.

Needs the package bpe-openai, which brings the vocabularies cl100k_base and o200k_base (75 MB) and is no
dependency. For each kind of text it prints the estimate in per cent of each tokenizer's count: of all texts,
and of the 3rd and the 97th of a hundred. With ``--write`` it writes tests/services/shared/token_counts.json,
by which a test checks the estimate without the package.
"""

import argparse
import json
import random
import re
import uuid
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from legacymind import files
from legacymind.services.shared.budget import tokens

VOCABULARIES = ("cl100k_base", "o200k_base")
COUNTS = Path("tests/services/shared/token_counts.json")
_PART = 1_500
_KEPT = 3
"""Texts of each kind that are written."""


def texts() -> dict[str, list[str]]:
    """Texts of each kind, all from this repository but the ids."""
    return {
        "docs": [part for path in _files("docs/*.md") for part in _parts(_prose(path.read_text()))],
        "thoughts": list(_parts("\n".join(_seed()))),
        "python": [part for path in _files("legacymind/**/*.py") for part in _parts(path.read_text())],
        "cypher": [part for path in _files("cypher/*/*.cypher") for part in _parts(path.read_text())],
        "javascript": [part for path in _files("explorer/**/*.*s") for part in _parts(path.read_text())],
        "answers": list(_answers()),
    }


def _files(pattern: str) -> list[Path]:
    return sorted(path for path in Path().glob(pattern) if "node_modules" not in path.parts)


def _parts(text: str) -> Iterator[str]:
    yield from (text[at : at + _PART] for at in range(0, len(text) - _PART // 2, _PART))


def _prose(text: str) -> str:
    lines = re.sub(r"```.*?```", "", text, flags=re.DOTALL).splitlines()
    return "\n".join(line for line in lines if not line.startswith("|"))


def _seed() -> list[str]:
    lines = [json.loads(line) for line in files.text("seed", "thoughts.jsonl").splitlines()]
    return [line["content"] for line in lines if "content" in line]


def _answers() -> Iterator[str]:
    """Hits as JSON."""
    chance = random.Random(1)
    for _ in range(20):
        hits = [
            {
                "id": str(uuid.UUID(int=chance.getrandbits(128), version=4)),
                "text": chance.choice(_seed())[: chance.choice((100, 200, 400))],
                "score": round(chance.random(), 4),
                "created_at": f"2026-0{chance.randint(1, 9)}-17T12:{chance.randint(10, 59)}:15Z",
                "author": "ada",
            }
            for _ in range(5)
        ]
        yield json.dumps({"hits": hits, "count": 5, "more": False}, separators=(",", ":"))


def main() -> None:
    """Print the table, or write the counts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="write the counts that the test reads")
    package: Any = import_module("bpe_openai")
    encodings = {name: package.get_encoding(name) for name in VOCABULARIES}
    written: list[dict[str, Any]] = []
    write = parser.parse_args().write
    for kind, each in texts().items():
        estimates = np.array([tokens(text) for text in each], dtype=float)
        shown = f"{kind:12}{len(each):6} texts"
        for name, encoding in encodings.items():
            real = np.array([len(encoding.encode(text)) for text in each], dtype=float)
            low, high = np.percentile(estimates / real, [3, 97])
            shown += f"   {name} {estimates.sum() / real.sum():.0%} ({low:.0%} to {high:.0%})"
        print(shown)
        for text in random.Random(2).sample(each, min(_KEPT, len(each))):
            counts = {name: len(encoding.encode(text)) for name, encoding in encodings.items()}
            written.append({"kind": kind, "counts": counts, "text": text})
    if write:
        COUNTS.write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
