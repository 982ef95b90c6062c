"""The file of a backup: what is in it, and what is refused."""

import io
import json
import tarfile
import threading
from pathlib import Path
from typing import Any

import pytest

from legacymind.engine import archive
from legacymind.engine.archive import Manifest
from legacymind.errors import EngineError, InvalidInput
from legacymind.model.progress import no_progress

STORE = "databases/neo4j/neostore"
EMPTY = {"path": STORE, "size": 0, "sha256": "0" * 64}
FILES = {"databases/neo4j/neostore": b"nodes" * 1000, "transactions/neo4j/neostore.transaction.db.0": b"log"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "copy"
    for name, content in FILES.items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_bytes(content)
    return folder


def manifest_of(folder: Path) -> Manifest:
    return Manifest("2026.08.1", "2026-11-23T16:00:00+00:00", archive.digests(folder))


def test_an_unpacked_backup_has_the_same_files_readable_by_their_owner_only(
    folder: Path, tmp_path: Path
) -> None:
    file, target = tmp_path / "file", tmp_path / "target"
    manifest = manifest_of(folder)
    archive.write(file, manifest, folder, no_progress, threading.Event())
    assert archive.read(file, target, no_progress, threading.Event()) == manifest
    assert {name: (target / name).read_bytes() for name in FILES} == FILES
    assert {path.stat().st_mode & 0o777 for path in [file, *target.rglob("*.db.*")]} == {0o600}


def test_a_cancelled_backup_leaves_no_file(folder: Path, tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(EngineError, match="cancelled"):
        archive.write(tmp_path / "file", manifest_of(folder), folder, no_progress, stop)
    assert [path.name for path in tmp_path.iterdir()] == ["copy"]


def packed(tmp_path: Path, manifest: Any, members: dict[str, bytes]) -> Path:
    file = tmp_path / "made"
    listed = manifest if isinstance(manifest, bytes) else json.dumps(manifest).encode()
    with tarfile.open(file, "w:gz") as made:
        for name, content in {"manifest.json": listed, **members}.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            made.addfile(entry, io.BytesIO(content))
    return file


def manifest_with(**changed: Any) -> dict[str, Any]:
    listed = [{"path": name, "size": 1, "sha256": "0" * 64} for name in FILES]
    made = {"neo4j": "2026.08.1", "created_at": "2026-11-23T16:00:00+00:00", "files": listed}
    return {"format": "legacymind-backup", "version": 1, **made, **changed}


@pytest.mark.parametrize(
    ("manifest", "members", "why"),
    [
        (manifest_with(), {STORE: b"x"}, "differs from what was backed up"),
        (manifest_with(), {STORE: b"xy"}, "has 2 bytes instead of 1"),
        (manifest_with(), {}, "neostore is missing"),
        (manifest_with(files=[]), {}, "it has no database"),
        (manifest_with(files=[EMPTY]), {STORE: b""}, "it has no database"),
        (manifest_with(files=[EMPTY | {"size": 1}]), {STORE: b"x"}, "it has no transaction logs"),
        (manifest_with(), {"databases/neo4j/b": b"x"}, "unexpected member"),
        (manifest_with(format="other"), {}, "another format"),
        (manifest_with(version=2), {}, "format version 2"),
        (manifest_with(files=[{"path": "../a", "size": 1, "sha256": ""}]), {}, "outside the database"),
        (
            manifest_with(files=[{"path": "databases/neo4j/../../a", "size": 1, "sha256": ""}]),
            {},
            "outside the database",
        ),
        (manifest_with(files=[{"path": "/databases/neo4j", "size": 1, "sha256": ""}]), {}, "outside"),
    ],
)
def test_a_file_that_was_changed_or_made_by_somebody_else_is_refused(
    tmp_path: Path, manifest: dict[str, Any], members: dict[str, bytes], why: str
) -> None:
    target = tmp_path / "target"
    with pytest.raises(InvalidInput, match=why):
        archive.read(packed(tmp_path, manifest, members), target, no_progress, threading.Event())


NEOSTORE = {"path": "databases/neo4j/neostore", "size": 1, "sha256": "0" * 64}
ODD: list[Any] = [None, True, -1, 0.5, float("nan"), float("inf"), 10**400, "", "\ud800", "x\0", [], [1], {}]


@pytest.mark.parametrize(
    "manifest",
    [
        *ODD,
        b"[" * 100_000,
        b"{\xff}",
        *(manifest_with(**{name: odd}) for name in manifest_with() for odd in ODD if odd != [] and odd != 1),
        *(manifest_with(files=[odd]) for odd in ODD),
        *(manifest_with(files=[NEOSTORE | {name: odd}]) for name in NEOSTORE for odd in ODD),
        manifest_with(files=[NEOSTORE | {"path": "databases/neo4j"}]),
        manifest_with(files=[NEOSTORE | {"path": f"databases/neo4j/{'x' * 999}"}]),
        manifest_with(files=[NEOSTORE, NEOSTORE]),
        manifest_with(files=[NEOSTORE, NEOSTORE | {"path": "databases/neo4j/neostore/x"}]),
    ],
)
def test_an_odd_manifest_is_invalid_input(tmp_path: Path, manifest: Any) -> None:
    file = packed(tmp_path, manifest, {})
    with pytest.raises(InvalidInput) as refused:
        archive.read(file, tmp_path / "target", no_progress, threading.Event())
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 300
    assert not (tmp_path / "target").exists()


@pytest.mark.parametrize("content", [b"", b"not a backup at all", b"\x1f\x8b\x08\x00broken"])
def test_any_other_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(InvalidInput, match="not a complete backup"):
        archive.read(tmp_path / "file", None, no_progress, threading.Event())
