"""A cluster in front of one real Neo4j: members route, refuse writes, change their leader and disappear.

Community Edition has no clusters. Only the Bolt messages of a cluster are simulated: the routing table, and
the error of a member that is not the leader. The real server runs every statement.
"""

import asyncio
import contextlib
import struct
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Final, cast

# Bolt's messages, by the second byte.
_GOODBYE, _RESET, _RUN, _BEGIN, _ROUTE = 0x02, 0x0F, 0x10, 0x11, 0x66
_SUCCESS, _RECORD, _FAILURE, _IGNORED = 0x70, 0x71, 0x7F, 0x7E

# Proposes Bolt 6.0 and 5.8 to 5.0, and no newer handshake, which is not supported here.
_HELLO: Final = bytes.fromhex("6060b017 00000006 00080805 00000000 00000000")


class Member:
    """One server of the cluster, at a port of its own, with the requests that it received and refuses."""

    def __init__(self, cluster: "Cluster") -> None:
        self._cluster = cluster
        self._server: asyncio.Server | None = None
        self._serving: list[asyncio.Task[Any]] = []
        self._writers: list[asyncio.StreamWriter] = []
        self.uri = ""
        self.address = ""
        self.reads = 0
        self.writes = 0
        self.refused = 0
        self.bookmarked = 0
        """The number of reads with a bookmark."""

    async def start(self) -> None:
        """Listen at the same port as before."""
        port = int(self.address.rpartition(":")[2] or 0)
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", port)
        self.address = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        self.uri = f"neo4j://{self.address}"

    async def stop(self) -> None:
        """Disappear: close the port and all connections."""
        if self._server is not None:
            self._server.close()
            self._server = None
        serving = [task for task in self._serving if task.cancel()]
        await asyncio.gather(*serving, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()
        await asyncio.sleep(0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if (task := asyncio.current_task()) is not None:
            self._serving.append(task)
        self._writers.append(writer)
        far_reader, far_writer = await asyncio.open_connection(*self._cluster.behind)
        self._writers.append(far_writer)
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await reader.readexactly(len(_HELLO))
            far_writer.write(_HELLO)
            writer.write(await far_reader.readexactly(4))
            failed = False
            while True:
                message = await _message(reader)
                kind = message[1]
                if kind == _RESET:
                    failed = False
                elif failed:
                    writer.write(_framed(bytes([0xB0, _IGNORED])))
                    continue
                if kind == _ROUTE:
                    writer.write(_framed(b"\xb1" + bytes([_SUCCESS]) + _packed(self._cluster.table())))
                    continue
                if kind in (_RUN, _BEGIN) and not self._takes(message):
                    failed = True
                    writer.write(_framed(b"\xb1" + bytes([_FAILURE]) + _packed(_NOT_A_LEADER)))
                    continue
                far_writer.write(_framed(message))
                if kind == _GOODBYE:
                    break
                failed = await self._answer(far_reader, writer)
        for end in (writer, far_writer):
            end.close()

    def _takes(self, message: bytes) -> bool:
        if message[1] == _RUN and b"\x82db" not in message:  # in an open transaction
            return True
        if _packed({"mode": "r"})[1:] in message:
            self.reads += 1
            self.bookmarked += b"\x89bookmarks" in message
            return True
        if self._cluster.leader is not self:
            self.refused += 1
            return False
        self.writes += 1
        return True

    @staticmethod
    async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Forward records until the message that ends them; returns whether that was a failure."""
        while True:
            message = await _message(reader)
            writer.write(_framed(message))
            if message[1] != _RECORD:
                await writer.drain()
                return message[1] in (_FAILURE, _IGNORED)


class Cluster:
    """Members in front of one server; ``leader`` takes the writes, None while there is none."""

    def __init__(self, behind: str) -> None:
        host, _, port = behind.rpartition("://")[2].partition(":")
        self.behind = (host, int(port))
        self.members = [Member(self) for _ in range(3)]
        self.leader: Member | None = self.members[0]
        self.told: Member | None = self.members[0]
        """The leader in the routing table, which is updated later."""
        self.alive = set(self.members)

    def elect(self, leader: Member | None) -> None:
        """Make a member the leader, also in the routing table."""
        self.leader = self.told = leader

    async def lose(self, member: Member) -> None:
        """Remove a member; if it is the leader, the cluster has none."""
        self.alive.discard(member)
        if self.leader is member:
            self.elect(None)
        await member.stop()

    def table(self) -> dict[str, Any]:
        """The routing table, valid for a minute."""
        readers = [member for member in self.members if member in self.alive and member is not self.told]
        roles = {
            "WRITE": [self.told] if self.told is not None else [],
            "READ": readers,
            "ROUTE": [member for member in self.members if member in self.alive],
        }
        servers = [
            {"addresses": [member.address for member in members], "role": role}
            for role, members in roles.items()
        ]
        return {"rt": {"ttl": 60, "db": "neo4j", "servers": servers}}


@asynccontextmanager
async def cluster(behind: str) -> AsyncGenerator[Cluster]:
    """Three members in front of the server at the Bolt address ``behind``."""
    made = Cluster(behind)
    for member in made.members:
        await member.start()
    try:
        yield made
    finally:
        for member in made.members:
            await member.stop()


async def _message(reader: asyncio.StreamReader) -> bytes:
    """One message without its frame."""
    parts: list[bytes] = []
    while True:
        (length,) = struct.unpack(">H", await reader.readexactly(2))
        if length:
            parts.append(await reader.readexactly(length))
        elif parts:  # an empty chunk alone keeps the connection alive
            return b"".join(parts)


def _framed(message: bytes) -> bytes:
    chunks = (message[at : at + 0xFFFF] for at in range(0, len(message), 0xFFFF))
    return b"".join(struct.pack(">H", len(chunk)) + chunk for chunk in chunks) + b"\0\0"


def _packed(value: object) -> bytes:
    """The part of PackStream that is needed here."""
    if isinstance(value, dict):
        pairs = cast("dict[str, object]", value)
        return bytes([0xA0 + len(pairs)]) + b"".join(_packed(part) for pair in pairs.items() for part in pair)
    if isinstance(value, list):
        items = cast("list[object]", value)
        return bytes([0x90 + len(items)]) + b"".join(map(_packed, items))
    if isinstance(value, str):
        text = value.encode()
        head = bytes([0x80 + len(text)]) if len(text) < 16 else bytes([0xD0, len(text)])
        return head + text
    assert isinstance(value, int)
    return bytes([value])  # of 0 to 127


_NOT_A_LEADER: Final = {
    "code": "Neo.ClientError.Cluster.NotALeader",
    "neo4j_code": "Neo.ClientError.Cluster.NotALeader",
    "message": "This member is not the leader.",
    "gql_status": "08N07",
    "description": "error: connection exception - not the leader",
    "diagnostic_record": dict[str, str](),
}
