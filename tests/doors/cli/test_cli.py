"""The command line as a person uses it: what it reads, its output, its exit code."""

import json
import os
import re
import stat
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import pytest

from legacymind.doors.cli import operations
from legacymind.doors.cli.run import read_argument
from legacymind.errors import InvalidInput
from tests.doors.cli.commands import Env, built, here, process


@pytest.fixture
def env(real_env: Env) -> Env:
    return real_env | {"LEGACYMIND_NAMESPACE": f"cli-{uuid.uuid4()}"}


def answer(env: Env, *arguments: str, stdin: bytes | None = None) -> dict[str, object]:
    done = here(env, *arguments, "--json", stdin=stdin)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_help_lists_every_command_and_operation(env: Env) -> None:
    shown = here(env, "--help").stdout
    fixed = {"demo", "up", "down", "status", "logs", "import", "serve", "mcp", "export", "calibrate"}
    unlisted = (fixed | built().keys()) - set(re.findall(r"[\w-]+", shown))
    assert unlisted == {"tool-help"}  # it describes the tools of agents


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("serch", "Did you mean one of: 'search'"), ("verfy", "Did you mean 'verify'?"), ("qqq", "")],
)
def test_a_misspelt_command_names_the_nearest(env: Env, typed: str, meant: str) -> None:
    done = here(env, typed)
    assert done.returncode == 2
    assert f"No such command '{typed}'." in done.stderr
    assert meant in done.stderr
    assert ("Did you mean" in done.stderr) is bool(meant)


