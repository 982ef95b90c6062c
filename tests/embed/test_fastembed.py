"""The provider fastembed with a local folder of the real model, and without access to the hub."""

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastembed import TextEmbedding

from legacymind.embed import fastembed_files, make_embedder
from legacymind.embed.fastembed import FastEmbed
from legacymind.embed.models import Published
from legacymind.embed.presets import MINILM
from legacymind.errors import ConfigurationError, DownloadFailed, EmbeddingError
from legacymind.settings import Settings
from tests.embed.fake_hub import hub
from tests.embed.test_minilm import NOTES_AND_QUESTIONS, furthest

pytestmark = pytest.mark.anyio

MINILM_NAME = "sentence-transformers/all-MiniLM-L6-v2"


@pytest.fixture(scope="session")
def folder(minilm: Published) -> Path:
    """The folder of the ONNX model that the provider minilm builds."""
    return minilm.folder


@pytest.fixture
def own(folder: Path, tmp_path: Path) -> Path:
    """The same files as a user's own model, with the configuration files of sentence-transformers."""
    made = tmp_path / "model"
    (made / "onnx").mkdir(parents=True)
    (made / "onnx" / "model.onnx").symlink_to(folder / "model.onnx")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(folder / name, made / name)
    (made / "1_Pooling").mkdir()
    told = {"word_embedding_dimension": 384, "pooling_mode_mean_tokens": True}
    (made / "1_Pooling" / "config.json").write_text(json.dumps(told), encoding="utf-8")
    return made


def given(tmp_path: Path, **more: Any) -> Settings:
    return Settings(embedding_provider="fastembed", cache=str(tmp_path / "cache"), **more)


async def test_a_folder_with_a_model_of_fastembed_has_the_vectors_of_that_model(
    folder: Path, minilm: Published, tmp_path: Path
) -> None:
    embedder = make_embedder(given(tmp_path, embedding_model=MINILM_NAME, embedding_model_path=str(folder)))
    texts = [note for note, _ in NOTES_AND_QUESTIONS] + ["", "long text " * 900]
    for a, b in zip(await embedder.embed(texts), await minilm.embed(texts), strict=True):
        assert furthest(a, b) < 1e-5
    await embedder.fetch()  # nothing to download
    assert (embedder.info.model, embedder.info.dimensions) == (MINILM_NAME, 384)
    assert embedder.thresholds == MINILM


async def test_a_model_that_fastembed_does_not_list_is_pooled_as_its_folder_configures(
    own: Path, minilm: Published, tmp_path: Path
) -> None:
    mean = FastEmbed(given(tmp_path, embedding_model="acme/notes", embedding_model_path=str(own)))
    texts = ["The kettle is of copper.", "Bob is allergic to peanuts."]
    wanted = await minilm.embed(texts)
    for a, b in zip(await mean.embed(texts), wanted, strict=True):
        assert furthest(a, b) < 1e-5
    told = {"word_embedding_dimension": 384, "pooling_mode_cls_token": True}
    (own / "1_Pooling" / "config.json").write_text(json.dumps(told), encoding="utf-8")
    first = FastEmbed(given(tmp_path, embedding_model="acme/notes", embedding_model_path=str(own)))
    assert furthest((await first.embed(texts))[0], wanted[0]) > 0.01
    assert first.info.version != mean.info.version
    again = FastEmbed(given(tmp_path, embedding_model="acme/notes", embedding_model_path=str(own)))
    assert again.info == first.info
    assert len(await again.embed(["registered twice"])) == 1


async def test_other_files_in_the_same_folder_are_another_model(own: Path, tmp_path: Path) -> None:
    settings = given(tmp_path, embedding_model="acme/notes", embedding_model_path=str(own))
    before = FastEmbed(settings).info
    changed = (own / "tokenizer.json").read_text(encoding="utf-8") + "\n"
    (own / "tokenizer.json").write_text(changed, encoding="utf-8")
    assert FastEmbed(settings).info.fingerprint != before.fingerprint


async def test_queries_and_passages_get_their_prefixes_in_every_window(
    own: Path, minilm: Published, tmp_path: Path
) -> None:
    embedder = FastEmbed(
        given(
            tmp_path,
            embedding_model="acme/notes",
            embedding_model_path=str(own),
            embed_query_prefix="query: ",
            embed_passage_prefix="passage: ",
        )
    )
    passage, question = await embedder.embed(["a kettle"]), await embedder.embed(["a kettle"], query=True)
    wanted = await minilm.embed(["passage: a kettle", "query: a kettle"])
    assert furthest(passage[0], wanted[0]) < 1e-5
    assert furthest(question[0], wanted[1]) < 1e-5
    sentence = "the river runs past the old mill and the quiet garden " * 20 + ". "
    (twice,) = await embedder.embed([sentence * 2])
    (once,) = await minilm.embed([f"passage: {sentence}"])
    assert furthest(twice, once) < 1e-4
    assert "-p" in embedder.info.version


