"""Attacks on private thoughts, sessions and tokens over HTTP: none of them reads or changes anything.

The victim has private thoughts in a session. A peer has another token of the same namespace, a foreigner one
of another namespace, a reader one that may only read; others have no valid token. None of them names the
session: its name is no secret, and to name it is to be the victim.
"""

import json
import uuid
from collections.abc import AsyncIterator
from typing import Any, Final

import httpx2
import pytest

from legacymind.doors.http.app import build_app
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.doors.http.test_app import browsing
from tests.doors.http.test_authorization import BASE, INITIALIZE
from tests.steps import own_namespace, store_thought
from tests.wire import raw, text_indexed

pytestmark = pytest.mark.anyio

READS: Final = [
    'thought(id: "$id") { content }',
    'thought(id: "thoughts:$id") { content outsideChain }',
    'thought(id: "$public") { followedBy { edges { node { id content } } } }',
    'thought(id: "$public") { children { edges { node { id content } } } }',
    'thought(id: "$public") { recalls { edges { node { __typename id } } } }',
    'thought(id: "$public") { revisions { edges { node { id } } } }',
    'thought(id: "$public") { branches { edges { node { id } } } }',
    'action(name: "$action") { name }',
    'action(name: "$action") { thoughts { edges { node { content } } } }',
    "actions(first: 100) { edges { node { name } } }",
    "chains(first: 100) { edges { node { name } } }",
    'chain(name: "$label") { thoughts { edges { node { content } } } }',
    'chain(name: "$label") { thoughts(after: "$after") { edges { node { content } } } }',
    "authors(first: 100) { edges { node { name } } }",
    "tags(first: 100) { edges { node { name } } }",
    'search(input: {query: "$word"}) { hits { id text } }',
    'search(input: {query: "$word", method: TEXT}) { hits { id text } }',
    'search(input: {query: "$word is my password", method: VECTOR}) { hits { text } }',
    'search(input: {tags: ["$tag"]}) { hits { id } }',
    'search(input: {author: "$author"}) { hits { id } }',
    'search(input: {chainId: "$label"}) { hits { id } }',
    'search(input: {actionId: "$action"}) { hits { id } }',
    'search(input: {parentId: "$id"}) { hits { id } }',
    'search(input: {previousThoughtId: "$id"}) { hits { id } }',
    "search(input: {order: CREATED_AT_DESC, limit: 100}) { hits { id text } }",
    'searchThoughts(input: {query: "$word"}) { hits { id text } }',
    'searchFacets(input: {query: "$word"}) { authors { value } chains { value } }',
    'searchFacets(input: {chainId: "$label"}) { counted authors { value } chains { value } }',
    "context { unresolved { id text } standing { id text } recent { id text } }",
    'context(query: "$word") { relevant { id text } unresolved { id text } }',
    'recall(input: {content: "$word is my password"}) { memories { id text } }',
    'walkTrail(input: {thoughtId: "$id", direction: BOTH}) { steps { id text } }',
    'walkTrail(input: {thoughtId: "$public", direction: BOTH, depth: 100}) { steps { text } }',
    'explainRecall(thoughtId: "$id") { text memories { id text } }',
    'explainRecall(thoughtId: "$public", memoryId: "$id") { memories { text } }',
    'thoughtReasoningTrail(actionId: "$action") { trailCount trails { content } }',
    'thoughtTree(sessionId: "peer") { tree { content } }',
    "communities { communities { label } }",
    "duplicates { pairs { score } }",
    'session(name: "peer") { thoughts(after: "$after") { edges { node { content } } } }',
    'search(input: {query: "$word", ownSessionId: "victim"}) { hits { id text author } }',
    'thought(id: "$id", ownSessionId: "victim") { content author }',
]