@pytest.mark.parametrize("arguments", [("--help",), ("tool-help", "think"), ("search", "kiln"), ("export",)])
@pytest.mark.skipif(sys.platform == "win32", reason="a pipe without a reader is another error there")
@pytest.mark.slow
def test_a_reader_that_stops_reading_is_no_failure(env: Env, arguments: tuple[str, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "legacymind", *arguments]
    done = subprocess.run(command, env=env, stdout=write, stderr=subprocess.PIPE, timeout=180, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_thought_is_stored_and_found_again_by_meaning(env: Env) -> None:
    content = "The blue kiln cracks every pot in its first firing."
    stored = process(env, "think", content, "--session-id", "kiln", "--json")
    assert stored.returncode == 0, stored.stderr
    assert json.loads(stored.stdout)["chained"] is True
    found = here(env, "search", "Which oven breaks ceramics?", "--json")
    assert json.loads(found.stdout)["hits"][0]["text"].startswith("The blue kiln")


def test_search_context_recall_and_think_name_the_revision(env: Env) -> None:
    def think(content: str, *options: str) -> str:
        stored: Any = answer(env, "think", content, "--injection-scale", "0", *options)
        return stored["delegated_result"]["thought_id"].removeprefix("thoughts:")

    old = think("The blue kiln reaches 900 degrees.", "--session-id", "kiln")
    new = think("No, 1100 after the repair.", "--session-id", "repair", "--revises-thought", old)
    for command in (("search",), ("context",), ("recall",), ("think", "--session-id", "now")):
        shown = here(env, command[0], "How hot does the blue kiln get?", *command[1:])
        assert shown.returncode == 0, shown.stderr
        assert f"revised by {new}" in shown.stdout, command
        assert shown.stdout.index("No, 1100") < shown.stdout.index("The blue kiln reaches")


def test_a_thought_may_come_from_standard_input_or_a_file(env: Env, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("A note kept in a file – with a dash.", encoding="utf-8")
    answer(env, "think", f"@{note}")
    piped = process(env, "think", "-", stdin="Ein Gedanke über die Leitung ✓".encode())
    assert piped.returncode == 0, piped.stderr
    assert "\x1b[" not in piped.stdout
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
        (("recall", "  "), None, "invalid_input"),
        (("recall", "x", "--injection-scale", "much"), None, "invalid_input"),
        (("trail", "no-such-thought"), None, "not_found"),
        (("verify", "no-such-session"), None, "not_found"),
        (("remember", "--entities", "{not json"), None, "invalid_input"),
        (("remember", "--entities", '[{"nome": "x"}]'), None, "invalid_input"),
    ],
)
def test_invalid_input_is_one_error_envelope_and_one_exit_code(
    env: Env, arguments: tuple[str, ...], stdin: bytes | None, code: str
) -> None:
    done = here(env, *arguments, "--json", stdin=stdin)
    expected = {"invalid_input": 2, "not_found": 3}[code]
    assert done.returncode == expected
    error = json.loads(done.stdout)["error"]
    assert error["code"] == code
    assert done.stderr == ""
    spoken = here(env, *arguments, stdin=stdin)
    assert spoken.returncode == expected
    assert spoken.stderr.startswith("Error: ")
    assert spoken.stdout == ""


def test_an_error_ends_the_process_without_a_traceback(env: Env) -> None:
    done = process(env, "think", "-", "--json", stdin=b"\xff\xfe\xfa")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["code"] == "invalid_input"
    assert "Traceback" not in done.stderr
    spoken = here(env, "trail", "no-such-thought")
    assert spoken.returncode == 3
    assert spoken.stderr.startswith("Error: ")
    assert "Traceback" not in spoken.stderr


def test_an_unexpected_exception_is_one_message_and_its_traceback_is_in_the_log(
    env: Env, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("private text")

    monkeypatch.setattr(operations, "command", broken)
    monkeypatch.setattr(broken, "cache_clear", lambda: None, raising=False)
    done = here(env | {"LEGACYMIND_HOME": str(tmp_path)}, "think", "x")
    assert done.returncode == 1
    assert "Error: An internal error occurred in LegacyMind." in done.stderr
    assert str(tmp_path / "legacymind.log") in done.stderr
    assert "private text" not in done.stderr
    assert "Traceback" not in done.stderr
    log = (tmp_path / "legacymind.log").read_text(encoding="utf-8")
    assert (tmp_path / "legacymind.log").stat().st_mode & 0o077 == 0
    assert "Traceback (most recent call last)" in log
    assert "RuntimeError: private text" in log
    as_json = here(env | {"LEGACYMIND_HOME": str(tmp_path)}, "think", "x", "--json")
    assert json.loads(as_json.stdout)["error"]["code"] == "internal"


def test_an_interrupted_command_ends_as_in_shells(env: Env, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(operations, "command", interrupted)
    done = here(env, "think", "x")
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "")


def test_stored_texts_cannot_drive_the_terminal(env: Env) -> None:
    stored: Any = answer(
        env, "think", "A title \x1b]0;owned\x07 and \x9b2J a screen\nNext line", "--session", "s"
    )
    own_id = stored["delegated_result"]["thought_id"]
    for command in (("show", own_id), ("tree", "s"), ("thread", "s"), ("search", "title")):
        shown = here(env, *command).stdout
        assert "A title \ufffd]0;owned and \ufffd2J a screen" in shown, command
        assert shown.replace("\n", "").isprintable(), command


def test_stored_texts_cannot_turn_the_direction_of_the_terminal(env: Env) -> None:
    name = "invoice\u202egpj.exe \u2066x\u2069 \x9b2J"
    text = f"The file {name} failed"
    stored: Any = answer(env, "think", text, "--session", "s")
    own_id: str = stored["delegated_result"]["thought_id"]
    for command in (("show", own_id), ("tree", "s"), ("thread", "s"), ("search", "invoice")):
        shown = here(env, *command).stdout
        assert "invoice\ufffdgpj.exe" in shown, command
        assert shown.replace("\n", "").isprintable(), command
        as_json = here(env, *command, "--json").stdout
        assert as_json.replace("\n", "").isprintable(), command
        assert text in json.dumps(json.loads(as_json), ensure_ascii=False), command
    refused = here(env, "think", "x", "--author", name)
    assert "author contains a control character" in refused.stderr
    lost = here(env, "show", f"no\x9bsuch{name}")
    assert lost.returncode
    assert lost.stderr.replace("\n", "").isprintable()


def test_a_file_that_cannot_be_read_is_invalid_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    locked = tmp_path / "locked.txt"
    locked.write_text("x", encoding="utf-8")

    def refuse(_: Path) -> bytes:  # tests may run as root, which may read every file
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(InvalidInput, match=r"locked\.txt cannot be read: Permission denied"):
        read_argument(f"@{locked}")


def test_a_text_that_cannot_be_a_file_name_is_used_as_text() -> None:
    for text in ("@" + "a" * 5_000, "@a\0b"):
        assert read_argument(text) == text


def test_an_unknown_option_is_rejected(env: Env) -> None:
    done = here(env, "think", "x", "--colour", "red")
    assert done.returncode == 2
    assert "--colour" in done.stderr


def test_a_session_is_read_followed_and_explained(env: Env) -> None:
    answer(env, "remember", "--entities", '[{"name": "Kiln", "description": "cracks every pot"}]')
    first: Any = answer(env, "think", "Why does the kiln crack pots?", "--session-id", "kiln")
    answer(env, "think", "The kiln heats too fast.", "--session-id", "kiln", "--parent-id", "never-thought")
    thread: Any = answer(env, "thread", "kiln", "--limit", "1")
    (thought,) = thread["thoughts"]
    assert first["delegated_result"]["thought_id"] == f"thoughts:{thought['id']}"
    assert "The kiln heats too fast." in here(env, "thread", "kiln", "--after", thread["next"]).stdout
    rest: Any = answer(env, "thread", "kiln", "--after", thread["next"])
    follower = rest["thoughts"][0]["id"]
    links = here(env, "links", follower).stdout
    assert f"previous thought id  {thought['id']}" in links
    assert "parent id            never-thought" in links
    assert "parent id            string" in links  # nothing is stored with that id
    why = here(env, "explain", thought["id"]).stdout
    assert "Kiln: cracks every pot" in why
    assert "via vector" in why
    assert why.splitlines()[-1].startswith("1 recalled.")
    assert here(env, "verify", "kiln").returncode == 0


def test_status_shows_all_locations(env: Env) -> None:
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
        "free_disk",
        "training",
        "embedding",
        "mismatch",
        "problem",
    }
    assert set(facts) == names
    assert facts["running"] is True
    password_file = Path(str(facts["password_file"]))
    assert stat.S_IMODE(password_file.stat().st_mode) == 0o600
    password = password_file.read_text(encoding="utf-8").strip()
    assert password not in here(env, "status").stdout
    assert password not in here(env, "logs").stdout


def test_up_and_status_report_a_database_of_another_model(env: Env) -> None:
    answer(env, "think", "Which model made my vector?")
    other = env | {"LEGACYMIND_EMBEDDING_PROVIDER": "openai", "OPENAI_API_KEY": "sk-none"}
    for run in (process, here):  # the engine is up nevertheless, and stays up
        done = run(other, "up")
        assert (done.returncode, "answers at" in done.stdout) == (7, True)
        assert "holds vectors of minilm" in done.stderr
    e5 = env | {"LEGACYMIND_EMBEDDING_PROVIDER": "e5", "LEGACYMIND_CACHE": "/nowhere"}
    done = here(e5, "up")  # ends before it downloads a model that cannot be used
    assert (done.returncode, "holds vectors of minilm" in done.stderr) == (7, True)
    facts = answer(other, "status")
    assert (facts["running"], "holds vectors of minilm" in str(facts["mismatch"])) == (True, True)
    assert "all-MiniLM-L6-v2" in str(facts["embedding"])
    done = here(env, "up")
    assert (done.returncode, done.stderr) == (0, "")
    assert answer(env, "status")["mismatch"] is None


def test_standard_input_is_imported_in_a_recognised_format_or_the_named_one(env: Env) -> None:
    memory = b'{"type": "entity", "name": "Ferry", "entityType": "ship", "observations": ["Red"]}\n'
    assert "Found 1 entity, 1 observation" in here(env, "import", "-", "--dry-run", stdin=memory).stdout
    table = ("import", "-", "--dry-run", "--format", "csv")
    assert "Found 1 entity, 0" in here(env, *table, stdin=b"name\nFerry\n").stdout
    unknown = here(env, "import", "-", "--dry-run", stdin=b"name\nFerry\n")
    assert unknown.returncode == 2
    assert "The format of stdin is not recognised. Name it with --format" in unknown.stderr


def test_import_reports_a_line_that_is_too_long_and_stores_the_rest(env: Env, tmp_path: Path) -> None:
    file = tmp_path / "long.jsonl"
    lines = ['{"kind": "header", "format": "legacymind", "version": 1}']
    lines += [json.dumps({"kind": "entity", "name": "Long", "description": "x" * 102_401})] * 21
    lines += ['{"kind": "entity", "name": "Short teapot"}']
    file.write_text("\n".join(lines), encoding="utf-8")
    dry = here(env, "import", str(file), "--dry-run")
    assert dry.returncode == 1
    assert "Found 1 entity" in dry.stdout
    assert "Line 2 cannot be imported: description is 102,401 bytes" in dry.stderr
    assert "Short teapot" not in str(answer(env, "search", "Short teapot")["hits"])
    done = here(env, "import", str(file))
    assert done.returncode == 1
    assert "New: 1 entity" in done.stdout
    assert "Line 21 was not imported: description is 102,401 bytes" in done.stderr
    assert "Line 22" not in done.stderr
    assert "1 more lines cannot be imported." in done.stderr
    assert "Short teapot" in str(answer(env, "search", "Short teapot")["hits"])


def test_without_an_engine_commands_give_a_hint(env: Env, tmp_path: Path) -> None:
    bare = env | {"LEGACYMIND_HOME": str(tmp_path / "home"), "LEGACYMIND_CACHE": str(tmp_path / "cache")}
    done = here(bare, "verify", "s")
    assert done.returncode == 6
    assert "legacymind up" in done.stderr
    assert json.loads(here(bare, "status", "--json").stdout)["running"] is False


def test_an_unusable_neo4j_is_explained(env: Env) -> None:
    nowhere = here(env | {"NEO4J_URI": "bolt://127.0.0.1:9"}, "verify", "s")
    assert "No Neo4j answers at bolt://127.0.0.1:9" in nowhere.stderr
    uri = str(answer(env, "status")["uri"])
    wrong = here(env | {"NEO4J_URI": uri, "NEO4J_PASSWORD": "not-the-password"}, "verify", "s")
    assert "rejected the user name or the password" in wrong.stderr
    assert "not-the-password" not in wrong.stderr
    assert (nowhere.returncode, wrong.returncode) == (6, 7)


def test_an_entity_is_shown_and_its_fact_in_full(env: Env) -> None:
    text = "The kiln was built in 1911. " * 60
    stored: Any = answer(
        env,
        "remember",
        "--observations",
        json.dumps([{"entity": "Kiln", "content": text, "source": "plate"}]),
    )
    fact = stored["observations"][0]["id"]
    shown = here(env, "entity", "kiln")
    assert shown.returncode == 0, shown.stderr
    assert "source plate" in shown.stdout
    assert "1 fact, 0 relations" in shown.stdout
    whole = here(env, "show", fact)
    assert text.strip() in whole.stdout
    assert f"observation {fact}" in whole.stdout


@pytest.mark.parametrize(("typed", "kept"), [(b"n\n", True), (b"y\n", False)])
def test_forgetting_shows_what_goes_and_asks_on_a_terminal(
    env: Env, monkeypatch: pytest.MonkeyPatch, typed: bytes, kept: bool
) -> None:
    monkeypatch.setattr(operations, "_on_terminal", lambda: True)
    stored: Any = answer(env, "remember", "--observations", '[{"entity": "Kiln", "content": "It is blue"}]')
    kiln = stored["entities"][0]["id"]
    planned = here(env, "forget", "--subject", "kiln")
    assert "Continue?" not in planned.stderr
    done = here(env, "forget", kiln, "--confirm", stdin=typed)
    assert done.returncode == int(kept)
    for shown in (planned, done):
        assert "1 entity would be forgotten" in shown.stdout
        assert "1 observation would be forgotten" in shown.stdout
    assert "Continue?" in done.stderr
    assert ("1 entity forgotten, SHA-256 " in done.stdout) is not kept
    assert (here(env, "show", kiln).returncode == 0) is kept
    again = here(env, "forget", kiln, "--confirm", "--yes")
    assert "Continue?" not in again.stderr
    assert (again.returncode == 0) is kept


def test_merging_takes_names_with_commas_and_asks_on_a_terminal(
    env: Env, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "_on_terminal", lambda: True)
    names = ["Kiln", "Oven, blue", "Oven, red"]
    answer(env, "remember", "--entities", json.dumps([{"name": name} for name in names]))
    asked = here(env, "merge", *names, stdin=b"n\n")
    assert (asked.returncode, "Oven, red" in asked.stdout) == (1, True)
    assert re.search(r"dry run +yes", asked.stdout)
    done: Any = answer(env, "merge", *names, "--yes")
    assert {one["name"] for one in done["merged"]} == set(names[1:])
    assert json.loads(here(env, "entity", "oven, blue", "--json").stdout)["entity"]["name"] == "Kiln"


def test_redacting_asks_on_a_terminal(env: Env, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "_on_terminal", lambda: True)
    thought: Any = answer(env, "think", "A phone number", "--session-id", "kiln")
    own_id = thought["delegated_result"]["thought_id"]
    assert here(env, "redact", own_id, "asked for", stdin=b"n\n").returncode == 1
    assert "A phone number" in here(env, "show", own_id).stdout
    assert here(env, "redact", own_id, "asked for", stdin=b"y\n").returncode == 0
    assert "(redacted)" in here(env, "show", own_id).stdout


@pytest.mark.skipif(sys.platform == "win32", reason="a link to itself needs a privilege there")
@pytest.mark.parametrize(
    "arguments",
    [
        ("think", "x"),
        ("search", "x"),
        ("token", "list"),
        ("up",),
        ("down",),
        ("backup", "x.backup"),
        ("doctor",),
    ],
)
def test_a_home_that_cannot_be_read_is_named_without_a_traceback(
    env: Env, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    # The home of another user gives the same error, but not to root, who may run the tests.
    for folder in ("run", "data"):
        (tmp_path / folder).symlink_to(tmp_path / folder)
    done = here(env | {"LEGACYMIND_HOME": str(tmp_path)}, *arguments)
    assert done.returncode in (6, 7), done.stderr
    assert f"The home {tmp_path} cannot be" in " ".join((done.stdout + done.stderr).split())
    assert "Traceback" not in done.stderr


def test_an_import_of_an_export_embeds_what_it_stored(env: Env, tmp_path: Path) -> None:
    here(env, "think", "The ferry leaves at nine.")
    file = str(tmp_path / "export.jsonl")
    assert here(env, "export", "--out", file).returncode == 0
    assert here(env, "namespace", "delete", env["LEGACYMIND_NAMESPACE"], "--confirm").returncode == 0
    assert answer(env, "import", file, "--trust")["stored"] == 1
    found: Any = answer(env, "search", "departure of a ship", "--method", "vector")
    assert [hit["text"] for hit in found["hits"]] == ["The ferry leaves at nine."]


def test_sync_shows_its_status_and_otherwise_needs_a_place(env: Env, tmp_path: Path) -> None:
    done = here(env, "sync")
    assert (done.returncode, "Missing argument 'PLACE'" in done.stderr) == (2, True)
    assert answer(env, "sync", "--status")["places"] == []
    answer(env, "sync", str(tmp_path), "--trust")
    found: Any = answer(env, "sync", "--status", str(tmp_path))
    assert [(one["place"], one["trusted"]) for one in found["places"]] == [(str(tmp_path.resolve()), True)]
    assert re.search(r"Places\n  - place .* trusted yes", here(env, "sync", "--status").stdout)
    assert here(env, "sync", "--status", str(tmp_path / "other")).returncode == 3