@pytest.mark.parametrize(
    ("model", "told"),
    [
        ("bge-small-en-v1.5", r"no model 'bge-small-en-v1\.5'.*BAAI/bge-small-en-v1\.5"),
        ("BAAI/bge-smal-en-v1.5", r"BAAI/bge-small-en-v1\.5"),
        ("nomic-embed-text-v1.5", r"nomic-ai/nomic-embed-text-v1\.5"),
        ("wholly unlike", r"no model 'wholly unlike'"),
        ("Qdrant/constella-zero", "embeds only questions"),
    ],
)
async def test_an_unknown_model_is_rejected_with_similar_names(model: str, told: str, tmp_path: Path) -> None:
    embedder = FastEmbed(given(tmp_path, embedding_model=model))
    for attempt in (embedder.embed(["x"]), embedder.fetch()):
        with pytest.raises(ConfigurationError, match=told):
            await attempt


async def test_a_name_in_other_case_is_the_same_model(tmp_path: Path) -> None:
    default = FastEmbed(given(tmp_path))
    assert (default.info.model, default.info.dimensions) == ("BAAI/bge-small-en-v1.5", 384)
    assert FastEmbed(given(tmp_path, embedding_model="baai/BGE-small-en-v1.5")).info == default.info
    assert not default.thresholds.calibrated
    with pytest.raises(ConfigurationError, match="gives 384 dimensions, not the configured 768"):
        _ = FastEmbed(given(tmp_path, embedding_dimensions=768)).info


async def test_every_text_model_of_fastembed_has_its_dimensions(tmp_path: Path) -> None:
    for model in TextEmbedding.list_supported_models():
        if "constella" in model["model"] or model["model"].startswith("local/"):
            continue
        assert FastEmbed(given(tmp_path, embedding_model=model["model"])).info.dimensions == model["dim"]


@pytest.mark.parametrize(
    ("missing", "told"),
    [("onnx/model.onnx", "lacks model.onnx or"), ("tokenizer.json", "lacks tokenizer.json")],
)
async def test_the_error_for_a_folder_without_a_model_names_the_missing_file(
    missing: str, told: str, own: Path, tmp_path: Path
) -> None:
    (own / missing).unlink()
    embedder = FastEmbed(given(tmp_path, embedding_model="acme/notes", embedding_model_path=str(own)))
    with pytest.raises(ConfigurationError, match=told):
        await embedder.embed(["x"])


async def test_a_missing_folder_is_an_error_and_a_folder_of_another_model_needs_a_name(
    own: Path, tmp_path: Path
) -> None:
    nowhere = FastEmbed(given(tmp_path, embedding_model_path=str(tmp_path / "nope")))
    with pytest.raises(ConfigurationError, match=r"names \S+nope, which is not a folder"):
        await nowhere.embed(["x"])
    unnamed = FastEmbed(given(tmp_path, embedding_model_path=str(own)))
    with pytest.raises(ConfigurationError, match=r"lacks model_optimized\.onnx\.") as caught:
        await unnamed.embed(["x"])
    assert "set LEGACYMIND_EMBEDDING_MODEL to a name of your own" in caught.value.hint


async def test_a_folder_that_does_not_state_its_dimensions_needs_the_setting(
    own: Path, tmp_path: Path
) -> None:
    shutil.rmtree(own / "1_Pooling")
    more: dict[str, Any] = {"embedding_model": "acme/notes", "embedding_model_path": str(own)}
    with pytest.raises(ConfigurationError, match="LEGACYMIND_EMBED_DIM"):
        await FastEmbed(given(tmp_path, **more)).embed(["x"])
    assert len((await FastEmbed(given(tmp_path, embedding_dimensions=384, **more)).embed(["x"]))[0]) == 384
    with pytest.raises(EmbeddingError, match="gives 384 dimensions, not 256"):
        await FastEmbed(given(tmp_path, embedding_dimensions=256, **more)).embed(["x"])


