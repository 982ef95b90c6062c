"""Homes that synchronise through a server have the same memory; a token decides what each may do there."""

import asyncio
import gzip
import json
import socket
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from legacymind.doors.http.app import build_app
from legacymind.errors import Conflict, EngineError, InvalidInput, LegacyMindError, RequestRefused
from legacymind.mind import Mind
from legacymind.model.base import EntityInput, ObservationInput
from legacymind.model.sync import SyncResult
from legacymind.services.sync import segments as segments_module
from legacymind.services.sync.segments import LARGEST, Place, segments
from legacymind.services.sync.server import Server, name_of
from tests.services.sync.test_sync import facts, same
from tests.steps import store_thought
from tests.wire import raw, text_indexed

pytestmark = [pytest.mark.anyio, pytest.mark.engine, pytest.mark.alone]

HOME: Final = "11111111-2222-4333-8444-555555555555"
"""The id of a home that only sends requests."""


def named(replica: str, number: int) -> str:
    """The path of a segment below that of the place."""
    return f"/{replica}/{number:08}.jsonl.gz"


@dataclass
class Served:
    """A running server: its mind and address, and after how many requests it does not answer any more."""

    mind: Mind
    address: str = ""
    left: float = float("inf")

    async def token(self, **options: Any) -> str:
        """The text of a new token, by default of the user, for the namespace of the mind."""
        options = {"namespace": self.mind.settings.namespace, "trust": "user", **options}
        return (await self.mind.create_token("laptop", **options)).text

    @property
    def files(self) -> list[Path]:
        """The segments in the home of the server."""
        folder = self.mind.settings.home_path / "sync"
        return sorted(folder.glob(f"*/{self.mind.settings.namespace}/*/*.gz"))


@pytest.fixture
async def served(mind: Mind) -> AsyncIterator[Served]:
    """A server of the first home, on a port of this machine."""
    server, app = Served(mind), build_app(mind)

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        server.left -= 1
        if server.left >= 0:
            await app(scope, receive, send)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        config = uvicorn.Config(limited, log_level="critical", lifespan="off", ws="none")
        running = uvicorn.Server(config)
        task = asyncio.create_task(running.serve(sockets=[listening]))
        server.address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        yield server
        running.should_exit = True
        await task
    await mind.services.served.delete(mind.settings.namespace)


async def through(served: Served, token: str, *minds: Mind, rounds: int = 2) -> list[SyncResult]:
    results: list[SyncResult] = []
    for _ in range(rounds):
        for mind in minds:
            results.append(await mind.sync(served.address, trust=True, token=token))
            assert (results[-1].problems, results[-1].refused) == ([], [])
    return results


async def answers(mind: Mind) -> list[Any]:
    """What a home answers to five questions."""
    await text_indexed(mind)
    found = [
        await mind.operations["search"].call({"query": query, "method": "text"})
        for query in ("lighthouse", "storm", "harp")
    ]
    verified = await mind.operations["verify_chain"].call({"session_id": "shared"})
    ids = [sorted(hit.id for hit in each.hits) for each in found]
    return [*ids, await facts(mind, "Ada"), (verified.verdict, verified.thought_count)]


async def test_two_homes_that_worked_offline_answer_alike_after_they_met_a_server(
    served: Served, other: Mind, third: Mind
) -> None:
    token = await served.token()
    for number, mind in enumerate((other, third)):
        await store_thought(mind, f"The storm {number} reached the lighthouse", session_id="shared")
        fact = ObservationInput(entity="Ada", content=f"owns harp {number}", entity_type="person")
        await mind.remember([EntityInput(name="Ada", entity_type="person")], [fact])
    await store_thought(served.mind, "The lighthouse has a server", session_id="server")
    await through(served, token, other, third)
    await same(other, third)
    await same(served.mind, other)
    first, second = await answers(other), await answers(third)
    assert first == second
    assert [len(each) for each in first[:3]] == [3, 2, 2]
    assert first[3:] == [["owns harp 0", "owns harp 1"], ("intact", 2)]
    again = await through(served, token, other, third, rounds=1)
    assert [(one.written, one.stored) for one in again] == [(0, 0), (0, 0)]
    await other.sync(f"{served.address}/", token=token)  # it is the same place
    (place,) = (await other.sync_status(served.address)).places
    assert (place.place, place.trusted) == (served.address, True)
    stored = await raw(other, "MATCH (n) WHERE n:SyncPlace OR n:SyncSource RETURN properties(n) AS n")
    assert token not in str(stored)


