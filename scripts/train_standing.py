"""Trains the weights of standing preferences: `python -m scripts.train_standing`.

Logistic regression with an L1 penalty, over n-grams of words, on the sentences of `scripts/data/standing.tsv`
whose part is `train`. It writes `legacymind/text/standing.json` and prints precision and recall on the part
`held`, which training never sees. A sentence that should be recognised, or not, is a new line of the file.
"""

import csv
import json
from pathlib import Path
from typing import Final

import numpy as np

from legacymind.text import standing

_ROOT: Final = Path(__file__).parent.parent
SENTENCES: Final = _ROOT / "scripts/data/standing.tsv"
_PENALTY: Final = 0.0002
_STEPS: Final = 2_500
_RATE: Final = 2.0
_LEAST_COUNT: Final = 2
_MOST: Final = 500


def sentences(part: str) -> list[tuple[str, bool]]:
    """The sentences of a part of the file, and whether each states a standing preference."""
    with SENTENCES.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(row["sentence"], row["standing"] == "1") for row in rows if row["part"] == part]


def train(rows: list[tuple[str, bool]]) -> tuple[dict[str, float], float]:
    """The weights of the n-grams, at most 500, and the constant."""
    grams = [standing.grams(text) for text, _ in rows]
    counts: dict[str, int] = {}
    for own in grams:
        for gram in own:
            counts[gram] = counts.get(gram, 0) + 1
    names = sorted(gram for gram, count in counts.items() if count >= _LEAST_COUNT)
    columns = {gram: n for n, gram in enumerate(names)}
    given = np.zeros((len(rows), len(names)))
    for n, own in enumerate(grams):
        given[n, [columns[gram] for gram in own if gram in columns]] = 1
    wanted = np.array([stated for _, stated in rows], dtype=float)
    weights, constant = np.zeros(len(names)), 0.0
    for _ in range(_STEPS):
        error = 1 / (1 + np.exp(-(given @ weights + constant))) - wanted
        moved = weights - _RATE * (given.T @ error) / len(rows)
        weights = np.sign(moved) * np.maximum(np.abs(moved) - _RATE * _PENALTY, 0)
        constant -= _RATE * float(error.mean())
    strongest = sorted(range(len(names)), key=lambda n: -abs(weights[n]))[:_MOST]
    return {names[n]: round(float(weights[n]), 3) for n in sorted(strongest) if weights[n]}, constant


def main() -> None:
    """Train, write, and print the figures of the held-out part."""
    weights, constant = train(sentences("train"))
    text = json.dumps({"constant": round(constant, 3), "weights": weights}, ensure_ascii=False, indent=0)
    standing.WEIGHTS.write_text(text + "\n", encoding="utf-8")
    held = sentences("held")
    found = [stated for text, stated in held if standing.is_standing(text)]
    known = sum(stated for _, stated in held)
    print(f"{len(weights)} weights; of {known} held out {sum(found)} found, {len(found) - sum(found)} false")


if __name__ == "__main__":
    main()
