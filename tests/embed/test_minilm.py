"""all-MiniLM-L6-v2 through its public interface: its vectors, and its behaviour under load."""

import asyncio
import math
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import fastembed
import pytest

from legacymind.embed.models import Published
from legacymind.errors import EmbeddingError
from legacymind.settings import Settings

pytestmark = pytest.mark.anyio

NOTES_AND_QUESTIONS = [
    ("We use PostgreSQL 16 as the primary database; Redis only for caching.", "Which database do we use?"),
    ("The deploy pipeline runs on GitHub Actions and pushes to Fly.io.", "How do we deploy?"),
    ("Alice prefers short answers without emojis.", "How should I write answers to Alice?"),
    ("The billing service is written in Go and owned by Marta's team.", "Who owns billing?"),
    ("Timeouts on checkout came from an exhausted connection pool.", "Checkout is timing out again, why?"),
    ("Our sprint planning is every other Tuesday at 10.", "When is sprint planning?"),
    ("The app crashes on Android 14 when the camera is denied.", "Android app crashes opening the camera"),
    ("Bob is allergic to peanuts.", "What food should Bob avoid?"),
    ("The API rate limit is 600 requests per minute per key.", "what is the rate limit of the API"),
    ("We decided against Kubernetes because the team is small.", "Should we move to Kubernetes?"),
]

# One sentence of 254 tokens, which the model reads whole.
FULL_WINDOW = "the river runs past the old mill and the quiet garden " * 23 + "."


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    """The raw cosine of two unit vectors."""
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def furthest(a: Sequence[float], b: Sequence[float]) -> float:
    """The largest difference between two components."""
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


async def test_its_cosines_are_those_published_by_sentence_transformers(minilm: Published) -> None:
    # The three sentences and figures of the Quickstart in sentence-transformers' documentation.
    weather, sunny, stadium = await minilm.embed(
        ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
    )
    assert cosine(weather, sunny) == pytest.approx(0.6660, abs=1e-4)
    assert cosine(weather, stadium) == pytest.approx(0.1046, abs=1e-4)
    assert cosine(sunny, stadium) == pytest.approx(0.1411, abs=1e-4)


async def test_a_question_is_nearest_to_the_note_that_answers_it(minilm: Published) -> None:
    notes = await minilm.embed([note for note, _ in NOTES_AND_QUESTIONS])
    questions = await minilm.embed([question for _, question in NOTES_AND_QUESTIONS])
    scale_2 = minilm.thresholds.knowledge[1]
    reached = 0
    for i, question in enumerate(questions):
        scores = [cosine(question, note) for note in notes]
        assert scores.index(max(scores)) == i
        assert scores[i] > minilm.thresholds.floor
        assert all(score < scale_2 for j, score in enumerate(scores) if j != i)
        reached += scores[i] >= scale_2
    assert reached >= 8


async def test_the_thresholds_of_a_wider_scale_are_never_stricter(minilm: Published) -> None:
    thresholds = minilm.thresholds
    assert list(thresholds.knowledge) == sorted(thresholds.knowledge)
    assert list(thresholds.thoughts) == sorted(thresholds.thoughts, reverse=True)
    assert 0 < thresholds.floor < thresholds.knowledge[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n\t ",
        "\x00\x07",
        "🦊🦊🦊 और हिन्दी",
        "e\u0301te\u0301 \u200b 한국어 日本語の文章。次の文。",
        "def f(x):\n    return {k: v**2 for k, v in x.items() if v != 0}  # squares",
        "[CLS] [SEP] [MASK]",
        "x" * 3000,
        "-" * 3000,
        "漢" * 1000,
    ],
)
async def test_any_text_has_a_unit_vector_of_384_floats(minilm: Published, text: str) -> None:
    (vector,) = await minilm.embed([text])
    assert len(vector) == minilm.info.dimensions == 384
    assert all(type(x) is float for x in vector)
    assert math.fsum(x * x for x in vector) == pytest.approx(1, abs=1e-6)


