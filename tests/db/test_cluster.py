"""In a cluster, reads go to readers and writes to the leader, and no acknowledged data is lost."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

import pytest

from legacymind.engine import Engine
from legacymind.errors import DatabaseError, DatabaseUnreachable
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.db.cluster import Cluster, Member, cluster
from tests.fakes import FakeEmbedder
from tests.steps import bare, think

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@pytest.fixture
async def servers(engine_settings: Settings) -> AsyncIterator[Cluster]:
    async with cluster(Engine(engine_settings).status().uri) as made:
        yield made


@asynccontextmanager
async def service(settings: Settings, member: Member, **options: object) -> AsyncGenerator[Mind]:
    """A service with the address of a member."""
    there = settings.changed(
        neo4j_uri=member.uri,
        neo4j_password=Engine(settings).password(),
        **options,  # pyright: ignore[reportArgumentType]
    )
    async with Mind(there, session_id="session", embedder=FakeEmbedder()) as mind:
        yield mind


async def verified(mind: Mind) -> int:
    """The number of thoughts in the session's chain, which must verify."""
    report = await mind.operations["verify_chain"].call({"session_id": "session"})
    assert (report.valid, report.complete) == (True, True)
    return report.thought_count


async def test_writes_go_to_the_leader_and_reads_to_others_that_have_the_writes(
    servers: Cluster, settings: Settings
) -> None:
    leader, *readers = servers.members
    async with service(settings, readers[0]) as mind:
        thought = bare(await think(mind, "The breaker's timeout was raised."))
        written = leader.writes
        assert written >= 1
        assert readers[0].writes + readers[1].writes == 0
        before = [(reader.reads, reader.bookmarked) for reader in readers]
        found = await mind.operations["search"].call({"query": "breaker timeout", "method": "vector"})
        assert [hit.id for hit in found.hits] == [thought]
        assert await verified(mind) == 1  # a stream
        after = [(reader.reads, reader.bookmarked) for reader in readers]
        reads, bookmarked = [
            sum(now) - sum(then)
            for now, then in zip(zip(*after, strict=True), zip(*before, strict=True), strict=True)
        ]
        assert reads == bookmarked >= 2
        assert leader.writes == written
        assert leader.reads == 0


async def test_a_thought_finds_the_new_leader_despite_an_outdated_routing_table(
    servers: Cluster, settings: Settings
) -> None:
    old, new, _ = servers.members
    async with service(settings, old) as mind:
        await think(mind, "before")
        servers.leader = new  # the routing table has it when it is requested again

        async def learn() -> None:
            while not old.refused:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.5)
            servers.elect(new)

        learning = asyncio.create_task(learn())
        await asyncio.gather(*(think(mind, f"thought {number} meanwhile") for number in range(8)))
        await learning
        assert await verified(mind) == 9
        assert new.writes >= 8


async def test_acknowledged_thoughts_are_stored_once_when_the_leader_dies(
    servers: Cluster, settings: Settings
) -> None:
    old, new, other = servers.members
    async with service(settings, other) as mind:
        await think(mind, "before")
        thinking = [asyncio.create_task(think(mind, f"thought {number}")) for number in range(20)]
        while old.writes < 6:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        await servers.lose(old)
        await asyncio.sleep(1.0)  # an election
        servers.elect(new)
        results = await asyncio.gather(*thinking)
        assert len({result.delegated_result.thought_id for result in results}) == 20
        assert await verified(mind) == 21
        assert new.writes > 0


async def test_searches_continue_when_the_reader_at_the_configured_address_dies(
    servers: Cluster, settings: Settings
) -> None:
    _, first, other = servers.members
    async with service(settings, first) as mind:
        await think(mind, "The retry storm")
        for number in range(6):
            if number == 2:
                await servers.lose(first)
            found = await mind.operations["search"].call({"query": "retry storm"})
            assert len(found.hits) == 1
        assert other.reads > 0
        await think(mind, "and thinking, too")
        assert await verified(mind) == 2


async def test_several_services_share_the_cluster_and_one_chain(servers: Cluster, settings: Settings) -> None:
    async with (
        service(settings, servers.members[0]) as one,
        service(settings, servers.members[1]) as two,
        service(settings, servers.members[2]) as three,
    ):
        minds = (one, two, three)
        await asyncio.gather(
            *(think(mind, f"{number} of {id(mind)}") for mind in minds for number in range(5))
        )
        # Each reads its own writes; those of others once they are acknowledged.
        assert [await verified(mind) for mind in minds] == [15, 15, 15]


async def test_without_a_leader_writes_fail_after_a_while_and_reads_continue(
    servers: Cluster, settings: Settings
) -> None:
    async with service(settings, servers.members[1], retry_time=1.0) as mind:
        await think(mind, "before")
        servers.elect(None)
        async with asyncio.timeout(30):
            with pytest.raises(DatabaseError) as raised:
                await think(mind, "not now")
        assert raised.value.hint
        found = await mind.operations["search"].call({"query": "before"})
        assert len(found.hits) == 1
        servers.elect(servers.members[2])
        await think(mind, "again")
        assert await verified(mind) == 2


async def test_bolt_to_a_follower_has_a_hint_about_the_leader(servers: Cluster, settings: Settings) -> None:
    follower = servers.members[1]
    follower.uri = follower.uri.replace("neo4j://", "bolt://")
    async with service(settings, follower, retry_time=0.3) as mind:
        with pytest.raises(DatabaseError, match="not the leader") as raised:
            await think(mind, "to nobody")
        assert "neo4j://" in raised.value.hint
        assert (await mind.operations["search"].call({"query": "nobody"})).hits == []  # reads need no leader


async def test_an_unreachable_cluster_is_reported(servers: Cluster, settings: Settings) -> None:
    async with service(settings, servers.members[0], retry_time=0.5) as mind:
        await think(mind, f"before {uuid.uuid4()}")
        for member in servers.members:
            await servers.lose(member)
        async with asyncio.timeout(30):
            with pytest.raises(DatabaseUnreachable):
                await think(mind, "to nobody")
