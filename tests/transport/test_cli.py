"""The command line as a person uses it: a process, its output, its exit code."""

import json
import os
import stat
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import pytest

Env = dict[str, str]


def legacymind(env: Env, *arguments: str, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "legacymind", *arguments],
        env=env,
        input=stdin,
        capture_output=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def env(real_env: Env) -> Env:
    return real_env | {"LEGACYMIND_NAMESPACE": f"cli-{uuid.uuid4()}"}


def answer(env: Env, *arguments: str, stdin: bytes | None = None) -> dict[str, object]:
    done = legacymind(env, *arguments, "--json", stdin=stdin)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def test_help_lists_every_command_and_operation(env: Env) -> None:
    shown = legacymind(env, "--help").stdout.decode()
    for command in ("demo", "up", "down", "status", "logs", "import", "serve", "mcp"):
        assert f"  {command} " in shown
    for command in ("think", "search", "trail", "verify", "remember"):
        assert f"  {command} " in shown


def test_a_thought_is_stored_and_found_again_by_meaning(env: Env) -> None:
    stored = answer(
        env, "think", "The blue kiln cracks every pot in its first firing.", "--session-id", "kiln"
    )
    assert stored["chained"] is True
    found = answer(env, "search", "Which oven breaks ceramics?")
    hits = found["hits"]
    assert isinstance(hits, list)
    assert hits[0]["text"].startswith("The blue kiln")  # pyright: ignore[reportUnknownMemberType]


def test_a_thought_may_come_from_standard_input_or_a_file(env: Env, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("A note kept in a file – with a dash.", encoding="utf-8")
    answer(env, "think", f"@{note}")
    answer(env, "think", "-", stdin="Ein Gedanke über die Leitung ✓".encode())
    texts = str(answer(env, "search", "note"))
    assert "with a dash" in texts
    assert "✓" in texts


@pytest.mark.parametrize(
    ("arguments", "stdin", "code"),
    [
        (("think", "  "), None, "invalid_input"),
        (("think", "-"), b"\xff\xfe\xfa", "invalid_input"),
        (("think", "-"), b"a" * 200_000, "invalid_input"),
        (("think", "x", "--significance", "lots"), None, "invalid_input"),
        (("trail", "no-such-thought"), None, "not_found"),
        (("verify", "no-such-session"), None, "not_found"),
        (("remember", "--entities", "{not json"), None, "invalid_input"),
        (("remember", "--entities", '[{"nome": "x"}]'), None, "invalid_input"),
    ],
)
def test_bad_input_is_one_error_envelope_and_exit_code_1(
    env: Env, arguments: tuple[str, ...], stdin: bytes | None, code: str
) -> None:
    done = legacymind(env, *arguments, "--json", stdin=stdin)
    assert done.returncode == 1
    error = json.loads(done.stdout)["error"]
    assert error["code"] == code
    assert b"Traceback" not in done.stderr
    spoken = legacymind(env, *arguments, stdin=stdin)
    assert spoken.returncode == 1
    assert spoken.stderr.decode().startswith("Error: ")


def test_an_unknown_option_is_refused(env: Env) -> None:
    done = legacymind(env, "think", "x", "--colour", "red")
    assert done.returncode == 2
    assert b"--colour" in done.stderr


def test_a_broken_chain_is_an_exit_code(env: Env) -> None:
    answer(env, "think", "One.", "--session-id", "s")
    assert legacymind(env, "verify", "s").returncode == 0


def test_a_session_is_read_followed_and_explained(env: Env) -> None:
    answer(env, "remember", "--entities", '[{"name": "Kiln", "description": "cracks every pot"}]')
    first: Any = answer(env, "think", "Why does the kiln crack pots?", "--session-id", "kiln")
    answer(env, "think", "The kiln heats too fast.", "--session-id", "kiln", "--parent-id", "never-thought")
    thread: Any = answer(env, "thread", "--session-id", "kiln", "--limit", "1")
    (thought,) = thread["thoughts"]
    assert first["delegated_result"]["thought_id"] == f"thoughts:{thought['id']}"
    shown = legacymind(env, "thread", "--session-id", "kiln", "--cursor", thread["next_cursor"])
    told = shown.stdout.decode()
    assert "The kiln heats too fast." in told
    assert "1 thoughts, created_at_asc" in told
    follower = told.split()[-4]
    links = legacymind(env, "links", follower).stdout.decode()
    assert f"follows        {thought['id']}" in links
    assert "never-thought  (not there yet)" in links
    why = legacymind(env, "explain", thought["id"]).stdout.decode()
    assert "Kiln: cracks every pot" in why
    assert "via vector" in why
    assert why.splitlines()[-1].startswith("1 recalled.")


def test_status_says_where_everything_is(env: Env) -> None:
    facts = answer(env, "status")
    names = {
        "running",
        "uri",
        "username",
        "password_file",
        "browser_url",
        "version",
        "gds",
        "home",
        "pid",
        "embedding",
    }
    assert set(facts) == names
    assert facts["running"] is True
    password_file = Path(str(facts["password_file"]))
    assert stat.S_IMODE(password_file.stat().st_mode) == 0o600
    password = password_file.read_text(encoding="utf-8").strip()
    assert password not in legacymind(env, "status").stdout.decode()
    assert password not in legacymind(env, "logs").stdout.decode()


def test_import_names_the_line_that_is_wrong_and_stores_nothing(env: Env, tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(
        '{"kind": "header", "format": "legacymind", "version": 1}\n'
        '{"kind": "entity", "name": "Kept back"}\n'
        '{"kind": "entity", "title": "no name"}\n',
        encoding="utf-8",
    )
    done = legacymind(env, "import", str(file))
    assert done.returncode == 1
    assert b"Line 3" in done.stderr
    assert answer(env, "search", "Kept back")["hits"] == []


def test_without_an_engine_commands_say_what_to_do(env: Env, tmp_path: Path) -> None:
    bare = env | {"LEGACYMIND_HOME": str(tmp_path / "home"), "LEGACYMIND_CACHE": str(tmp_path / "cache")}
    done = legacymind(bare, "verify", "s")
    assert done.returncode == 1
    assert b"legacymind up" in done.stderr
    assert json.loads(legacymind(bare, "status", "--json").stdout)["running"] is False


def test_another_neo4j_that_cannot_be_used_is_explained(env: Env) -> None:
    nowhere = legacymind(env | {"NEO4J_URI": "bolt://127.0.0.1:9"}, "verify", "s")
    assert b"No Neo4j answers at bolt://127.0.0.1:9" in nowhere.stderr
    uri = json.loads(legacymind(env, "status", "--json").stdout)["uri"]
    wrong = legacymind(env | {"NEO4J_URI": uri, "NEO4J_PASSWORD": "not-the-password"}, "verify", "s")
    assert b"refused the user name or the password" in wrong.stderr
    assert b"not-the-password" not in wrong.stderr
    assert nowhere.returncode == wrong.returncode == 1


@pytest.mark.skipif(os.name == "nt", reason="a terminal is made with a POSIX pseudo-terminal")
def test_piped_output_has_no_escape_codes(env: Env) -> None:
    done = legacymind(env, "think", "Plain when piped.")
    assert b"\x1b[" not in done.stdout
