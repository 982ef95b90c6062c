"""`install` and `uninstall` change their own entries of a client's files and nothing else."""

import json
import shlex
import sys
import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from legacymind.doors.cli.install import clients
from legacymind.doors.cli.install.clients import CLIENTS
from legacymind.doors.cli.install.command import BACKUP
from legacymind.settings import load_settings
from tests.doors.cli.commands import Done, here

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="other folders")

WITH_HOOKS = [name for name, client in CLIENTS.items() if client.hooks]
WITH_COMMAND = [name for name, client in CLIENTS.items() if client.add]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, also for what computes the folders of settings, where no client is installed."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return tmp_path


def run(home: Path, *arguments: str) -> Done:
    path = f"{home / 'bin'}:/usr/bin:/bin"
    return here({"HOME": str(home), "PATH": path, "XDG_CONFIG_HOME": ""}, *arguments)


def pasted(done: Done, name: str) -> dict[str, Any]:
    """The entry that was printed."""
    if CLIENTS[name].toml:
        _, begin, rest = done.stdout.partition("[mcp_servers.legacymind]\n")
        lines = [line for line in rest.splitlines() if " = " in line and not line.startswith("Changed")]
        return tomllib.loads(begin + "\n".join(lines[:3]))["mcp_servers"]["legacymind"]
    text = done.stdout[done.stdout.index("{") :]
    entry, _ = json.JSONDecoder().raw_decode(text)
    return entry[CLIENTS[name].servers]["legacymind"]


@pytest.mark.parametrize("name", CLIENTS)
def test_without_the_clients_program_the_entry_to_paste_is_printed(home: Path, name: str) -> None:
    done = run(home, "install", name, "--mcp-only", "--profile", "full", "--namespace", "my work")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Add this to {CLIENTS[name].file()}:" in done.stdout
    entry = pasted(done, name)
    assert Path(entry["command"]).is_absolute()
    assert entry["args"] == ["mcp", "--profile", "full", "--namespace", "my work"]
    assert not [path for path in home.rglob("*") if path.is_file()]
    printed = run(home, "install", name, "--print")
    assert pasted(printed, name)["args"] == ["mcp"]
    assert not [path for path in home.rglob("*") if path.is_file()]


@pytest.mark.parametrize("name", WITH_COMMAND)
def test_a_clients_own_command_adds_the_server(home: Path, name: str) -> None:
    client = CLIENTS[name]
    assert client.add is not None
    program = home / "bin" / client.add({"command": "", "args": [], "env": {}})[0]
    program.parent.mkdir()
    script = f'for each in "$@"; do echo "$each"; done >> {home}/called'
    if client.toml:
        script += f"; mkdir -p {client.file().parent}; echo '[mcp_servers.legacymind]' >> {client.file()}"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    done = run(home, "install", name, "--mcp-only", "--namespace", "my work")
    assert f"Added LegacyMind to {client.title}." in done.stdout, done.stderr
    called = (home / "called").read_text(encoding="utf-8")
    assert "my work" in called
    assert "legacymind" in called.splitlines() or '"legacymind"' in called
    if client.toml:
        assert (
            "NEO4J_URI"
            in tomllib.loads(client.file().read_text("utf-8"))["mcp_servers"]["legacymind"]["env_vars"]
        )
        client.file().unlink()
    program.write_text("#!/bin/sh\necho 'no such option' >&2; exit 2\n", encoding="utf-8")
    done = run(home, "install", name, "--mcp-only")
    assert f"{program.name}: no such option" in done.stderr
    assert "Add this to" in done.stdout


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("ours", [True, False])
def test_an_entry_that_is_there_stays_and_only_ours_is_removed(home: Path, name: str, ours: bool) -> None:
    client = CLIENTS[name]
    command, args = (
        ("/x/legacymind", ["mcp", "--namespace", "of-entry"])
        if ours
        else ("docker", ["run", "legacymind/mcp"])
    )
    file = client.file()
    file.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(
        {"theme": "dark", client.servers: {"legacymind": {"command": command, "args": args}, "b": {}}}
    )
    if client.toml:
        text = f"[{client.servers}.legacymind]\ncommand = {json.dumps(command)}\nargs = {json.dumps(args)}\n"
    file.write_text(text, encoding="utf-8")
    assert "which stays as it is" in run(home, "install", name, "--mcp-only").stdout
    if ours and client.hooks is not None:  # hooks are in the namespace of the entry
        assert "--namespace of-entry" in run(home, "install", name, "--print").stdout
    assert file.read_text(encoding="utf-8") == text
    done = run(home, "uninstall", name)
    assert done.returncode == 0, done.stderr
    if not ours:
        assert "runs something else" in done.stdout
        assert file.read_text(encoding="utf-8") == text
    elif client.toml:  # only the client's own command changes it
        assert f"Remove the entry legacymind from {file}." in done.stdout
    else:
        assert json.loads(file.read_text(encoding="utf-8")) == {"theme": "dark", client.servers: {"b": {}}}
        assert file.with_name(file.name + BACKUP).read_text(encoding="utf-8") == text


