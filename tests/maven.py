"""A Maven repository on the loopback interface, in place of Maven Central."""

import hashlib
import threading
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from legacymind import downloads
from legacymind.downloads import Artifact


class Repository(ThreadingHTTPServer):
    """Serves a folder and records the requested paths; ``silent`` requests are never answered."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        self.silent = False
        self.ended = threading.Event()
        super().__init__(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))

    def put(self, artifact: Artifact, content: bytes) -> str:
        """Publish an artifact, and return the SHA-256 of its content."""
        file = self.file(artifact)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        return hashlib.sha256(content).hexdigest()

    def file(self, artifact: Artifact) -> Path:
        """The published file."""
        folder = self.folder.joinpath(*artifact.group.split("."), artifact.artifact, artifact.version)
        return folder / artifact.file_name


class _Handler(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Repository)
        self.server.asked.append(self.path)
        if self.server.silent:
            self.server.ended.wait(30)
        else:
            super().do_GET()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@contextmanager
def published(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Repository]:
    """Serve a folder as Maven Central, without pauses between attempts."""
    folder.mkdir(parents=True, exist_ok=True)
    monkeypatch.setattr(downloads, "_PAUSE", 0.01)
    with Repository(folder) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        monkeypatch.setattr(downloads, "repository", lambda: f"http://127.0.0.1:{server.server_port}")
        yield server
        server.ended.set()
        server.shutdown()
        thread.join()


def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing listen at the address of Maven Central."""
    monkeypatch.setattr(downloads, "_PAUSE", 0.01)
    monkeypatch.setattr(downloads, "repository", lambda: "http://127.0.0.1:9")