WRITES: Final = [
    'redactThought(thoughtId: "$id", reason: "x") { already }',
    'recordOutcome(input: {thoughtId: "$id", outcome: "failure"}) { salience }',
    'recordOutcome(input: {thoughtId: "$own", outcome: "success", solves: "$id"}) { solves }',
    'pinThought(thoughtId: "$id") { pinned }',
    'relateThought(input: {thoughtId: "$id", targetId: "$own"}) { created }',
    'relateThought(input: {thoughtId: "$own", targetId: "$id", type: CONTRADICTS}) { created }',
    'remember(observations: [{entity: "E", content: "c", learnedFrom: "$id"}]) { created }',
    'merge(keep: "$id", others: ["$own"]) { dryRun }',
    'forget(input: {id: "$id", confirm: true}) { done }',
    'think(input: {content: "$word?", revisesThought: "$id", sessionId: "peer"}) { memories { text } }',
    'think(input: {content: "m", parentId: "$id"}) { telemetry { linksTelemetry { parentId } } }',
    'think(input: {content: "mine", idempotencyKey: "$key"}) { chained memories { text } }',
    'think(input: {content: "$word is my password", idempotencyKey: "$key"}) { memories { text } }',
    'thoughtRecord(input: {sessionId: "p", thoughtType: "plan", content: "x", parentId: "$id"}) { repeated }',
]


class Victim:
    """The memory, its server, the tokens of the attackers, and what nobody else may learn."""

    def __init__(self, mind: Mind, client: httpx2.AsyncClient) -> None:
        self.mind = mind
        self.client = client
        self.space = f"{mind.settings.namespace}-victim"
        self.secrets: dict[str, str] = {}
        self.values: dict[str, str] = {}
        self.tokens: dict[str, str] = {}
        self.private: list[str] = []

    async def prepare(self) -> None:
        unique = uuid.uuid4().hex[:8]
        self.secrets = {
            name: f"{name}{unique}" for name in ("word", "tag", "author", "label", "action", "key")
        }
        hidden: dict[str, Any] = {"session_id": "victim", "namespace": self.space, "is_private": True}
        hidden |= {"author": self.secrets["author"], "tags": [self.secrets["tag"]]}
        hidden |= {"chain_id": self.secrets["label"], "action_id": self.secrets["action"]}
        shown: dict[str, Any] = {"namespace": self.space, "session_id": "victim"}
        text = f"{self.secrets['word']} is my password"
        first = await store_thought(self.mind, f"Stuck: {text}", hint="stuck", **hidden)
        secret = await store_thought(self.mind, text, idempotency_key=self.secrets["key"], **hidden)
        public = await store_thought(self.mind, "A public remark.", injection_scale=3, **shown)
        await store_thought(
            self.mind, f"It follows: {text}", parent_id=public, revises_thought=public, **hidden
        )
        own = await store_thought(self.mind, "A peer's.", namespace=self.space, session_id="peer")
        self.private = [first, secret]
        thread = await self.mind.thoughts_thread("victim", limit=1, namespace=self.space)
        self.secrets |= {"id": secret, "first": first}
        self.values = {**self.secrets, "public": public, "own": own, "after": thread.next or ""}
        for name, space, role in (
            ("peer", self.space, "write"),
            ("foreigner", f"{self.space}-other", "write"),
            ("reader", self.space, "read"),
            ("victim", self.space, "curate"),
        ):
            made = await self.mind.create_token(name, namespace=space, role=role)  # pyright: ignore[reportArgumentType]
            self.tokens[name] = made.text
        await text_indexed(self.mind)

    def filled(self, text: str) -> str:
        for name, value in sorted(self.values.items(), key=lambda one: -len(one[0])):
            text = text.replace(f"${name}", value)
        return text

    async def ask(self, document: str, token: str | None, **headers: str) -> httpx2.Response:
        given = {"authorization": f"Bearer {token}"} if token else {}
        return await self.client.post("/graphql", json={"query": document}, headers={**given, **headers})

    def learned(self, answer: str, sent: str) -> list[str]:
        """The secrets in an answer that were not in the question."""
        return [name for name, value in self.secrets.items() if value in answer and value not in sent]

    async def state(self) -> str:
        rows = await raw(
            self.mind,
            "MATCH (t:Thought) WHERE t.id IN $ids RETURN t {.*, lock: null} AS stored, "
            "COLLECT { MATCH (t)-[r]-() RETURN type(r) ORDER BY type(r) } AS relations ORDER BY t.id",
            ids=self.private,
        )
        return str([(row["stored"], row["relations"]) for row in rows])


