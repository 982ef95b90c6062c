"""The hook of a prompt: asks a running `legacymind mcp` what the prompt brings to mind, and prints it.

A client waits for this program at every prompt, so it imports nothing but a little of the standard library.
Every failure is a line in hooks.log and a sentence in the context. `helper` is the other side.
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

ANSWER: Final = 4.0
"""Seconds in which the process answers, also on a busy machine."""

FOLDER: Final = ("run", "prompts")
"""The folder of the processes that answer, in the home."""

UNANSWERED: Final = (
    "LegacyMind, your long-term memory, did not answer ({}), so this says nothing about what is stored. "
    "Call legacymind_search before you decide."
)

OPEN: Final = frozenset({"namespace"})
"""What a project that the user does not trust may set of these settings."""

_LOG: Final = "hooks.log"


class Unheard(ConnectionError):
    """No process with this memory has taken what was sent."""


def main() -> None:
    """Answer one prompt. The exit code is always 0."""
    known: dict[str, Any] = {}
    told: dict[str, Any] = {}

    def fail(problem: str) -> None:
        if "home" in known:
            note(known["home"], problem)
        if told:
            print(output(told, UNANSWERED.format(problem)), flush=True)

    def end() -> None:
        fail(f"no answer within {LIMIT:g} s")
        os._exit(0)

    timer = threading.Timer(LIMIT, end)
    timer.daemon = True
    timer.start()
    try:
        known |= settings()
        told |= json.loads(decoded(sys.stdin.buffer.read()))
        told["prompt_key"] = str(time.time_ns())  # so that it is stored once, whoever does it
        answer = ask(known, "prompt", json.dumps(told))
    except Exception as reason:  # whatever happens, the prompt goes on
        timer.cancel()
        fail(" ".join(str(reason).split())[:500] or type(reason).__name__)
        if isinstance(reason, Unheard) and told.get("prompt"):
            _keep(told)
    else:
        timer.cancel()  # half an answer would be worse than none
        sys.stdout.write(answer)
        sys.stdout.flush()
    finally:
        timer.cancel()


def ask(known: dict[str, Any], event: str, sent: str) -> str:
    """What the newest process with this memory prints for an event; blank if nothing is related.

    Raises Unheard if there is none, or if it breaks off, and OSError if it has a problem.
    """
    request = {name: known.get(name) for name in ("namespace", "neo4j_uri")}
    body = json.dumps(request | {"event": event, "input": sent}).encode()
    for connection in _connections(os.path.join(known["home"], *FOLDER)):
        with connection:
            connection.sendall(body)
            connection.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda: connection.recv(65536), b""))  # noqa: B023  # read at once
        try:
            answered: dict[str, Any] = json.loads(answer)
        except ValueError:
            raise Unheard("`legacymind mcp` ended") from None
        if "problem" in answered:
            raise OSError(answered["problem"])
        if not answered.get("other"):
            return answered["text"]
    raise Unheard("no `legacymind mcp` with this memory runs")


def output(told: dict[str, Any], text: str) -> str:
    """A text as the client's JSON for context: Cursor's, or that of all others."""
    event = told.get("hook_event_name") or told.get("hookEventName") or "SessionStart"
    members: dict[str, Any] = {"hookEventName": event, "additionalContext": text}
    is_cursor = event[:1].islower()
    return json.dumps({"additional_context": text} if is_cursor else {"hookSpecificOutput": members})


def _keep(told: dict[str, Any]) -> None:
    """Store the prompt in a process in the background."""
    from legacymind.doors.cli.hooks.command import in_background
    from legacymind.settings import load_settings

    settings = load_settings()
    if settings.prompts != "leave":
        in_background(["hook", "prompt", "--store"], settings, json.dumps(told))


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


def note(home: str | os.PathLike[str], problem: str) -> None:
    """Add a line to hooks.log in the home."""
    with suppress(OSError), open(os.path.join(home, _LOG), "a", encoding="utf-8") as log:
        log.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} legacymind hook prompt: {problem}\n")
