"""The cost of the cognitive frameworks: `python -m tests.bench.frameworks`.

Analyses of prose of 200 B to 100 KB, every profile in turn; writes bench-results/frameworks.json.
"""

import argparse
import json
import random
import statistics
import time
from pathlib import Path

from legacymind.model.base import Submode
from legacymind.text.frameworks import MODES, SUBMODES, analyze
from tests.text.framework_texts import TEXTS

RESULTS = Path("bench-results")
SIZES = (200, 2_000, 20_000, 100_000)


def prose(size: int, dice: random.Random) -> str:
    """A text of ``size`` characters from the texts of the tests, in random order."""
    text = ""
    while len(text) < size:
        text += "\n\n".join(dice.sample([one for one in TEXTS.values() if len(one) < 2_000], 8)) + "\n\n"
    return text[:size]


def measure(size: int, rounds: int) -> dict[str, float]:
    """Milliseconds of one analysis."""
    dice = random.Random(7)
    texts = [prose(size, dice) for _ in range(10)]
    times: list[float] = []
    for n in range(rounds):
        mode = dice.choice(list(MODES))
        submode: Submode | None = dice.choice([None, *SUBMODES])
        start = time.perf_counter()
        analyze(texts[n % len(texts)], mode, None if submode == "adderall" else submode)
        times.append((time.perf_counter() - start) * 1000)
    cuts = statistics.quantiles(times, n=20)
    return {"p50_ms": round(cuts[9], 3), "p95_ms": round(cuts[18], 3)}


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    rounds = parser.parse_args().rounds
    measured = {str(size): measure(size, rounds) for size in SIZES}
    for size, figures in measured.items():
        print(f"{int(size):>8,} B  p50 {figures['p50_ms']:8.3f} ms  p95 {figures['p95_ms']:8.3f} ms")
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "frameworks.json").write_text(json.dumps(measured, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