@pytest.fixture(scope="module")
async def victim(engine_settings: Settings) -> AsyncIterator[Victim]:
    settings = engine_settings.changed(serve_hosts="memory.example", serve_rate=0)
    async with own_namespace(settings) as mind, browsing(build_app(mind), BASE) as client:
        made = Victim(mind, client)
        await made.prepare()
        yield made
        for token in await mind.tokens():
            if token.namespaces[0].startswith(made.space):
                await mind.revoke_token(token.id)


@pytest.mark.parametrize(
    "attack", [*(f"query {{ {it} }}" for it in READS), *(f"mutation {{ {it} }}" for it in WRITES)]
)
@pytest.mark.slow
async def test_an_attack_on_private_thoughts_learns_and_changes_nothing(victim: Victim, attack: str) -> None:
    before = await victim.state()
    document = victim.filled(attack)
    for attacker in ("peer", "foreigner", "reader"):
        answer = await victim.ask(document, victim.tokens[attacker])
        assert answer.status_code == 200
        assert "Cannot query field" not in answer.text, answer.text  # an attack that is one
        assert "Syntax Error" not in answer.text
        assert "is not defined" not in answer.text
        assert "internal" not in answer.text
        assert victim.learned(answer.text, document) == [], (attacker, answer.text)
    assert await victim.state() == before


async def test_the_victim_itself_reads_what_the_attacks_look_for(victim: Victim) -> None:
    found = "{ hits { id text author } }"
    own = f'query {{ search(input: {{query: "$word", ownSessionId: "victim"}}) {found} }}'
    answer = await victim.ask(victim.filled(own), victim.tokens["victim"])
    assert set(victim.learned(answer.text, "")) >= {"word", "id", "first", "author"}


TOKENS: Final = [
    *(
        "",
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Basic $reader",
        "bearer\t$peer",
        "Token $peer",
        "$peer",
        "Bearer $peer x",
    ),
    *("Bearer $revoked", "Bearer $id", "Bearer $upper", "Bearer $cut", "Bearer $longer", "Bearer $digest"),
    *(
        "Bearer ../$peer",
        "Bearer $peer,Bearer $peer",
        "Bearer null",
        "Bearer lm_",
        "Bearer eyJhbGciOiJub25lIn0.e30.",
    ),
]


PATHS: Final = [
    ("POST", "/graphql"),
    ("POST", "/mcp"),
    ("GET", "/mcp"),
    ("DELETE", "/mcp"),
    ("GET", "/metrics"),
    ("POST", "/sync"),
    ("GET", "/sync/11111111-2222-4333-8444-555555555555/00000001.jsonl.gz"),
    ("PUT", "/sync/11111111-2222-4333-8444-555555555555/00000001.jsonl.gz"),
]


@pytest.mark.parametrize("header", TOKENS)
async def test_a_header_without_a_valid_token_is_refused_on_every_path(victim: Victim, header: str) -> None:
    revoked = await victim.mind.create_token("gone", namespace=victim.space, role="write")
    await victim.mind.revoke_token(revoked.id)
    (peer,) = [
        one for one in await victim.mind.tokens() if one.name == "peer" and one.namespaces == [victim.space]
    ]
    text = victim.tokens["peer"]
    values = {"$revoked": revoked.text, "$id": peer.id, "$upper": text.upper(), "$cut": text[:-1]}
    values |= {"$longer": text + "a", "$digest": "0" * 64, "$reader": victim.tokens["reader"], "$peer": text}
    for name, value in values.items():
        header = header.replace(name, value)
    for method, path in PATHS:
        for address in (path, f"{path}?access_token={text}", f"{path}?token={text}"):
            answer = await victim.client.request(
                method,
                address,
                json={"query": "{ authors { edges { node { name } } } }"} if method == "POST" else None,
                headers={"authorization": header, "cookie": f"token={text}", "x-api-key": text},
            )
            assert answer.status_code == 401, (method, address, answer.text)
            assert victim.learned(answer.text, "") == []
            assert text not in answer.text