async def test_a_server_that_does_not_answer_any_more_leaves_both_whole(
    served: Served, other: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segments_module, "_LINES", 2)
    token = await served.token()
    for number in range(3):
        await store_thought(other, f"there {number}", session_id="there")
        await store_thought(served.mind, f"here {number}", session_id="here")
    failed = 0
    for requests in range(8):
        served.left = requests
        try:
            failed += bool((await other.sync(served.address, trust=True, token=token)).problems)
        except EngineError:
            failed += 1
    assert failed >= 4
    served.left = float("inf")
    await through(served, token, other)
    await same(served.mind, other)


async def test_a_token_decides_what_a_home_may_do(served: Served, other: Mind) -> None:
    space = served.mind.settings.namespace
    await store_thought(other, "there", session_id="there")
    for options, said in (
        ({"role": "read"}, "the role read"),
        ({"namespace": f"{space}-other"}, "may only use the namespace"),
    ):
        token = await served.token(**options)
        with pytest.raises(RequestRefused, match=said) as refused:
            await other.sync(served.address, token=token)
        assert "legacymind token create" in str(refused.value)
        assert token not in str(refused.value)
    for token in ("lm_unknown", "two\nlines", "ä"):
        with pytest.raises((RequestRefused, EngineError)) as raised:
            await other.sync(served.address, token=token)
        assert token not in str(raised.value)
        assert raised.value.__cause__ is None
    assert (await other.sync_status()).places == []
    assert served.files == []


async def test_what_an_agent_brings_is_trusted_like_a_file_and_kept_apart(
    served: Served, other: Mind, third: Mind
) -> None:
    await third.remember([EntityInput(name="Ada")], [ObservationInput(entity="Ada", content="owns a harp")])
    user, agent = await served.token(), await served.token(trust="agent")
    await third.sync(served.address, token=agent)
    (trusts,) = await raw(
        served.mind,
        "MATCH (o:Observation {namespace: $ns}) RETURN collect(o.trust) AS found",
        ns=served.mind.settings.namespace,
    )
    assert trusts["found"] == [1]
    result = await other.sync(served.address, token=user)
    assert await facts(other, "Ada") == ["owns a harp"]
    assert len(result.sources) == 1  # the server, which tells what the agent said
    assert {file.parents[2].name for file in served.files} == {"agent", "user"}


async def test_requests_cannot_change_read_or_forge_what_is_there(served: Served, other: Mind) -> None:
    space = served.mind.settings.namespace
    await store_thought(served.mind, "here", session_id="here")
    await store_thought(other, "there", session_id="there")
    sent = await other.sync(served.address, token=await served.token())
    own = (await served.mind.sync_status()).replica
    before = {file: file.read_bytes() for file in served.files}
    assert len(before) == 2
    place = Place("", space)
    good, sha = place.packed(HOME, 1, "", ['{"kind":"odd","id":"x"}\n'])
    own_next, _ = place.packed(
        str(own), 2, await Place(str(served.files[0].parents[2]), space).sha(str(own), 1) or "", []
    )
    bomb = gzip.compress(b"0" * (LARGEST + 1))
    deep = gzip.compress(b"[" * 200_000)
    lines = gzip.compress(b"{}\n" * 20_000)
    elsewhere, _ = Place("", f"{space}-other").packed(HOME, 1, "", [])
    headers = {"authorization": f"Bearer {await served.token()}"}
    async with httpx2.AsyncClient(base_url=f"{served.address}/sync", headers=headers) as client:

        async def status(path: str, content: bytes = good, **options: Any) -> int:
            answer = await client.request(options.pop("method", "PUT"), path, content=content, **options)
            if answer.status_code >= 400:
                assert answer.json()["error"]["code"]
                assert str(served.mind.settings.home_path) not in answer.text
            return answer.status_code

        for path in (
            *("/..%2F..%2Fx/1", "/../../x/1", "/%2e%2e/1", "/laptop/1", f"/{HOME}%2F../1"),
            *(
                f"/{HOME}/{name}.jsonl.gz"
                for name in ("-0000001", "1", "0000000/1", "x", "٣" * 8, "9" * 5_000)
            ),
            f"/{HOME}/00000001",
        ):
            assert await status(path) in (404, 405)
        for number in (0, 2, 3):
            assert await status(named(HOME, number)) == 409
        for content in (b"", b"x", good[:-9], bomb, deep, lines, elsewhere, place.packed(HOME, 2, "", [])[0]):
            assert await status(named(HOME, 1), content) == 409
        assert await status(named(HOME, 1), b"x" * (LARGEST + 1)) == 413
        assert await status(named(str(own), 2), own_next) == 409
        assert await status(named(sent.replica, 1)) == 409
        assert await status(named(HOME, 1), params={"namespace": ".."}) == 403
        assert {file: file.read_bytes() for file in served.files} == before
        assert await status(named(HOME.upper(), 1)) == 200
        assert await status(named(HOME, 1)) == 409
        assert await status(named(HOME, 2), place.packed(HOME, 2, "another", [])[0]) == 409
        odd, _ = place.packed(HOME, 2, sha, ['{"kind":"odd","id":"x"}\n'])
        assert (await client.put(named(HOME, 2), content=odd)).json() == ["x: there is no kind 'odd'"]
        read = await client.get(named(HOME, 1), params={"namespace": space})
        assert read.content == good
    reader = {"authorization": f"Bearer {await served.token(role='read')}"}
    foreign = {"authorization": f"Bearer {await served.token(namespace=f'{space}-other')}"}
    async with httpx2.AsyncClient(base_url=served.address) as client:
        assert (await client.get(f"/sync{named(HOME, 1)}", headers=reader)).content == good
        for method, path in (("POST", "/sync"), ("PUT", f"/sync{named(HOME, 3)}")):
            assert (await client.request(method, path, headers=reader)).status_code == 403
        assert (await client.get(f"/sync{named(HOME, 1)}", headers=foreign)).status_code == 404
        asked: dict[str, Any] = {"headers": foreign, "params": {"namespace": space}}
        assert (await client.get(f"/sync{named(HOME, 1)}", **asked)).status_code == 403
        assert (await client.post("/sync", **asked)).status_code == 403
        assert (await client.post("/sync?namespace=%00")).status_code == 400