async def test_a_text_has_the_same_vector_alone_and_among_others(minilm: Published) -> None:
    texts = [note for note, _ in NOTES_AND_QUESTIONS] + ["", "word", FULL_WINDOW, FULL_WINDOW + " And more."]
    together = await minilm.embed(texts)
    for text, vector in zip(texts, together, strict=True):
        (alone,) = await minilm.embed([text])
        assert furthest(alone, vector) < 1e-5


async def test_no_texts_have_no_vectors(minilm: Published) -> None:
    assert await minilm.embed([]) == []


async def test_a_long_text_is_the_mean_of_its_windows_weighted_by_tokens(minilm: Published) -> None:
    short = "A fox sleeps."  # 4 tokens with the full stop
    window, rest, both, twice = await minilm.embed(
        [FULL_WINDOW, short, f"{FULL_WINDOW} {short}", f"{FULL_WINDOW} {FULL_WINDOW}"]
    )
    assert furthest(twice, window) < 1e-5
    mean = [254 * x + 4 * y for x, y in zip(window, rest, strict=True)]
    length = math.sqrt(math.fsum(x * x for x in mean))
    assert furthest(both, [x / length for x in mean]) < 1e-5


@pytest.mark.slow
async def test_a_fact_at_the_end_of_50_kb_is_found_among_other_texts(minilm: Published) -> None:
    people = ["Ana", "Ben", "Carla", "Dev", "Elif"]
    doings = ["opened the shop", "counted the boxes", "answered the mail", "swept the yard"]
    diary = "".join(
        f"On day {i} {people[i % 5]} {doings[i % 4]} before {people[i * 3 % 5]} came. " for i in range(1_200)
    )[:50_000]
    reactor, recipe = await minilm.embed(
        [
            f"{diary} The cooling pump of the reactor failed at midnight.",
            f"{diary} The secret of the cake is a spoon of cardamom.",
        ]
    )
    notes = await minilm.embed([note for note, _ in NOTES_AND_QUESTIONS])
    pump, cake = await minilm.embed(["What failed in the reactor?", "Which spice goes into the cake?"])
    assert cosine(pump, reactor) > cosine(pump, recipe)
    assert cosine(cake, recipe) > cosine(cake, reactor)
    # .22 and .19; with the mean alone .10 and .07, and further behind. See windows.pooled.
    for question, text in ((pump, reactor), (cake, recipe)):
        assert cosine(question, text) > 0.15
        assert sum(cosine(question, note) > cosine(question, text) for note in notes) <= 2


async def test_concurrent_first_calls_load_the_model_once(
    minilm: Published, model_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads = 0

    class Counted(fastembed.TextEmbedding):
        def __init__(self, *args: Any, **options: Any) -> None:
            nonlocal loads
            loads += 1
            super().__init__(*args, **options)

    monkeypatch.setattr(fastembed, "TextEmbedding", Counted)
    fresh = Published(model_settings)
    assert loads == 0
    found = await asyncio.gather(*(fresh.embed([f"call {i}", "same"]) for i in range(8)))
    assert loads == 1
    (same,) = await minilm.embed(["same"])
    for vectors in found:
        assert furthest(vectors[1], same) < 1e-5


async def test_a_query_does_not_wait_for_a_whole_import(minilm: Published) -> None:
    await minilm.embed(["loaded"])
    importing = asyncio.create_task(minilm.embed([f"{i} {FULL_WINDOW}" for i in range(80)]))
    await asyncio.sleep(0.05)
    await minilm.embed(["a query"])
    assert not importing.done()
    importing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await importing


async def test_a_model_that_cannot_be_loaded_is_an_embedding_error(
    minilm: Published, model_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken(fastembed.TextEmbedding):
        def __init__(self, *args: Any, **options: Any) -> None:
            raise RuntimeError("not a model")

    monkeypatch.setattr(fastembed, "TextEmbedding", Broken)
    with pytest.raises(EmbeddingError, match="not a model"):
        await Published(model_settings).embed(["text"])


def test_importing_and_constructing_load_nothing_heavy() -> None:
    program = (
        "import sys\n"
        "from legacymind.embed import make_embedder\n"
        "from legacymind.settings import Settings\n"
        "make_embedder(Settings())\n"
        "heavy = {'numpy', 'onnxruntime', 'fastembed', 'tokenizers', 'huggingface_hub'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
