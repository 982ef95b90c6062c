"""Dockerfile, docker-compose.yml and deploy/ agree with the managed engine, the settings and the commands."""

import configparser
import json
import plistlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final

import click
import pytest
import yaml

from legacymind.doors.cli.main import cli
from legacymind.doors.http.process import configuration
from legacymind.engine import config
from legacymind.engine.jars import read_lock
from legacymind.mind import Mind
from legacymind.services.sync.segments import LARGEST
from legacymind.settings import TABLE, Settings
from tests.wire import raw

ROOT: Final = Path(__file__).parent.parent
COMPOSE: Final[dict[str, Any]] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
NEO4J: Final[dict[str, Any]] = COMPOSE["services"]["neo4j"]
SERVICE: Final[dict[str, Any]] = COMPOSE["services"]["legacymind"]
DOCKERFILE: Final = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text(encoding="utf-8"))

COMMANDS: Final = cli.list_commands(click.Context(cli))

OF_THE_IMAGE: Final = {"NEO4J_AUTH", "NEO4J_PLUGINS"}
"""Variables that Neo4j's image reads itself; it turns every other one into a setting."""

OF_THE_MACHINE: Final = re.compile(
    r"server\.(default_listen_address|bolt\.|http\.|https\.|memory\.)|dbms\.security\.auth_max_failed_attempts"
    r"|internal\.dbms\.bolt\.netty_server_shutdown_quiet_period_duration"
)
"""Settings that suit only an engine that nobody but this machine reaches."""


def neo4j_settings() -> dict[str, str]:
    """The settings that Neo4j's image makes of its variables: `__` is an underscore, `_` a dot."""
    variables = {name: text for name, text in NEO4J["environment"].items() if name not in OF_THE_IMAGE}
    return {
        name.removeprefix("NEO4J_").replace("_", ".").replace("..", "_"): text
        for name, text in variables.items()
    }


def managed() -> dict[str, str]:
    """The settings of the managed engine that do not depend on the machine."""
    text = config.neo4j_conf(config.Ports(1, 2), config.MemorySizes(512, 128))
    found = dict(line.split("=", 1) for line in text.splitlines() if line and not line.startswith("#"))
    return {name: value for name, value in found.items() if not OF_THE_MACHINE.match(name)}


def test_neo4j_has_the_version_and_the_settings_of_the_managed_engine() -> None:
    assert NEO4J["image"] == f"neo4j:{read_lock().neo4j}"
    assert json.loads(NEO4J["environment"]["NEO4J_PLUGINS"]) == ["graph-data-science"]
    assert len(managed()) > 4
    assert managed().items() <= neo4j_settings().items()


@pytest.mark.anyio
async def test_neo4j_knows_every_setting(mind: Mind) -> None:
    known = {row["name"] for row in await raw(mind, "SHOW SETTINGS YIELD name")}
    # Internal settings are not shown. The managed engine starts with them, and rejects unknown ones.
    assert {name for name in neo4j_settings() if not name.startswith("internal.")} <= known


def test_the_logs_of_neo4j_are_configured_like_those_of_the_managed_engine() -> None:
    own = NEO4J["environment"]["NEO4J_server_logs_config"]
    (mounted,) = [volume for volume in NEO4J["volumes"] if volume.endswith(f":{own}:ro")]
    assert (ROOT / mounted.split(":")[0]).read_text(encoding="utf-8") == config.server_logs()


def test_there_is_no_default_password_and_nothing_is_published_to_other_machines() -> None:
    for service in (NEO4J, SERVICE):
        text = json.dumps(service["environment"])
        assert (
            re.findall(r"\$\{NEO4J_PASSWORD[^}]*", text)
            == re.findall(r"\$\{NEO4J_PASSWORD:\?[^}]+", text)
            != []
        )
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])


