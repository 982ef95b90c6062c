"""ZIP archives as they were downloaded: imported like their folders, and never trusted."""

import io
import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legacymind.errors import InvalidInput
from legacymind.services.knowledge.importers import archives
from legacymind.services.knowledge.importers.records import SourceFile, Warned
from legacymind.services.knowledge.importers.sources import opened
from tests.services.knowledge.test_real_files import FILES, PLAN, SAMPLES, read, texts

CLAUDE = (FILES / "claude-ai.json").read_bytes()
CHAT = json.dumps([{"role": "user", "content": "Kept"}]).encode()


def archive(path: Path, files: dict[str, bytes], **how: Any) -> Path:
    with zipfile.ZipFile(path, "w", how.get("compression", zipfile.ZIP_DEFLATED)) as target:
        for name, content in files.items():
            target.writestr(zipfile.ZipInfo(name, (2026, 3, 5, 12, 0, 0)), content, target.compression)
    return path


def test_an_export_is_imported_as_it_was_downloaded(tmp_path: Path) -> None:
    file = archive(
        tmp_path / "data-2026-03-05-batch-0000.zip",
        {
            "conversations.json": CLAUDE,
            "users.json": b'[{"uuid": "u", "full_name": "Ines", "email_address": "ines@example.com"}]',
            "__MACOSX/._conversations.json": b"\0",
            ".DS_Store": b"\0",
            "chat.html": b"<html>",
        },
    )
    name, (warning, *found) = read(file)
    assert name == "messages"
    assert isinstance(warning, Warned)
    assert texts([warning]) == [
        "the file was left out: its format is not recognised, and others are messages"
    ]
    assert texts(found) == [PLAN[0], "skipped: without text", PLAN[1], "user: A pasted log."]


@pytest.mark.parametrize("folder", ["vault", "tables", "claude-code"])
@pytest.mark.parametrize("separator", ["/", "\\"])
def test_an_archive_is_read_like_the_folder_in_it(folder: str, separator: str, tmp_path: Path) -> None:
    files = [file for file in sorted((SAMPLES / folder).rglob("*")) if file.is_file()]
    named = {
        file.relative_to(SAMPLES / folder).as_posix().replace("/", separator): file.read_bytes()
        for file in files
    }
    name, found = read(archive(tmp_path / "download", named))
    expected, records = read(SAMPLES / folder)
    assert (name, [*map(repr, found)]) == (expected, [*map(repr, records)])


def sources(path: Path) -> dict[str, SourceFile]:
    return {source.label: source for source in opened(path, None)[1]}


def test_encrypted_and_damaged_files_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as target:
        target.writestr("kept.json", CHAT)
        target.writestr("locked.json", CHAT)
        target.writestr("torn.json", b'[{"role": "user", "content": "Torn"}]')
    content = bytearray(path.read_bytes().replace(b'"Torn"', b'"Worn"', 1))
    at = content.rindex(b"PK\x01\x02", 0, content.rindex(b"locked.json"))  # its entry in the directory
    content[at + 8] |= 1
    path.write_bytes(content)
    faults = {label: str(source.fault) for label, source in sources(path).items() if source.fault}
    assert faults.keys() == {"locked.json", "torn.json"}
    assert faults["torn.json"] == "it cannot be read (Bad CRC-32 for file 'torn.json')"
    assert "is encrypted, password required" in faults["locked.json"]


def test_an_archive_that_expands_beyond_measure_is_refused(tmp_path: Path) -> None:
    bomb = archive(tmp_path / "a.zip", {"a.json": b" " * 100_000_000})
    with pytest.raises(InvalidInput, match="100,000,000 bytes unpacked, more than 100 times"):
        opened(bomb, None)
    plain = archive(tmp_path / "b.zip", {"a.json": CHAT + b" " * 1_000_000})
    assert sources(plain)["a.json"].fault is None


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"PK\x03\x04" + b"x" * 100])
def test_a_file_that_is_no_archive_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(InvalidInput, match=r"The archive a\.zip cannot be read"):
        opened(tmp_path / "a.zip", None)


@given(data=st.data())
def test_a_damaged_archive_is_refused_or_reported(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archived:
        archived.writestr("a.json", CHAT * 3)
        archived.writestr("b.json", CHAT)
    content = bytearray(target.getvalue())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(4, len(content) - 1))
        content[at] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("zip") / "a.zip"
    path.write_bytes(content)
    try:
        found = [*archives.files(path, {".json"})]
    except InvalidInput:
        return
    for source in found:
        if not source.fault:
            assert "".join(source.lines).encode() in (CHAT * 3, CHAT)


def test_times_of_an_archive_are_read(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", {"a.json": CHAT})
    assert sources(path)["a.json"].modified == datetime(2026, 3, 5, 12, tzinfo=UTC)
