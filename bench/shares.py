"""The shares of pairs above a model's thresholds on LoCoMo: `python -m bench.shares --data DIR`.

DIR contains locomo10.json and score_locomo.py, as for bench.locomo. Neither is ever committed; the data
is CC BY-NC. Turns are embedded like thoughts, observations unchanged. Nothing is stored, and no database is
needed. Its output for the default model is REFERENCE in legacymind/services/maintain/calibration.py.
"""

import argparse
import asyncio
import json
import re
from pathlib import Path

import numpy as np

from bench.locomo import lines, load_scorer
from legacymind import settings as settings_module
from legacymind.embed import make_embedder
from legacymind.services.analysis import similarities
from legacymind.services.analysis.similarities import Cosines, Sampled
from legacymind.text.passages import for_embedding


async def pairs(folder: Path) -> tuple[Cosines, Cosines]:
    """The cosines of all turns with each other and with all observations of their conversation, falling."""
    embedder = make_embedder(settings_module.load_settings())
    scorer = load_scorer(folder)
    among: list[Cosines] = []
    between: list[Cosines] = []
    for conversation in json.loads((folder / "locomo10.json").read_text(encoding="utf-8")):
        sample = conversation["sample_id"]
        _, *thoughts = map(json.loads, lines(sample, scorer.turns(conversation["conversation"])))
        observed: list[tuple[str, list[str]]] = [
            (text, [f"{sample}/{turn}" for turn in re.findall(r"D\d+:\d+", str(source))])
            for by_speaker in conversation["observation"].values()
            for observations in by_speaker.values()
            for text, source in observations
        ]
        texts = [for_embedding(thought["content"], technical=False) for thought in thoughts]
        vectors = await embedder.embed(texts + [text for text, _ in observed])
        turns: list[Sampled] = [
            {
                "id": thought["id"],
                "namespace": sample,
                "vector": vector,
                "links": [thought.get("previous_thought_id", "")],
            }
            for thought, vector in zip(thoughts, vectors, strict=False)
        ]
        facts: list[Sampled] = [
            {"id": f"{sample}/o{n}", "namespace": sample, "vector": vector, "links": links}
            for n, ((_, links), vector) in enumerate(zip(observed, vectors[len(turns) :], strict=True))
        ]
        heard, known = similarities.points(turns), similarities.points(facts)
        among.append(similarities.among(heard))
        between.append(similarities.between(heard, known))
        print(f"{sample}: {len(heard)} turns, {len(known)} observations", flush=True)
    return np.sort(np.concatenate(among))[::-1], np.sort(np.concatenate(between))[::-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="where locomo10.json and its scorer are")
    among, between = asyncio.run(pairs(parser.parse_args().data))
    thresholds = make_embedder(settings_module.load_settings()).thresholds
    for name, cosines, values in (
        ("knowledge", between, thresholds.knowledge),
        ("thoughts", among, thresholds.thoughts),
        ("floor", between, (thresholds.floor,)),
    ):
        shares = ", ".join(f"{(cosines >= value).mean():.3g}" for value in values)
        print(f"{name}: {shares} of {len(cosines):,} pairs")


if __name__ == "__main__":
    main()