def test_the_service_is_built_from_files_that_exist_and_has_known_settings() -> None:
    assert (
        SERVICE["image"]
        == f"legacymind:{tomllib.loads((ROOT / 'pyproject.toml').read_text())['project']['version']}"
    )
    copied = [
        source
        for sources in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
        for source in sources.split()
    ]
    sent = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(copied) == sorted(sent)
    assert all((ROOT / source).exists() for source in copied)
    assert re.findall(r"^USER (\S+)$", DOCKERFILE, re.MULTILINE) == ["legacymind"]
    variables = {each.variable for each in TABLE.values()}
    assert set(re.findall(r"\b(LEGACYMIND_\w+)=", DOCKERFILE)) <= variables
    assert SERVICE["environment"].keys() <= variables
    (command,) = re.findall(r'^CMD \["(\w+)"\]$', DOCKERFILE, re.MULTILINE)
    assert command in COMMANDS


@contextmanager
def answering(status: int) -> Generator[int]:
    """A server that answers every request with a status; yields its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/readyz" else 404)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize(("status", "healthy"), [(200, True), (503, False)])
def test_the_health_check_follows_readyz(status: int, healthy: bool) -> None:
    (command,) = re.findall(r"^HEALTHCHECK .*CMD (\[.+\])$", DOCKERFILE, re.MULTILINE)
    python, *arguments = json.loads(command)
    assert python == "python"
    with answering(status) as port:
        given = [argument.replace(":8787/", f":{port}/") for argument in arguments]
        assert (
            subprocess.run([sys.executable, *given], capture_output=True, check=False).returncode == 0
        ) == healthy


@pytest.mark.parametrize("unit", ["legacymind-engine.service", "legacymind.service"])
def test_the_units_of_systemd_run_commands_that_exist(unit: str) -> None:
    read = configparser.ConfigParser(interpolation=None)
    read.optionxform = str  # pyright: ignore[reportAttributeAccessIssue]
    read.read(ROOT / "deploy" / unit)
    commands = [text.split() for name, text in read["Service"].items() if name in {"ExecStart", "ExecStop"}]
    assert commands
    for program, command in commands:
        assert program == "%h/.local/bin/legacymind"
        assert command in COMMANDS
    needed = read["Unit"].get("Requires", "").split()
    assert all((ROOT / "deploy" / name).is_file() for name in needed)


def test_the_agent_of_launchd_runs_a_command_that_exists() -> None:
    agent = plistlib.loads((ROOT / "deploy" / "legacymind.serve.plist").read_bytes())
    program, command = agent["ProgramArguments"]
    assert program.endswith("/legacymind")
    assert command in COMMANDS


def directives(text: str) -> dict[str, list[list[str]]]:
    """The arguments of each directive of a configuration of nginx, by its name; blocks are flattened."""
    found: dict[str, list[list[str]]] = {}
    words: list[str] = []
    depth = 0
    for token in re.findall(r"#.*|[{};]|\"[^\"]*\"|[^\s{};]+", text):
        if token.startswith("#"):
            continue
        depth += {"{": 1, "}": -1}.get(token, 0)
        assert depth >= 0
        if token in "{;":
            found.setdefault(words[0], []).append(words[1:])
            words = []
        elif token == "}":
            assert not words, "a directive without its semicolon"
        else:
            words.append(token)
    assert (depth, words) == (0, [])
    return found


def test_the_sample_of_a_proxy_does_what_the_server_leaves_to_it() -> None:
    found = directives((ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8"))
    options = configuration(Settings())
    assert found["server"][0] == [f"127.0.0.1:{Settings().serve_port}"]
    assert found["client_max_body_size"] == [["16m"]]
    assert LARGEST == 16 * 2**20
    assert int(found["keepalive_timeout"][0][0].rstrip("s")) < options.timeout_keep_alive
    for name in (
        "client_header_timeout",
        "client_body_timeout",
        "limit_conn",
        "limit_req",
        "ssl_certificate",
    ):
        assert found[name]
    assert found["proxy_buffering"] == [["off"]]
    assert {one[0] for one in found["proxy_set_header"]} == {"Host", "Upgrade", "Connection"}
    page = (ROOT / "docs" / "operation/server.md").read_text(encoding="utf-8")
    assert f"beyond {options.limit_concurrency} connections" in page
    assert all(f"`{name}`" in page for name in ("client_header_timeout", "limit_conn", "limit_req"))