async def test_a_namespace_of_dots_stays_in_the_folder(tmp_path: Path) -> None:
    for namespace in (".", "..", "../x"):
        place = Place(str(tmp_path / "place"), namespace)
        await place.put(HOME, 1, b"x")
        where = Path(place.where(HOME, 1))
        assert where.parents[2] == tmp_path / "place"
        assert ".." not in where.parts


async def test_a_quota_holds_for_what_homes_send_and_a_deleted_namespace_takes_it_along(
    served: Served, other: Mind
) -> None:
    space = served.mind.settings.namespace
    for text in ("one", "two"):
        await store_thought(other, text, session_id="there")
    await served.mind.set_quota(space, thoughts=1)
    token = await served.token()
    with pytest.raises(RequestRefused, match="may have 1 thoughts"):
        await other.sync(served.address, token=token)
    await served.mind.set_quota(space)
    await other.sync(served.address, token=token)
    assert served.files != []
    await served.mind.delete_namespace(space, confirm=True)
    assert served.files == []


async def test_segments_end_before_they_are_too_large() -> None:
    async def lines() -> AsyncIterator[dict[str, str]]:
        for _ in range(10):
            yield {"content": "x" * 1_000_000}

    parts = [part async for part in segments(lines())]
    assert [len(part) for part in parts] == [5, 5]


@pytest.mark.parametrize(
    "address",
    [
        *("http://memory.example.com", "https://", "https:///x", "https://[x/", "http://127.0.0.1.example"),
        *("https://me:word@host", "https://host?token=word", "https://host#word"),
    ],
)
async def test_an_address_must_be_safe_and_without_secrets(address: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        await name_of(address)
    assert "word" not in str(raised.value)


async def test_an_address_has_one_name() -> None:
    names = {
        await name_of(each) for each in ("https://Memory.example:8787/x/", "HTTPS://memory.example:8787/x")
    }
    assert names == {"https://memory.example:8787/x"}


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        *((404, "Not Found", InvalidInput), (405, "", InvalidInput), (301, "", InvalidInput)),
        *((200, "<html>", InvalidInput), (200, "[1]", InvalidInput), (200, '{"a": 1}', InvalidInput)),
        *((502, "<html>", EngineError), (503, "", EngineError), (429, "", EngineError)),
        *((401, "", RequestRefused), (403, "", RequestRefused)),
        (409, json.dumps({"error": {"code": "conflict", "message": "Another home."}}), Conflict),
    ],
)
async def test_another_answer_than_that_of_such_a_server_has_an_error(
    status: int, body: str, kind: type[LegacyMindError]
) -> None:
    def answer(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(status, text=body)

    transport = httpx2.MockTransport(answer)
    async with httpx2.AsyncClient(transport=transport) as client:
        with pytest.raises(kind, match=r"https://memory\.example"):
            await Server("https://memory.example", f"test-{uuid.uuid4()}", client).last()
