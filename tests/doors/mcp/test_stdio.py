"""`legacymind mcp` as an MCP client runs it: a process with its standard input and output."""

import json
import subprocess
import sys
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner
from mcp import Client, StdioServerParameters

from legacymind.doors.cli.commands.serve import mcp
from legacymind.doors.mcp import stdio
from legacymind.settings import Settings
from tests.audit import Audit

Env = dict[str, str]
COMMAND = [sys.executable, "-m", "legacymind.doors.mcp.stdio"]


class Agent:
    """A client that can send any bytes."""

    def __init__(self, env: Env) -> None:
        self.process = subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
        )
        hello = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "0"},
        }
        self.request("initialize", hello)
        self.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')

    def write(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.write(message(uuid.uuid4().hex, method, params))
        return self.read()["result"]

    def end(self) -> tuple[bytes, bytes]:
        out, err = self.process.communicate(timeout=30)
        assert self.process.returncode == 0
        return out, err


def message(id: str | int, method: str, params: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode()


def call(id: str | int, tool: str, **arguments: Any) -> bytes:
    return message(id, "tools/call", {"name": tool, "arguments": arguments})


@pytest.fixture(scope="module")
def env(real_env: Env) -> Env:
    return real_env | {"LEGACYMIND_NAMESPACE": f"mcp-{uuid.uuid4()}"}


@pytest.fixture(scope="module")
def down_env(real_env: Env) -> Env:
    """An address where nothing answers."""
    return real_env | {"NEO4J_URI": "bolt://127.0.0.1:1"}


@pytest.fixture(scope="module")
def agent(down_env: Env) -> Iterator[Agent]:
    """One process for all tests whose input must not end it."""
    opened = Agent(down_env)
    yield opened
    opened.end()


@pytest.mark.anyio
async def test_an_agent_thinks_into_the_process_own_session_and_nothing_else_is_contacted(
    env: Env, audit: Audit
) -> None:
    server = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=env | audit.env)
    async with Client(server) as agent:
        assert len((await agent.list_tools()).tools) == 9
        thought = await agent.call_tool("legacymind_think", {"content": "The kiln is cold."})
        id = thought.structured_content["delegated_result"]["thought_id"]
        read = await agent.call_tool("legacymind_get", {"id": id})
        session = read.structured_content["thought"]["session_id"]
        assert session.startswith("mcp-")
        report = await agent.call_tool("thought_verify_chain", {"session_id": session})
        assert report.structured_content["thoughtCount"] == 1
    audit.check()


def test_with_the_database_down_tools_are_listed_and_calls_report_it(agent: Agent) -> None:
    assert len(agent.request("tools/list", {})["tools"]) == 9
    for _ in range(2):
        refused = agent.request("tools/call", {"name": "legacymind_think", "arguments": {"content": "x"}})
        assert refused["isError"] is True
        assert refused["structuredContent"]["error"]["code"] == "database_unreachable"


CUT = b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"legacymind_think","arguments":%s}}'
DEEP = b"[" * 100_000 + b"]" * 100_000
BROKEN = [
    *(b"hello", b"\xff\xfe", b"[]", b"{}", b"null", b'"id":' + b"[" * 2000),
    *(CUT % (3, b'{"content":"\\ud800"}'), CUT % (4, DEEP), CUT % (5, b'{"content":"x"')),
]


@pytest.mark.parametrize("line", BROKEN, ids=lambda line: line[:10].decode("latin-1"))
def test_a_line_without_a_message_is_answered_and_the_next_one_works(agent: Agent, line: bytes) -> None:
    agent.write(line)
    answer = agent.read()
    assert answer["id"] is None
    assert answer["error"]["data"]["error"]["code"] == "invalid_input"
    agent.write(b"")
    agent.write(b"  \r")
    assert len(agent.request("tools/list", {})["tools"]) == 9


UNUSABLE_IDS = [b"true", b"null", b"1.5", b"1e400", b"[1]", b'{"a":1}', b'"\\ud800"']


@pytest.mark.parametrize("id", UNUSABLE_IDS, ids=lambda id: id.decode()[:10])
def test_a_request_with_an_unusable_id_is_answered_without_one(agent: Agent, id: bytes) -> None:
    for method in (b"tools/list", b"tools/call"):
        agent.write(b'{"jsonrpc":"2.0","id":%b,"method":"%b"}' % (id, method))
        answer = agent.read()
        assert answer["id"] is None
        assert answer["error"]["data"]["error"]["code"] == "invalid_input"
    assert len(agent.request("tools/list", {})["tools"]) == 9


@pytest.mark.parametrize("id", [0, -1, 2**70, "", "7", "x" * 1000, "\u0000", "\U0001f311"])
def test_a_request_with_any_other_id_is_answered_with_it(agent: Agent, id: str | int) -> None:
    agent.write(message(id, "tools/list", {}))
    answer = agent.read()
    assert answer["id"] == id
    assert len(answer["result"]["tools"]) == 9


CANCELLED = b'{"jsonrpc":"2.0","method":"notifications/cancelled"%b}'


@pytest.mark.parametrize("id", [b"null", b"true", b"1.5", b"[1]", b"[]", b'{"a":1}', b'"unknown"', b"12345"])
def test_a_cancellation_of_no_request_is_ignored(agent: Agent, id: bytes) -> None:
    agent.write(call(1, "legacymind_think", content="x"))
    agent.write(CANCELLED % (b',"params":{"requestId":%b}' % id))
    assert agent.read()["id"] == 1
    assert len(agent.request("tools/list", {})["tools"]) == 9


