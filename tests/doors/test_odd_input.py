"""Odd values at every door: texts that are no Unicode, numbers that are none, requests that are no requests.

Each is accepted or refused with a clear error, and never an internal one.
"""

import asyncio
import json
import math
from collections.abc import AsyncIterator
from typing import Any, Final

import httpx2
import pytest

from legacymind.composition import declared_operations
from legacymind.doors.http.app import build_app
from legacymind.errors import LegacyMindError
from legacymind.mind import Mind
from legacymind.operations.pages import cursor
from legacymind.operations.registry import Operation
from legacymind.settings import Settings
from tests.doors.http.test_app import BASE, browsing
from tests.steps import own_namespace, remember_entity, store_thought

pytestmark = pytest.mark.anyio

LONE: Final = "a \ud800 surrogate"
FORGED: Final = cursor({}, ("\ud800",))
ODD: Final[list[Any]] = [
    *(LONE, [LONE], {LONE: LONE}, FORGED, "\0", "NaN", math.nan, -math.inf, 10**400),
    *([], {}, True, "9999-12-31T23:59:59-23:59"),
]
IN_JSON: Final = [json.dumps(odd) for odd in ODD]
SKIPPED: Final = {"analyze", "reembed", "think_convo", "think_technical"}
"""Operations that work for long whatever they get, or have the parameters of another."""


class Case:
    """A memory with one of each, and a client of its server."""

    def __init__(self, mind: Mind, client: httpx2.AsyncClient, thought: str, entity: str) -> None:
        self.mind = mind
        self.client = client
        self.thought = thought
        self.entity = entity

    def argument(self, name: str) -> Any:
        """A usable value for a required parameter."""
        given = {
            "thoughts": [{"content": "x", "injection_scale": 0}],
            "others": ["x"],
            "outcome": "success",
            "subcommand": "size",
            "known_step": 1,
        }
        return given.get(name, self.thought if "id" in name else "text")

    async def post(self, path: str, body: str | bytes, **headers: str) -> httpx2.Response:
        content = {"content-type": "application/json", **headers}
        async with asyncio.timeout(60):
            return await self.client.post(path, content=body, headers=content)


@pytest.fixture(scope="module")
async def case(engine_settings: Settings) -> AsyncIterator[Case]:
    async with own_namespace(engine_settings, "session") as mind:
        thought = await store_thought(mind, "The kettle is copper.", action_id="act", chain_id="chain")
        entity = await remember_entity(mind, "Kettle")
        async with browsing(build_app(mind)) as client:
            yield Case(mind, client, thought, entity)


def refused_clearly(text: str) -> None:
    assert '"internal"' not in text, text[:500]
    assert "Traceback" not in text


@pytest.mark.parametrize("name", [name for name in declared_operations() if name not in SKIPPED])
async def test_operations_accept_or_refuse_odd_arguments(case: Case, name: str) -> None:
    operation = case.mind.operations[name]
    required = {one.name: case.argument(one.name) for one in operation.parameters if one.required}
    for parameter in operation.parameters:
        for odd in ODD:
            refusal = await refusal_of(operation, required | {parameter.name: odd})
            if refusal is not None:
                json.dumps(refusal.envelope(), ensure_ascii=False).encode()
                assert refusal.code not in ("internal", "database"), (parameter.name, odd)
            if odd == LONE:
                assert "surrogate" in str(refusal)


async def refusal_of(operation: Operation, arguments: dict[str, Any]) -> LegacyMindError | None:
    try:
        await operation.call(arguments)
    except LegacyMindError as error:
        return error
    return None


TYPES: Final = (
    "{ __schema { types { name fields { name args { name type { ...T } } type { ...T } } } } } "
    "fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }"
)
NODES: Final = {
    "Query": "%s",
    "Thought": 'thought(id: "THOUGHT") { %s }',
    "Entity": 'entity(id: "ENTITY") { %s }',
    "Session": 'session(name: "session") { %s }',
    "Action": 'action(name: "act") { %s }',
    "Chain": 'chain(id: "chain") { %s }',
}


def written(kind: dict[str, Any]) -> str:
    """A type in GraphQL."""
    inner = written(kind["ofType"]) if kind.get("ofType") else kind["name"]
    return {"NON_NULL": f"{inner}!", "LIST": f"[{inner}]"}.get(kind["kind"], inner)


def selection(kind: dict[str, Any]) -> str:
    while kind.get("ofType"):
        kind = kind["ofType"]
    return "" if kind["kind"] in ("SCALAR", "ENUM") else "{ __typename }"


