"""Cost of validating an operation's arguments: ``python -m bench.validation``.

Times think's validation with nine arguments and prints JSON: microseconds a call, the best and the median of
the rounds. The bare method is not called, so no database is needed.
"""

import json
import statistics
import timeit
from typing import Any, Final

from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder

CALLS: Final = 2_000
ROUNDS: Final = 15
ARGUMENTS: Final[dict[str, Any]] = {
    "content": "The pool of connections was full. " * 6,
    "hint": "debug",
    "session_id": "bench",
    "tags": ["plan", "debug"],
    "significance": 0.5,
    "injection_scale": 3,
    "author": "ada",
    "confidence": 0.7,
    "thought_type": "plan",
}


def main() -> None:
    """Print the measurement."""
    arguments = Mind(Settings(), embedder=FakeEmbedder()).operations["think"].arguments
    arguments.validate(ARGUMENTS)
    rounds = timeit.repeat(lambda: arguments.validate(ARGUMENTS), number=CALLS, repeat=ROUNDS)
    micros = [1e6 * seconds / CALLS for seconds in rounds]
    print(json.dumps({"best_us": round(min(micros), 1), "median_us": round(statistics.median(micros), 1)}))


if __name__ == "__main__":
    main()