@pytest.mark.parametrize("params", [b"", b',"params":{}', b',"params":null'])
def test_a_cancellation_without_an_id_is_ignored(agent: Agent, params: bytes) -> None:
    agent.write(CANCELLED % params)
    assert len(agent.request("tools/list", {})["tools"]) == 9


ANY_JSON = [
    "null",
    "true",
    "0",
    "-1.5",
    "1e400",
    '""',
    '"x"',
    '"\\ud800"',
    "[]",
    "[1]",
    "{}",
    '{"a":1}',
    "9" * 400,
]


def frames_with(value: str) -> Iterator[str]:
    """Messages in which one field of the envelope has the value."""
    request = {"jsonrpc": '"2.0"', "id": '"other"', "method": '"tools/list"', "params": "{}"}
    cancelled = {"jsonrpc": '"2.0"', "method": '"notifications/cancelled"'}
    response = {"jsonrpc": '"2.0"', "id": value}
    for fields in (
        *(request | {name: value} for name in request),
        request | {"params": written({"_meta": written({"progressToken": value})})},
        cancelled | {"params": written({"requestId": value})},
        cancelled | {"params": written({"requestId": '"other"', "reason": value})},
        cancelled | {"params": value},
        response | {"result": value},
        response | {"error": value},
        response | {"error": written(dict.fromkeys(("code", "message", "data"), value))},
    ):
        yield written(fields)


def written(fields: dict[str, str]) -> str:
    """A JSON object whose values are JSON already."""
    return "{" + ",".join(f'"{name}":{value}' for name, value in fields.items()) + "}"


def test_any_json_in_any_field_of_the_envelope_leaves_calls_under_way(agent: Agent) -> None:
    agent.write(call("under way", "legacymind_think", content="x"))
    answers: list[dict[str, Any]] = []
    for value in ANY_JSON:
        for frame in frames_with(value):
            agent.write(frame.encode())
        mark = f"after {value}"
        agent.write(message(mark, "tools/list", {}))
        while not answers or answers[-1].get("id") != mark:
            answers.append(agent.read())
    while not any(answer.get("id") == "under way" for answer in answers):
        answers.append(agent.read())
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)


def test_a_cancelled_call_does_not_delay_the_end(down_env: Env) -> None:
    agent = Agent(down_env)
    for id in (7, "8"):
        agent.write(call(id, "legacymind_think", content="x"))
    agent.write(CANCELLED % b',"params":{"requestId":"7"}')
    out, _ = agent.end()
    assert [json.loads(line)["id"] for line in out.splitlines()] == ["8"]


def test_arguments_of_another_shape_are_rejected_and_the_next_call_works(agent: Agent) -> None:
    agent.write(message(1, "tools/call", {"name": "legacymind_think", "arguments": ["x"]}))
    assert agent.read()["error"]["code"] == -32602
    assert len(agent.request("tools/list", {})["tools"]) == 9


def test_a_request_read_before_the_end_of_input_is_answered(env: Env) -> None:
    agent = Agent(env)
    agent.request("tools/call", {"name": "legacymind_think", "arguments": {"content": "The model is warm."}})
    agent.write(call(7, "legacymind_think", content="The last words before the pipe closes."))
    out, _ = agent.end()
    answer = json.loads(out)
    assert answer["id"] == 7
    assert answer["result"]["isError"] is False


def test_the_process_ends_after_its_input_whatever_its_threads_do(down_env: Env) -> None:
    program = (
        "import asyncio, time\n"
        "from legacymind.doors.mcp import stdio\n"
        "stdio._DRAIN, stdio._END = 0.1, 1.0\n"
        "stdio.open_mind = lambda _: asyncio.to_thread(time.sleep, 600)\n"
        "stdio.run_stdio(stdio.load_settings())"
    )
    sent = call(1, "legacymind_think", content="x") + b"\n"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, input=sent, env=down_env, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0


def test_the_option_namespace_fixes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Settings] = []

    def run(settings: Settings, profile: str, beside: object) -> None:
        started.append(settings)

    monkeypatch.setattr(stdio, "run_stdio", run)
    done = CliRunner().invoke(mcp, ["--namespace", "team"])
    assert done.exit_code == 0, done.output
    assert [(one.namespace, one.namespace_fixed) for one in started] == [("team", True)]


def test_nothing_but_messages_reaches_standard_output(down_env: Env) -> None:
    agent = Agent(down_env)
    agent.write(call(1, "legacymind_think", content="x"))
    out, err = agent.end()
    assert [json.loads(line)["id"] for line in out.splitlines()] == [1]
    assert b"Traceback" not in err


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell that closes descriptors")
@pytest.mark.parametrize(("closed", "name"), [("<&-", "input"), (">&-", "output")])
def test_a_closed_stream_is_reported(down_env: Env, closed: str, name: str) -> None:
    command = f"exec {sys.executable} -m legacymind.doors.cli.main mcp {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, env=down_env, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(f"Error: Standard {name} is closed.")
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_handshake_imports_neither_driver_nor_model(real_env: Env) -> None:
    heavy = "neo4j fastembed onnxruntime numpy strawberry legacymind.mind legacymind.services"
    program = (
        "import sys\n"
        "from legacymind.doors.mcp import readiness, server, stdio\n"
        "server.serve('full', server.read_catalogue('full'), None)\n"
        f"print(sorted(set('{heavy}'.split()) & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
