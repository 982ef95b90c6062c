"""A model hub on this machine: one repository of files, for huggingface_hub."""

import hashlib
import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

REVISION = "a" * 40


@contextmanager
def hub(repository: str, files: dict[str, Path]) -> Generator[str]:
    """The address of a hub with the repository."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(True)

        def do_HEAD(self) -> None:
            self._answer(False)

        def log_message(self, format: str, *args: object) -> None:
            pass

        def _answer(self, whole: bool) -> None:
            path = unquote(urlsplit(self.path).path)
            if path.startswith(f"/{repository}/resolve/"):
                name = path.split("/resolve/", 1)[1].split("/", 1)[1]
                if name not in files:
                    return self._send(404, b"{}", whole, {"X-Error-Code": "EntryNotFound"})
                content = files[name].read_bytes()
                etag = f'"{hashlib.sha256(content).hexdigest()}"'
                return self._send(200, content, whole, {"ETag": etag, "X-Repo-Commit": REVISION})
            if path.startswith(f"/api/models/{repository}/tree/"):
                return self._send(200, json.dumps(listed()).encode(), whole, {})
            if path.startswith(f"/api/models/{repository}"):
                told = {"id": repository, "sha": REVISION, "siblings": [{"rfilename": n} for n in files]}
                return self._send(200, json.dumps(told).encode(), whole, {})
            return self._send(404, b"{}", whole, {"X-Error-Code": "RepoNotFound"})

        def _send(self, status: int, content: bytes, whole: bool, more: dict[str, str]) -> None:
            self.send_response(status)
            headers = {"Content-Type": "application/json", "Content-Length": str(len(content))} | more
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            if whole:
                self.wfile.write(content)

    def listed() -> list[dict[str, object]]:
        return [
            {"type": "file", "oid": "0" * 40, "size": file.stat().st_size, "path": name}
            for name, file in files.items()
        ]

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
