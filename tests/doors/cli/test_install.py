"""`install` and `uninstall` change their own entries of a client's files and nothing else."""

import json
import os
import stat
import sys
import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from legacymind.doors.cli.install import jsonc
from legacymind.doors.cli.install.clients import CLIENTS
from legacymind.doors.cli.install.command import BACKUP
from legacymind.settings import load_settings
from tests.doors.cli.commands import Done, here

BEFORE = {
    "json": '{\n    // mine\n    "theme": "dark",\n    "%s": {"other": {"command": "x"}},\n}\n',
    "toml": '# mine\nmodel = "o3"\n\n[%s.other]\ncommand = "x"  # keep\n',
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, also for what computes the folders of settings."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return tmp_path


def run(home: Path, *arguments: str) -> Done:
    return here({"HOME": str(home), "PATH": os.environ["PATH"]}, *arguments)


def settings(file: Path) -> dict[str, Any]:
    text = file.read_text(encoding="utf-8")
    return tomllib.loads(text) if file.suffix == ".toml" else jsonc.read(text)


@pytest.mark.skipif(sys.platform == "win32", reason="other folders")
@pytest.mark.parametrize("name", CLIENTS)
def test_each_client_gets_and_loses_its_entry(home: Path, name: str) -> None:
    client = CLIENTS[name]
    file, (servers,) = client.file(), client.servers
    assert file.is_relative_to(home)
    for before in (None, BEFORE["toml" if client.toml else "json"] % servers):
        if before is not None:
            file.write_text(before, encoding="utf-8")
            file.chmod(0o600)
        printed = run(home, "install", name, "--print")
        assert file.exists() == (before is not None)
        done = run(home, "install", name, "--profile", "full")
        assert (done.returncode, done.stderr) == (0, "")
        assert str(file) in done.stdout
        entry = settings(file)[servers]["legacymind"]
        assert Path(entry["command"]).is_absolute()
        assert entry["args"] == ["mcp", "--profile", "full"]
        assert '"mcp"' in printed.stdout
        if before is not None:
            assert settings(file)[servers]["other"] == {"command": "x"}
            assert "mine" in file.read_text(encoding="utf-8")
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
        changed = file.read_bytes()
        again = run(home, "install", name, "--profile", "full")
        assert "nothing was changed" in again.stdout
        assert file.read_bytes() == changed
        assert run(home, "uninstall", name).returncode == 0
        if before is None:
            assert not file.exists()
        else:
            assert file.read_text(encoding="utf-8") == before
            copies = file.parent.glob(file.name + BACKUP + "*")
            assert before in [copy.read_text(encoding="utf-8") for copy in copies]
        assert "Removed" not in run(home, "uninstall", name).stdout
        file.parent.mkdir(parents=True, exist_ok=True)
        assert [each.name for each in file.parent.iterdir() if each.name.startswith(".legacymind-")] == []


@pytest.mark.skipif(sys.platform == "win32", reason="other folders")
@pytest.mark.parametrize("name", [name for name, client in CLIENTS.items() if client.hooks])
def test_hooks_are_added_and_removed(home: Path, name: str) -> None:
    hooks, skill = CLIENTS[name].hooks, CLIENTS[name].skills() / "legacymind" / "SKILL.md"
    assert hooks is not None
    file = hooks.file()
    printed = run(home, "install", name, "--print").stdout
    assert f"--- {file}\n" in printed
    assert f"--- {skill}\n---\nname: legacymind\n" in printed
    assert list(home.iterdir()) == []
    others = f'"{next(iter(hooks.events))}": [{{"command": "other hook failure"}}]'
    before = f'{{ // mine\n  "model": "x",\n  "hooks": {{{others}}}\n}}\n'
    for text in (None, before):
        if text is not None:
            file.write_text(text, encoding="utf-8")
        assert run(home, "install", name).returncode == 0
        added = settings(file)["hooks"]
        for event, ours in hooks.events.items():
            ending = f'legacymind hook {ours}"'
            assert len([each for each in added[event] if ending in json.dumps(each)]) == 1
        assert skill.read_text(encoding="utf-8").startswith("---\nname: legacymind\ndescription: ")
        assert "Added" not in run(home, "install", name).stdout
        moved = file.read_text(encoding="utf-8").replace("legacymind hook", "old/legacymind hook")
        file.write_text(moved, encoding="utf-8")
        assert run(home, "install", name).returncode == 0
        assert "old/legacymind" not in file.read_text(encoding="utf-8")
        assert run(home, "uninstall", name).returncode == 0
        assert not skill.parent.parent.exists()
        if text is None:
            assert not file.exists()
            left = [each for each in home.rglob("*") if each.is_dir() and not any(each.iterdir())]
            assert left == []
        else:
            assert file.read_text(encoding="utf-8") == text
            assert file.with_name(file.name + BACKUP).exists()


@pytest.mark.skipif(sys.platform == "win32", reason="other folders")
def test_run_by_uvx_the_entries_do_not_name_its_cache(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = {"legacymind": "/c/uv/archive-v0/Xy-1/bin/legacymind", "uvx": "/usr/bin/uvx"}
    monkeypatch.setattr("legacymind.doors.cli.run.shutil.which", paths.get)
    origin = '{"url": "https://a.example/x", "vcs_info": {"vcs": "git"}}'
    for told, before in (("", []), (origin, ["--from", "git+https://a.example/x"])):
        monkeypatch.setattr("legacymind.doors.cli.run._noted_origin", partial(str, told))
        assert run(home, "install", "cursor").returncode == 0
        entry = settings(CLIENTS["cursor"].file())["mcpServers"]["legacymind"]
        assert (entry["command"], entry["args"]) == ("/usr/bin/uvx", [*before, "legacymind", "mcp"])
        ending = " ".join(["/usr/bin/uvx", *before, "legacymind hook session-start"])
        hooks = settings(home / ".cursor" / "hooks.json")["hooks"]
        assert [each["command"] for each in hooks["sessionStart"]] == [ending]
    assert run(home, "uninstall", "cursor").returncode == 0
    assert not (home / ".cursor" / "hooks.json").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="other folders")
def test_variables_that_a_client_withholds_are_named(home: Path) -> None:
    for name in ("codex", "gemini", "cursor"):
        assert run(home, "install", name, "--mcp-only").returncode == 0
    codex = settings(CLIENTS["codex"].file())["mcp_servers"]["legacymind"]["env_vars"]
    assert {"LEGACYMIND_HOME", "LEGACYMIND_CONFIG", "NEO4J_URI", "NEO4J_PASSWORD", "OPENAI_API_KEY"} < {
        *codex
    }
    gemini = settings(CLIENTS["gemini"].file())["mcpServers"]["legacymind"]["env"]
    ours = ("CHAIN_KEY", "CHAIN_OLD_KEYS", "CHAIN_KEY_REQUIRED", "SIGNING_KEY_FILE")
    names = ["NEO4J_PASSWORD", "OPENAI_API_KEY", *(f"LEGACYMIND_{name}" for name in ours)]
    assert {name: f"${name}" for name in names} == gemini
    assert load_settings(dict.fromkeys(gemini, "")) == load_settings({})  # unset variables become blank
    assert "env" not in settings(CLIENTS["cursor"].file())["mcpServers"]["legacymind"]


def test_claude_code_has_the_tools_at_once_and_not_behind_its_search(home: Path) -> None:
    assert run(home, "install", "claude-code", "--mcp-only").returncode == 0
    assert settings(CLIENTS["claude-code"].file())["mcpServers"]["legacymind"]["alwaysLoad"] is True


@pytest.mark.skipif(sys.platform == "win32", reason="other folders")
def test_a_skill_that_two_clients_share_stays_until_both_are_uninstalled(home: Path) -> None:
    skill = home / ".agents" / "skills" / "legacymind" / "SKILL.md"
    assert run(home, "install", "zed", "--mcp-only").returncode == 0
    assert not skill.exists()
    for name in ("codex", "zed"):
        assert run(home, "install", name).returncode == 0
    assert run(home, "uninstall", "codex").returncode == 0
    assert skill.exists()
    assert not (home / ".codex" / "hooks.json").exists()
    (skill.parent / "mine.md").write_text("", encoding="utf-8")
    assert run(home, "uninstall", "zed").returncode == 0
    assert [each.name for each in skill.parent.iterdir()] == ["mine.md"]


def test_settings_that_cannot_be_parsed_are_left_alone(home: Path) -> None:
    file = CLIENTS["cursor"].file()
    file.parent.mkdir()
    for content in (b"[]", b'{"mcpServers": []}', b"{", b"\xff"):
        file.write_bytes(content)
        done = run(home, "install", "cursor")
        assert done.returncode == 7
        assert "They were not changed." in done.stderr
        assert file.read_bytes() == content
    codex = CLIENTS["codex"].file()
    codex.parent.mkdir()
    codex.write_text("a = ", encoding="utf-8")
    assert "cannot be parsed" in run(home, "install", "codex").stderr


def test_a_link_to_the_settings_stays_a_link(home: Path) -> None:
    kept = home / "dotfiles" / "claude.json"
    kept.parent.mkdir()
    kept.write_text(json.dumps({"numStartups": 3}), encoding="utf-8")
    file = CLIENTS["claude-code"].file()
    file.symlink_to(kept)
    assert run(home, "install", "claude-code").returncode == 0
    assert file.is_symlink()
    assert json.loads(kept.read_text(encoding="utf-8"))["mcpServers"]["legacymind"]["type"] == "stdio"


def test_an_unknown_client_is_named(home: Path) -> None:
    done = run(home, "install", "emacs")
    assert done.returncode == 2
    assert "claude-code" in done.stderr


def written(name: str, entry: dict[str, Any]) -> Path:
    """A client's settings with an entry of the user's."""
    client = CLIENTS[name]
    (servers,) = client.servers
    text = json.dumps({"theme": "dark", servers: {"legacymind": entry}}, indent=4)
    if client.toml:
        env = "".join(f"{key} = {json.dumps(value)}\n" for key, value in entry.get("env", {}).items())
        text = f"[{servers}.legacymind]  # mine\n" + "".join(
            f"{key} = {json.dumps(value)}\n" for key, value in entry.items() if key != "env"
        )
        text += f"[{servers}.legacymind.env]\n{env}" if env else ""
    client.file().parent.mkdir(parents=True, exist_ok=True)
    client.file().write_text(text, encoding="utf-8")
    return client.file()


@pytest.mark.skipif(sys.platform == "win32", reason="other folders")
@pytest.mark.parametrize("name", CLIENTS)
def test_an_entry_keeps_the_users_variables_members_and_namespace(home: Path, name: str) -> None:
    (servers,) = CLIENTS[name].servers
    env = {"LEGACYMIND_HOME": "/data", "NEO4J_PASSWORD": "$MINE"}
    old = {"command": "/old/legacymind", "args": ["mcp", "--namespace", "work"], "env": env, "timeout": 60}
    file = written(name, old)
    done = run(home, "install", name)
    assert 'Replaced in the entry legacymind: command "/old/legacymind".' in done.stdout
    entry = settings(file)[servers]["legacymind"]
    assert entry["args"] == ["mcp", "--namespace", "work"]
    assert entry["timeout"] == 60
    assert env.items() <= entry["env"].items()
    assert entry["command"] != "/old/legacymind"
    if (hooks := CLIENTS[name].hooks) is not None:
        assert "--namespace work" in hooks.file().read_text(encoding="utf-8")
    assert "Replaced" not in run(home, "install", name).stdout
    changed = run(home, "install", name, "--namespace", "my home", "--profile", "full")
    assert 'args ["mcp", "--namespace", "work"]' in changed.stdout
    args = ["mcp", "--profile", "full", "--namespace", "my home"]
    assert settings(file)[servers]["legacymind"]["args"] == args
    if hooks is not None:
        text = hooks.file().read_text(encoding="utf-8")
        assert "--namespace work" not in text
        assert "--namespace 'my home'" in text
    assert run(home, "uninstall", name).returncode == 0
    assert "legacymind" not in json.dumps(settings(file) if file.exists() else {})


@pytest.mark.skipif(sys.platform == "win32", reason="other folders")
@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize(
    "own",
    [
        {"command": "docker", "args": ["run", "-i", "legacymind/legacymind", "mcp"]},
        {"url": "http://127.0.0.1:8765/mcp"},
    ],
)
def test_an_entry_that_runs_something_else_is_kept(home: Path, name: str, own: dict[str, Any]) -> None:
    file = written(name, own)
    before = file.read_bytes()
    done = run(home, "install", name, "--mcp-only")
    assert "The entry legacymind is yours and was kept" in done.stdout
    assert file.read_bytes() == before
    assert run(home, "uninstall", name).returncode == 0
    assert file.read_bytes() == before


ODD_FILES = {
    "json": [
        "",
        "{}",
        "{ }\n",
        '{"%s":{}}',
        '{"%s":{"other":{"command":"x"},},"hooks":{}}',
        '\ufeff{\r\n\t"%s": { }, // mine\r\n\t"a": [1,  2]\r\n}',
        '{"hooks": {"SessionStart": []}, "%s": {"b": {}, "a": {}}}\n\n',
    ],
    "toml": [
        "",
        "# mine\n",
        "[%s]\n",
        "[%s.other]\ncommand = 'x'  # y\n\n\n",
        '\ufeffmodel = "o3"\r\n[%s.b]\r\nargs = [ "x", ]\r\n',
    ],
}


@pytest.mark.skipif(sys.platform == "win32", reason="other folders")
@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("options", [[], ["--mcp-only"], ["--profile", "full", "--namespace", "work"]])
def test_uninstall_leaves_every_file_byte_for_byte_as_it_was(
    home: Path, name: str, options: list[str]
) -> None:
    client = CLIENTS[name]
    file = client.file()
    file.parent.mkdir(parents=True, exist_ok=True)
    for text in ODD_FILES["toml" if client.toml else "json"]:
        before = (text % client.servers if "%s" in text else text).encode()
        file.write_bytes(before)
        assert run(home, "install", name, *options).returncode == 0
        assert run(home, "install", name).returncode == 0
        assert file.read_bytes() != before
        assert run(home, "uninstall", name).returncode == 0
        assert file.read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="other folders")
