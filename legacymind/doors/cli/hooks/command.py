"""The command `hook`, which coding agents run at events of a session (docs/interfaces/agents.md).

The command must never disturb the agent. Its exit code is always 0, it has a time limit, and a background
process does the slow work: storing a thought and starting the engine.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from legacymind.calls import calling
from legacymind.doors.cli.hooks import input as hook_input
from legacymind.doors.cli.hooks import prompt
from legacymind.doors.cli.hooks.output import line
from legacymind.doors.cli.hooks.storing import store
from legacymind.doors.cli.listing import examples
from legacymind.settings import Settings, load_settings
from legacymind.settings.load import ignored

if TYPE_CHECKING:  # imported when used: the command answers in a fifth of a second
    from legacymind.mind import Mind
    from legacymind.model.base import Context, Hit

EVENTS: Final = ("session-start", "prompt", "session-end", "failure")
LIMIT: Final = 12.0
"""Seconds after which the command ends in any case."""

CONTEXT_LIMIT: Final = 9.0
"""Seconds to wait for the context. After that, the agent gets ``_LATER`` instead."""

_CONNECT: Final = 3.0
"""Seconds to wait for a connection at the start of a session. Replaces the setting."""

_BACKGROUND: Final = 300.0
_TOKENS: Final = 1_500
_PARTS: Final = {
    "standing": "Standing preferences and instructions",
    "pinned": "Pinned",
    "unresolved": "Unresolved problems",
    "relevant": "Related to this project",
    "recent": "Recent",
}
_USE: Final = (
    'Pass session_id "{session}" to legacymind_think, so that this conversation is one chain. Search with '
    "legacymind_search before you decide; record plans, findings and decisions with legacymind_think, and "
    "how they turned out with record_outcome."
)
_LATER: Final = (
    "LegacyMind, your long-term memory, is starting. Call legacymind_context in half a minute, before you "
    "decide anything.\n\n"
)


# Only exit code 0 is harmless in every client, so click must accept any arguments.
@click.command(
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    epilog=examples("hook session-start"),
)
@click.argument("event", default="", metavar="|".join(EVENTS))
@click.option("--store", "stores", is_flag=True, hidden=True, help="Store the thought in this process.")
@click.option("--namespace", help="Namespace to use. Default: the setting `namespace`.")
def hook(event: str, stores: bool, namespace: str | None) -> None:
    """Answer a hook of a coding agent; `legacymind install` sets them up.

    Reads the client's JSON from standard input. session-start prints the context of the session, prompt
    what the prompt brings to mind, and stores the user's words; session-end stores the agent's last
    answer, and failure a failed tool call in mode stuck. The exit code is always 0: a problem is one line
    on standard error, or of a prompt in hooks.log and in the context.
    """
    if namespace:  # also for the process in the background
        os.environ["LEGACYMIND_NAMESPACE"] = namespace
    try:
        with _limited(_BACKGROUND if stores else LIMIT):
            answer = _handle(event, stores)
    except Exception as reason:  # whatever happens, the agent goes on
        _note(" ".join(str(reason).split())[:500] or type(reason).__name__)
    else:
        if answer:
            click.echo(answer)


def _handle(event: str, stores: bool) -> str | None:
    if event not in EVENTS:
        raise hook_input.Unknown(f"the event {event[:40]!r} is none of {', '.join(EVENTS)}")
    if event == "prompt" and not stores:  # with other arguments; alone it does not come here (__main__.py)
        prompt.main()
        return None
    told = hook_input.read(prompt.decoded(sys.stdin.buffer.read()))
    if event == "session-start":
        members = dict(told.members)
        with _limited(CONTEXT_LIMIT, prompt.output(members, _later(told))):
            return prompt.output(members, _context_of(told, load_settings()))
    if stores:
        _store(event, told, load_settings())
    elif event == "session-end" or told.failure() is not None:
        sent = hook_input.passed_on(told)
        try:
            prompt.ask(prompt.settings(), event, sent)
        except OSError:  # with a key of its own, it is stored once
            in_background(["hook", event, "--store"], load_settings(), sent)
    return None


def _context_of(told: hook_input.HookInput, settings: Settings) -> str:
    """The context of the session as text. Without an engine, one is started in the background.

    Raises EngineNotRunning if `legacymind down` stopped it, or if it was never set up.
    """
    from legacymind.engine import Engine

    if not settings.neo4j_uri and not (engine := Engine(settings)).status().running:
        engine.check_startable()
        in_background(["context"], settings)  # a read starts the engine
        return _later(told)

    import asyncio

    from legacymind.mind import Mind, limits_of
    from legacymind.observe import observed_by
    from legacymind.services.chain.call_log import CallLog

    async def work() -> str:
        limits = replace(limits_of(settings), connect=_CONNECT, retry=0)
        with observed_by(CallLog(settings)), calling(door="the start of a session", agent=True):
            async with Mind(settings, limits=limits) as mind:
                return await context(mind, told)

    return asyncio.run(work())


async def context(mind: "Mind", told: hook_input.HookInput) -> str:
    """The context of a session as text, set off as data, and how to use the memory."""
    from legacymind.text.fencing import fenced

    arguments = {"query": told.topic, "session_id": told.session, "max_tokens": _TOKENS}
    found: Context = await mind.operations["context"].call(arguments)
    parts: list[str] = []
    for name, title in _PARTS.items():
        hits: list[Hit] = getattr(found, name)
        if hits:
            parts.append("\n".join([f"{title}:", *map(_line, hits)]))
    parts += found.warnings
    memories = fenced("\n\n".join(parts)) if parts else "It has nothing for this project yet."
    notices = "".join(f"Tell the user: {sentence}\n\n" for sentence in ignored())
    return f"LegacyMind, your long-term memory.\n\n{notices}{memories}\n\n{_USE.format(session=told.session)}"


def _later(told: hook_input.HookInput) -> str:
    """The text for a context that is not ready in time. It also names the session."""
    return _LATER + _USE.format(session=told.session)


def _line(hit: "Hit") -> str:
    source: list[str] = []
    if hit.kind == "thought":
        source = [hit.author or "no author", f"session {hit.session_id or 'none'}"]
    return line(hit.id, hit.said_by, hit.text, hit.created_at, source)


def _store(event: str, told: hook_input.HookInput, settings: Settings) -> None:
    import asyncio

    from legacymind.mind import Mind

    async def work() -> None:
        async with Mind(settings) as mind:
            await store(mind, event, told)

    asyncio.run(work())


def in_background(command: list[str], settings: Settings, sent: str = "") -> None:
    """Run a legacymind command in a process that outlives this one and writes its messages to hooks.log."""
    log = settings.home_path / "hooks.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as messages:
        started = subprocess.Popen(
            [sys.executable, "-P", "-m", "legacymind", *command],  # -P: no module of the project's folder
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=messages,
            start_new_session=True,  # the client may end the process group of its hooks
            creationflags=getattr(subprocess, "DETACHED_PROCESS", 0),
        )
    assert started.stdin is not None
    with started.stdin as pipe:
        pipe.write(sent.encode())
    started.returncode = 0  # not waited for; without this, Python warns of it


@contextmanager
def _limited(seconds: float, answer: str | None = None) -> Generator[None]:
    """Print an answer and end the process after some time, even in a thread that cannot be cancelled."""

    def end() -> None:
        _note(f"LegacyMind did not answer within {seconds:g} s")
        if answer:
            print(answer, flush=True)
        os._exit(0)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _note(text: str) -> None:
    print(f"legacymind hook: {text}", file=sys.stderr, flush=True)