@pytest.mark.parametrize("name", WITH_HOOKS)
def test_hooks_are_added_and_removed(home: Path, name: str) -> None:
    hooks, skill = CLIENTS[name].hooks, CLIENTS[name].skills() / "legacymind" / "SKILL.md"
    assert hooks is not None
    file = hooks.file()
    event = next(iter(hooks.events))
    mine = {"model": "x", **hooks.base, "hooks": {event: [{"command": "other hook failure"}], "Mine": []}}
    for before in (None, mine):
        if before is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(before), encoding="utf-8")
        for namespace in ("work", "my home"):
            assert run(home, "install", name, "--namespace", namespace).returncode == 0
        added = json.loads(file.read_text(encoding="utf-8"))["hooks"]
        for event, ours in hooks.events.items():
            ending = f"legacymind hook {ours} --namespace 'my home'"
            assert len([each for each in added[event] if ending in json.dumps(each)]) == 1
            assert "--namespace work" not in json.dumps(added)
        assert skill.read_text(encoding="utf-8").startswith("---\nname: legacymind\ndescription: ")
        assert "Changed" not in run(home, "install", name, "--namespace", "my home").stdout
        assert run(home, "uninstall", name).returncode == 0
        assert not skill.parent.exists()
        if before is None:
            assert not file.exists()
        else:
            assert json.loads(file.read_text(encoding="utf-8")) == before
            assert file.with_name(file.name + BACKUP).exists()


def test_run_by_uvx_the_entries_do_not_name_its_cache(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = {"legacymind": "/c/uv/archive-v0/Xy-1/bin/legacymind", "uvx": "/usr/bin/uvx"}
    monkeypatch.setattr("legacymind.doors.cli.run.shutil.which", paths.get)
    origin = '{"url": "https://a.example/x", "vcs_info": {"vcs": "git"}}'
    for told, before in (("", []), (origin, ["--from", "git+https://a.example/x"])):
        monkeypatch.setattr("legacymind.doors.cli.run._noted_origin", partial(str, told))
        entry = pasted(run(home, "install", "cursor"), "cursor")
        assert (entry["command"], entry["args"]) == ("/usr/bin/uvx", [*before, "legacymind", "mcp"])
        ending = " ".join(["/usr/bin/uvx", *before, "legacymind hook session-start"])
        hooks = json.loads((home / ".cursor" / "hooks.json").read_text(encoding="utf-8"))["hooks"]
        assert [each["command"] for each in hooks["sessionStart"]] == [ending]


def test_variables_that_a_client_withholds_are_named(home: Path) -> None:
    codex = pasted(run(home, "install", "codex", "--mcp-only"), "codex")["env_vars"]
    assert {"LEGACYMIND_HOME", "NEO4J_URI", "NEO4J_PASSWORD", "OPENAI_API_KEY"} < {*codex}
    gemini = pasted(run(home, "install", "gemini", "--mcp-only"), "gemini")["env"]
    assert {"NEO4J_PASSWORD", "OPENAI_API_KEY", "LEGACYMIND_CHAIN_KEY"} <= gemini.keys()
    assert all(value == f"${name}" for name, value in gemini.items())
    assert load_settings(dict.fromkeys(gemini, "")) == load_settings({})  # unset variables become blank


def test_claude_code_has_the_tools_at_once_and_not_behind_its_search(home: Path) -> None:
    assert pasted(run(home, "install", "claude-code", "--mcp-only"), "claude-code")["alwaysLoad"] is True


def test_hooks_that_cannot_be_parsed_stop_all_and_are_left_alone(home: Path) -> None:
    file = home / ".cursor" / "hooks.json"
    file.parent.mkdir()
    for content in (b"[]", b'{"hooks": []}', b"{", b"\xff", b'{// mine\n"a": 1}'):
        file.write_bytes(content)
        done = run(home, "install", "cursor")
        assert done.returncode == 7
        assert "They were not changed." in done.stderr
        assert "Add this" not in done.stdout
        assert file.read_bytes() == content


def test_a_link_to_the_hooks_stays_a_link_and_keeps_its_mode(home: Path) -> None:
    kept = home / "dotfiles" / "settings.json"
    kept.parent.mkdir()
    kept.write_text(json.dumps({"model": "x"}), encoding="utf-8")
    kept.chmod(0o600)
    file = home / ".claude" / "settings.json"
    file.parent.mkdir()
    file.symlink_to(kept)
    assert run(home, "install", "claude-code").returncode == 0
    assert file.is_symlink()
    assert json.loads(kept.read_text(encoding="utf-8"))["hooks"]["SessionStart"]
    assert kept.stat().st_mode & 0o777 == 0o600


def test_an_unknown_client_is_named(home: Path) -> None:
    done = run(home, "install", "emacs")
    assert done.returncode == 2
    assert "claude-code" in done.stderr


@pytest.mark.parametrize(
    ("variable", "name", "inside"),
    [
        ("CLAUDE_CONFIG_DIR", "claude-code", ("settings.json", ".claude.json", "skills")),
        ("CODEX_HOME", "codex", ("hooks.json", "config.toml", None)),
        ("GEMINI_CLI_HOME", "gemini", (".gemini/settings.json", ".gemini/settings.json", ".gemini/skills")),
    ],
)
def test_the_folder_that_a_client_is_told_to_use_is_followed(
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    name: str,
    inside: tuple[str, ...],
) -> None:
    client, folder = CLIENTS[name], tmp_path / "other"
    monkeypatch.setenv(variable, str(folder))
    assert client.hooks is not None
    found = (client.hooks.file(), client.file(), client.skills())
    assert [path for path, own in zip(found, inside, strict=True) if own and path != folder / own] == []


def test_a_hook_on_windows_is_understood_by_git_bash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    path = r"C:\Users\Jörg & Co\legacymind.exe"
    command = clients._quoted([path, "hook", "session-start"])  # pyright: ignore[reportPrivateUsage]
    assert shlex.split(command) == ["C:/Users/Jörg & Co/legacymind.exe", "hook", "session-start"]