def test_uninstall_keeps_what_was_changed_since(home: Path) -> None:
    file = CLIENTS["cursor"].file()
    file.parent.mkdir()
    file.write_text('{"mcpServers":{"other":{}}}', encoding="utf-8")
    assert run(home, "install", "cursor").returncode == 0
    file.write_text(file.read_text(encoding="utf-8").replace('"other"', '"new"'), encoding="utf-8")
    assert run(home, "uninstall", "cursor").returncode == 0
    assert settings(file) == {"mcpServers": {"new": {}}}


@pytest.mark.parametrize(
    "text",
    [
        '{"mcpServers": {}, "mcpServers": {"other": {}}}',
        '{"mcpServers": {"legacymind": {"command": "legacymind"}, "legacymind": {}}}',
    ],
)
def test_a_member_that_is_there_twice_is_named(home: Path, text: str) -> None:
    file = CLIENTS["cursor"].file()
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    for command in ("install", "uninstall"):
        done = run(home, command, "cursor")
        assert done.returncode == 7
        assert "is there twice, at characters" in done.stderr
        assert file.read_text(encoding="utf-8") == text


def test_a_read_only_file_is_left_alone_with_all_others(home: Path) -> None:
    file, hooks = CLIENTS["cursor"].file(), home / ".cursor" / "hooks.json"
    file.parent.mkdir()
    for each in (file, hooks):
        each.write_text("{}", encoding="utf-8")
    hooks.chmod(0o444)
    done = run(home, "install", "cursor")
    assert done.returncode == 7
    assert "hooks.json cannot be written: it is read-only. They were not changed." in done.stderr
    assert [each.read_text(encoding="utf-8") for each in (file, hooks)] == ["{}", "{}"]
    assert "legacymind" in run(home, "install", "cursor", "--print").stdout