@pytest.mark.parametrize("parent", NODES)
async def test_graphql_fields_accept_or_refuse_odd_arguments(case: Case, parent: str) -> None:
    schema = (await case.post("/graphql", json.dumps({"query": TYPES}))).json()["data"]["__schema"]
    (fields,) = [one["fields"] for one in schema["types"] if one["name"] == parent]
    checked = 0
    for field in fields:
        for argument in field["args"]:
            needed = [
                one for one in field["args"] if one["type"]["kind"] == "NON_NULL" and one is not argument
            ]
            variables = ", ".join(f"${one['name']}: {written(one['type'])}" for one in [argument, *needed])
            used = ", ".join(f"{one['name']}: ${one['name']}" for one in [argument, *needed])
            asked = NODES[parent] % f"{field['name']}({used}) {selection(field['type'])}"
            asked = asked.replace("THOUGHT", case.thought).replace("ENTITY", case.entity)
            query = json.dumps(f"query ({variables}) {{ {asked} }}")
            given = {one["name"]: case.argument(one["name"]) for one in needed}
            others = "".join(f", {json.dumps(name)}: {json.dumps(value)}" for name, value in given.items())
            for odd in IN_JSON:
                body = f'{{"query": {query}, "variables": {{"{argument["name"]}": {odd}{others}}}}}'
                answer = await case.post("/graphql", body)
                assert answer.status_code < 500, (field["name"], argument["name"], odd)
                refused_clearly(answer.text)
                checked += 1
    assert checked


SUBSCRIPTION = "subscription ($v: DateTime) { thoughtAdded(after: $v) { cursor } }"
BODIES: Final = [
    *("", "{", "[]", "null", "1", '"x"', "{}", "[" * 10_000, b"\xff", '{"variables": {}}'),
    *(f'{{"query": {odd}}}' for odd in IN_JSON),
    *(f'{{"query": "{{ __typename }}", "variables": {odd}}}' for odd in IN_JSON),
    *(f'{{"query": "{{ __typename }}", "operationName": {odd}}}' for odd in IN_JSON),
    *(f'{{"query": "{{ __typename }}", "extensions": {odd}}}' for odd in IN_JSON),
    *(f'{{"query": "{SUBSCRIPTION}", "variables": {{"v": {odd}}}}}' for odd in [json.dumps(LONE), "3", "{}"]),
]
ACCEPTED: Final = ["application/json", "text/event-stream", "multipart/mixed", "*/*"]


@pytest.mark.parametrize("accepted", ACCEPTED)
async def test_graphql_refuses_odd_bodies(case: Case, accepted: str) -> None:
    for body in BODIES:
        answer = await case.post("/graphql", body, accept=accepted)
        assert answer.status_code < 500, body
        refused_clearly(answer.text)


@pytest.mark.parametrize("version", ["2025-06-18", "2026-07-28"])
async def test_mcp_refuses_odd_messages(case: Case, version: str) -> None:
    call = {"name": "legacymind_search", "arguments": {"query": "x"}}
    whole = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    sent: list[Any] = [*ODD, [whole], whole | {"params": call | {"arguments": {LONE: 1}}}]
    for odd in ODD:
        sent += [whole | {name: odd} for name in whole]
        sent += [whole | {"params": call | {name: odd}} for name in call]
        sent += [
            whole | {"params": call | {"arguments": {name: odd}}} for name in ("query", "after", "limit")
        ]
        for method, member in (
            ("resources/read", "uri"),
            ("completion/complete", "ref"),
        ):
            sent.append(whole | {"method": method, "params": {member: odd}})
    for message in sent:
        accept = "application/json, text/event-stream"
        answer = await case.post(
            "/mcp", json.dumps(message), accept=accept, **{"mcp-protocol-version": version}
        )
        assert answer.status_code < 500, message
        refused_clearly(answer.text)


@pytest.mark.parametrize("path", ["/", "/graphql", "/mcp", "/healthz", "/readyz", "/metrics", "/x"])
async def test_odd_paths_and_headers_are_refused(case: Case, path: str) -> None:
    for odd in ("%ed%a0%80", "%00", "%ff", "%", "%2e%2e/%2e%2e", "a" * 5000):
        for address in (f"{path}{odd}", f"{path}?profile={odd}", f"{path}?{odd}={odd}"):
            for method in ("GET", "POST", "DELETE", "PUT", "OPTIONS"):
                headers = {"x-request-id": odd, "authorization": f"Bearer {odd}"}
                for given in ({}, headers):
                    answer = await case.client.request(method, f"{BASE}{address}", headers=given)
                    assert answer.status_code < 500 or answer.status_code == 501
                    refused_clearly(answer.text)