METHODS: Final = [
    "x-http-method-override",
    "x-original-url",
    "x-rewrite-url",
    "x-forwarded-for",
    "x-legacymind-scope",
]


@pytest.mark.parametrize("header", METHODS)
async def test_a_token_that_reads_cannot_write_by_any_way(victim: Victim, header: str) -> None:
    before = await raw(victim.mind, "MATCH (n {namespace: $ns}) RETURN count(n) AS n", ns=victim.space)
    reader = victim.tokens["reader"]
    for document in (
        'mutation { think(input: {content: "x"}) { chained } }',
        'mutation { a: think(input: {content: "x"}) { chained } b: pinThought(thoughtId: "x") { pinned } }',
        'mutation M { remember(entities: [{name: "x"}]) { entities { id } } } query Q { __typename }',
        'fragment F on Mutation { pinThought(thoughtId: "x") { pinned } } mutation { ...F }',
        'mutation { forget(input: {id: "x", confirm: true}) { done } }',
    ):
        answer = await victim.ask(document, reader, **{header: "write"})
        assert '"data":{"think":{' not in answer.text.replace(" ", "")
    accepts = {"accept": "application/json, text/event-stream", "authorization": f"Bearer {reader}"}
    begun = await victim.client.post("/mcp", json=INITIALIZE, headers=accepts)
    session = begun.headers["mcp-session-id"]
    call = {"name": "legacymind_think", "arguments": {"content": "x"}}
    body = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}
    for token in (reader, victim.tokens["peer"], victim.tokens["foreigner"]):
        given = accepts | {"mcp-session-id": session, "authorization": f"Bearer {token}", header: "write"}
        answer = await victim.client.post("/mcp", json=body, headers=given)
        assert answer.status_code == 404 if token != reader else '"isError":true' in answer.text
    after = await raw(victim.mind, "MATCH (n {namespace: $ns}) RETURN count(n) AS n", ns=victim.space)
    assert after == before


MCP: Final = [
    ("resources/read", {"uri": "legacymind://thought/$id"}),
    ("resources/read", {"uri": "legacymind://entity/$word"}),
    ("tools/call", {"name": "legacymind_get", "arguments": {"id": "$id"}}),
    ("tools/call", {"name": "legacymind_search", "arguments": {"query": "$word"}}),
    ("tools/call", {"name": "legacymind_context", "arguments": {"query": "$word"}}),
    ("tools/call", {"name": "walk_trail", "arguments": {"thought_id": "$id"}}),
    ("tools/call", {"name": "record_outcome", "arguments": {"thought_id": "$id", "outcome": "failure"}}),
    ("tools/call", {"name": "fetch", "arguments": {"id": "$id"}}),
    ("tools/call", {"name": "search", "arguments": {"query": "$word"}}),
]


@pytest.mark.parametrize(("method", "parameters"), MCP)
async def test_an_attack_over_mcp_learns_and_changes_nothing(
    victim: Victim, method: str, parameters: dict[str, Any]
) -> None:
    before = await victim.state()
    sent = victim.filled(json.dumps({"jsonrpc": "2.0", "id": 2, "method": method, "params": parameters}))
    for attacker in ("peer", "foreigner"):
        for profile in ("core", "full", "chatgpt"):
            headers = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
            headers["authorization"] = f"Bearer {victim.tokens[attacker]}"
            begun = await victim.client.post(f"/mcp?profile={profile}", json=INITIALIZE, headers=headers)
            headers["mcp-session-id"] = begun.headers["mcp-session-id"]
            answer = await victim.client.post(f"/mcp?profile={profile}", content=sent, headers=headers)
            assert victim.learned(answer.text, sent) == [], answer.text
            await victim.client.delete(f"/mcp?profile={profile}", headers=headers)
    assert await victim.state() == before
