"""The hook of a prompt: asks a running `legacymind mcp` what the prompt brings to mind, and prints it.

A client waits for this program at every prompt, so it imports nothing but a little of the standard library,
and every failure is silence: a line in hooks.log. `helper` is the other side.
"""

import json
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

LIMIT: Final = 5.0
"""Seconds after which the program ends in any case: `legacymind mcp` may be starting at the first prompt."""

ANSWER: Final = 1.0
"""Seconds in which a warm process answers."""

FOLDER: Final = ("run", "prompts")
"""The folder of the processes that answer, in the home."""

OTHERS: Final = b"-"
"""The answer of a process with another memory than that of the hook."""

OPEN: Final = frozenset({"namespace"})
"""What a project that the user does not trust may set of these settings."""

_LOG: Final = "hooks.log"


def main() -> None:
    """Answer one prompt. The exit code is always 0."""
    known: dict[str, Any] = {}

    def end() -> None:
        _note(known, f"no answer within {LIMIT:g} s")
        os._exit(0)

    timer = threading.Timer(LIMIT, end)
    timer.daemon = True
    timer.start()
    try:
        known |= settings()
        answer = ask(known, sys.stdin.buffer.read())
    except Exception as reason:  # whatever happens, the prompt goes on
        _note(known, " ".join(str(reason).split())[:500] or type(reason).__name__)
    else:
        timer.cancel()  # half an answer would be worse than none
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()
    finally:
        timer.cancel()


def ask(known: dict[str, Any], sent: bytes) -> bytes:
    """What the newest process with this memory answers; blank if nothing is related.

    Raises OSError if there is none, or if it breaks off.
    """
    request = {name: known.get(name) for name in ("namespace", "neo4j_uri")}
    body = json.dumps(request | {"input": decoded(sent)}).encode()
    for connection in _connections(os.path.join(known["home"], *FOLDER)):
        with connection:
            connection.sendall(body)
            connection.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda: connection.recv(65536), b""))  # noqa: B023  # read at once
        if answer != OTHERS:
            return answer
    raise ConnectionError("no `legacymind mcp` with this memory runs")


def decoded(sent: bytes) -> str:
    """The text of JSON in UTF-8 or, as some clients on Windows send it, with a mark or in UTF-16."""
    return sent.decode(json.detect_encoding(sent), "replace")


def _connections(folder: str) -> Iterator[socket.socket]:
    """Connections to the processes that answer, the newest first."""
    files = list(os.scandir(folder)) if os.path.isdir(folder) else []
    for file in sorted(files, key=lambda entry: -entry.stat().st_mtime):
        with suppress(ConnectionRefusedError, FileNotFoundError):  # it has ended
            yield _connected(file.path)


def _connected(path: str) -> socket.socket:
    """A connection to the process behind a socket."""
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.settimeout(LIMIT)
        connection.connect(path)
    except OSError:
        connection.close()
        raise
    return connection


def settings() -> dict[str, Any]:
    """The home, and the other settings that say which memory is meant, as the settings read them."""
    from legacymind.trust import named_file, sources_of

    known: dict[str, Any] = {}
    file, may_set_all = named_file(os.environ)
    if file is not None:
        import tomllib

        for section in tomllib.loads(file.read_text(encoding="utf-8")).values():
            known |= section if may_set_all else {name: section[name] for name in OPEN & section.keys()}
    variables = {"home": "LEGACYMIND_HOME", "namespace": "LEGACYMIND_NAMESPACE", "neo4j_uri": "NEO4J_URI"}
    given = {each: os.environ[each] for each in variables.values() if os.environ.get(each)}
    foreign = sources_of({each: value for each, value in given.items() if each != variables["namespace"]})
    known |= {name: given[each] for name, each in variables.items() if each in given.keys() - foreign.keys()}
    if not known.get("home"):
        import platformdirs

        known["home"] = platformdirs.user_data_dir("legacymind")
    return known | {"home": os.path.realpath(os.path.expanduser(known["home"]))}


def _note(known: dict[str, Any], problem: str) -> None:
    """Add a line to hooks.log in the home, if there is one."""
    with suppress(OSError, KeyError):
        path = os.path.join(known["home"], _LOG)
        with open(path, "a", encoding="utf-8") as log:
            log.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} legacymind hook prompt: {problem}\n")