async def test_damaged_files_are_an_embedding_error_that_names_their_folder(
    own: Path, tmp_path: Path
) -> None:
    (own / "onnx" / "model.onnx").unlink()
    (own / "onnx" / "model.onnx").write_bytes(b"no model")
    embedder = FastEmbed(given(tmp_path, embedding_model="acme/notes", embedding_model_path=str(own)))
    with pytest.raises(EmbeddingError, match="acme/notes failed") as caught:
        await embedder.embed(["x"])
    assert str(own) in caught.value.hint


@pytest.fixture
def silent_hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """A hub that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.getsockname()[1]}")
        monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
        yield server


@pytest.mark.slow
async def test_a_silent_hub_is_abandoned_after_one_request(
    silent_hub: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fastembed_files, "_ANSWER", 1)
    with pytest.raises(DownloadFailed, match=r"BAAI/bge-small-en-v1\.5 .* cannot be reached"):
        await FastEmbed(given(tmp_path)).fetch()
    silent_hub.setblocking(False)
    silent_hub.accept()[0].close()
    with pytest.raises(BlockingIOError):  # no retry waits in the queue
        silent_hub.accept()


async def test_cancelling_kills_the_download(
    silent_hub: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[asyncio.subprocess.Process] = []
    start = asyncio.create_subprocess_exec

    async def recorded(*arguments: Any, **options: Any) -> asyncio.subprocess.Process:
        started.append(await start(*arguments, **options))
        return started[0]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", recorded)
    monkeypatch.setattr(fastembed_files, "_ANSWER", 600)
    fetching = asyncio.create_task(FastEmbed(given(tmp_path)).fetch())
    connection, _ = await asyncio.to_thread(silent_hub.accept)
    fetching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await fetching
    connection.close()
    (process,) = started
    assert process.returncode not in (None, 0)  # killed: by itself it always ends with 0


async def test_a_model_is_downloaded_once_and_then_used_without_the_hub(
    folder: Path,
    minilm: Published,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    config = tmp_path / "config.json"
    config.write_text("{}", encoding="utf-8")
    names = ("model.onnx", "tokenizer.json", "tokenizer_config.json")
    files = {name: folder / name for name in names} | {"config.json": config}
    settings = given(tmp_path, embedding_model=MINILM_NAME)
    told: list[tuple[str, int, int]] = []

    def tell(what: str, done: int, of: int) -> None:
        told.append((what, done, of))

    with hub("Qdrant/all-MiniLM-L6-v2-onnx", files) as address:
        monkeypatch.setenv("HF_ENDPOINT", address)
        await FastEmbed(settings).fetch(tell)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    for embedder in (FastEmbed(settings), FastEmbed(settings)):
        await embedder.fetch()
        (vector,) = await embedder.embed(["The kettle is of copper."])
        assert furthest(vector, (await minilm.embed(["The kettle is of copper."]))[0]) < 1e-5
    assert capfd.readouterr() == ("", "")
    assert all(what == fastembed_files.DOWNLOAD and 0 < done <= of for what, done, of in told)


def test_without_the_hub_a_process_reports_the_reason_and_can_end(
    tmp_path: Path,
) -> None:
    program = (
        "import asyncio, psutil, sys, threading\n"
        "from legacymind.embed import make_embedder\n"
        "from legacymind.errors import EmbeddingError\n"
        "from legacymind.settings import load_settings\n"
        "embedder = make_embedder(load_settings())\n"
        "assert not {'numpy', 'fastembed', 'onnxruntime'} & set(sys.modules)\n"
        "try:\n"
        "    asyncio.run(embedder.embed(['x']))\n"
        "except EmbeddingError as reason:\n"
        "    print(reason.what, reason.hint)\n"
        "for thread in threading.enumerate():\n"
        "    if thread.name.startswith('asyncio-waitpid'):\n"  # ends a moment after the process it waits for
        "        thread.join(10)\n"
        "print([thread.name for thread in threading.enumerate()], psutil.Process().children())\n"
    )
    more = {
        "LEGACYMIND_EMBEDDING_PROVIDER": "fastembed",
        "LEGACYMIND_CACHE": str(tmp_path),
        "HF_ENDPOINT": "http://127.0.0.1:9",
        "HF_HUB_OFFLINE": "",
    }
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=os.environ | more
    )
    reason, left = run.stdout.splitlines()
    assert "BAAI/bge-small-en-v1.5" in reason
    assert "cannot be reached" in reason
    for way in ("LEGACYMIND_EMBEDDING_MODEL_PATH", "HF_ENDPOINT", "minilm"):
        assert way in reason
    assert left == "['MainThread'] []"
    assert run.stderr == ""
