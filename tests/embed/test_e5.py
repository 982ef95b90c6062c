"""e5-small-v2: the real model through its public interface."""

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime  # pyright: ignore[reportMissingTypeStubs]
import pytest
from tokenizers import Tokenizer

from legacymind.embed import make_embedder
from legacymind.embed.models import MODELS, Published
from legacymind.errors import ConfigurationError
from legacymind.settings import Settings
from tests.embed.test_minilm import NOTES_AND_QUESTIONS, cosine, furthest

pytestmark = pytest.mark.anyio


def reference(folder: Path, text: str) -> list[float]:
    """The unit mean of the model's last states, straight from onnxruntime."""
    tokens = Tokenizer.from_file(str(folder / "tokenizer.json")).encode(text)
    session: Any = onnxruntime.InferenceSession(
        str(folder / "model.onnx"), providers=["CPUExecutionProvider"]
    )
    inputs = {
        "input_ids": np.array([tokens.ids]),
        "attention_mask": np.array([tokens.attention_mask]),
        "token_type_ids": np.array([tokens.type_ids]),
    }
    (states,) = session.run(["last_hidden_state"], inputs)
    mean = np.asarray(states)[0].mean(axis=0)
    return (mean / np.linalg.norm(mean)).tolist()


async def test_questions_and_passages_get_the_prefixes_of_the_model(e5: Published) -> None:
    (passage,) = await e5.embed(["Bob is allergic to peanuts."])
    (question,) = await e5.embed(["What food should Bob avoid?"], query=True)
    assert furthest(passage, reference(e5.folder, "passage: Bob is allergic to peanuts.")) < 1e-5
    assert furthest(question, reference(e5.folder, "query: What food should Bob avoid?")) < 1e-5


async def test_nine_of_ten_questions_are_nearest_to_the_note_that_answers_them(e5: Published) -> None:
    notes = await e5.embed([note for note, _ in NOTES_AND_QUESTIONS])
    questions = await e5.embed([question for _, question in NOTES_AND_QUESTIONS], query=True)
    nearest = 0
    for i, question in enumerate(questions):
        scores = [cosine(question, note) for note in notes]
        assert scores[i] > e5.thresholds.floor
        nearest += scores.index(max(scores)) == i
    assert nearest == 9  # "Should we move to Kubernetes?" is nearer to the deploy pipeline


async def test_a_thought_reaches_what_is_related_and_not_the_rest(e5: Published) -> None:
    passages = await e5.embed([text for pair in NOTES_AND_QUESTIONS for text in pair])
    notes, questions = passages[::2], passages[1::2]
    t1, t2, t3 = e5.thresholds.knowledge
    related = [cosine(a, b) for a, b in zip(notes, questions, strict=True)]
    others = [cosine(a, b) for i, a in enumerate(notes) for j, b in enumerate(questions) if i != j]
    assert t1 < t2 < t3
    assert sum(score >= t1 for score in related) >= 7
    assert sum(score >= t1 for score in others) <= 2


async def test_long_texts_are_cut_into_windows_that_have_the_prefix_each(e5: Published) -> None:
    sentence = "the river runs past the old mill and the quiet garden " * 45 + ". "
    twice, once = await e5.embed([sentence * 2, sentence])
    assert furthest(twice, once) < 1e-4


async def test_its_vectors_are_those_of_another_model_than_the_default(e5: Published) -> None:
    assert make_embedder(Settings(embedding_provider="e5")).info == e5.info
    assert e5.info.fingerprint != MODELS["minilm"].info.fingerprint
    for other in (Settings(embedding_model="all-MiniLM-L6-v2"), Settings(embedding_dimensions=256)):
        with pytest.raises(ConfigurationError, match="The provider e5 has only the model e5-small-v2"):
            Published(other.changed(embedding_provider="e5"))
    with pytest.raises(ConfigurationError) as caught:
        make_embedder(Settings(embedding_model="e5-small-v2"))
    assert "LEGACYMIND_EMBEDDING_PROVIDER" in caught.value.hint
