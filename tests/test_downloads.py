"""Downloads from a Maven repository: what arrives, what is repeated, and how a failure is explained."""

import ast
import asyncio
import inspect
import os
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest

from legacymind import downloads
from legacymind.downloads import Artifact
from legacymind.errors import DownloadFailed
from tests.maven import Repository, nowhere, published

pytestmark = pytest.mark.anyio

CONTENTS = {"one": b"1" * 10_000, "two": b"2" * 200_000, "three": b"3" * 300}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Repository]:
    with published(tmp_path / "repository", monkeypatch) as server:
        yield server


@pytest.fixture
def artifacts(repository: Repository) -> list[Artifact]:
    made = [Artifact("org.example", name, "1.0", "", "") for name in CONTENTS]
    return [replace(each, sha256=repository.put(each, CONTENTS[each.artifact])) for each in made]


async def fetched(artifacts: list[Artifact], folder: Path) -> list[int]:
    """Download, and return the sizes of the chunks."""
    sizes: list[int] = []
    async with downloads.writing(folder):
        await downloads.fetch(artifacts, folder, sizes.append)
    return sizes


def left(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {".lock"}


async def test_files_arrive_whole_with_their_sizes_and_without_output(
    artifacts: list[Artifact], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    sizes = await fetched(artifacts, tmp_path / "jars")
    assert sum(sizes) == sum(map(len, CONTENTS.values()))
    assert {path.name: path.read_bytes() for path in (tmp_path / "jars").glob("*.jar")} == {
        f"{name}-1.0.jar": content for name, content in CONTENTS.items()
    }
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
async def test_users_who_share_a_cache_can_read_its_files(artifacts: list[Artifact], tmp_path: Path) -> None:
    await fetched(artifacts[:1], tmp_path / "jars")
    (tmp_path / "plain").touch()
    assert (tmp_path / "jars" / "one-1.0.jar").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("arrives", [b"2" * 199_999, b"x" * 200_000, b""], ids=["short", "changed", "empty"])
async def test_another_file_is_refused_after_three_attempts_and_never_kept(
    artifacts: list[Artifact], repository: Repository, tmp_path: Path, arrives: bytes
) -> None:
    repository.put(artifacts[1], arrives)
    sizes: list[int] = []
    async with downloads.writing(tmp_path / "jars"):
        with pytest.raises(DownloadFailed, match=r"two-1\.0\.jar could not be downloaded: another file .*3"):
            await downloads.fetch(artifacts[1:2], tmp_path / "jars", sizes.append)
    assert (len(repository.asked), sum(sizes), left(tmp_path / "jars")) == (3, 0, set())


async def test_the_first_failure_ends_the_rest_and_keeps_what_arrived(
    artifacts: list[Artifact], repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "_PARALLEL", 1)
    repository.file(artifacts[1]).unlink()
    with pytest.raises(DownloadFailed, match=r"two-1\.0\.jar .*answered 404.*Check the network"):
        await fetched(artifacts, tmp_path / "jars")
    assert left(tmp_path / "jars") == {"one-1.0.jar"}
    assert len(repository.asked) == 2


async def test_no_network_is_explained(
    artifacts: list[Artifact], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere(monkeypatch)
    with pytest.raises(DownloadFailed, match=r"the server cannot be reached.*LEGACYMIND_CACHE"):
        await fetched(artifacts, tmp_path / "jars")


async def test_a_cancelled_download_leaves_nothing(
    artifacts: list[Artifact], repository: Repository, tmp_path: Path
) -> None:
    repository.silent = True
    fetching = asyncio.create_task(fetched(artifacts, tmp_path / "jars"))
    while not repository.asked:  # noqa: ASYNC110  # filled by another thread
        await asyncio.sleep(0.01)
    fetching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await fetching
    assert left(tmp_path / "jars") == set()


async def test_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    downloads.part(tmp_path, "folder").mkdir()
    downloads.part(tmp_path, "file").touch()
    async with downloads.writing(tmp_path):
        assert left(tmp_path) == set()


async def test_a_folder_is_written_by_one_task_at_a_time(tmp_path: Path) -> None:
    writing: list[int] = []

    async def write(number: int) -> None:
        async with downloads.writing(tmp_path):
            writing.append(number)
            await asyncio.sleep(0.02)
            assert writing[-1] == number

    await asyncio.gather(*map(write, range(3)))


async def test_a_folder_that_cannot_be_written_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DownloadFailed, match="LEGACYMIND_CACHE"):
        async with downloads.writing(tmp_path / "file"):
            pass


def test_a_reason_names_no_object_of_python() -> None:
    reasons = [
        httpx2.ProxyError("HTTPSConnectionPool"),
        httpx2.ReadTimeout("HTTPSConnectionPool"),
        httpx2.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED]"),
        httpx2.ReadError("HTTPSConnectionPool"),
    ]
    meanings = {downloads.meaning(reason) for reason in reasons}
    assert len(meanings) == 4
    assert not any("Pool" in meaning or "SSL" in meaning for meaning in meanings)


def test_only_a_download_imports_a_client() -> None:
    tree = ast.parse(inspect.getsource(downloads))
    imported = {node.module for node in tree.body if isinstance(node, ast.ImportFrom)}
    assert not imported & {"httpx2", "jgo.constants", "filelock"}
