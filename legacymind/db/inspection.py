"""A connection that looks at a database as it is: it starts nothing, upgrades nothing and retries nothing."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from neo4j import exceptions as neo

from legacymind.db.connection import Connection, DatabaseRow
from legacymind.db.errors import translate
from legacymind.db.gate import Gate
from legacymind.db.options import Address, Limits
from legacymind.db.query import Parameters, Query, Row
from legacymind.db.sending import checked


class Inspection:
    """An open connection. ``address`` is that of the server; ``run`` raises a DatabaseError."""

    def __init__(self, connection: Connection, address: Address) -> None:
        self._connection = connection
        self.address = address

    async def read_server(self) -> DatabaseRow:
        """The server, and LegacyMind's node as it is now."""
        try:
            return await self._connection.read_server()
        except (neo.DriverError, neo.Neo4jError, ValueError) as raised:
            cause = await self._connection.diagnose(raised)
            raise translate(cause, self.address.uri, self.address.pid) from cause

    async def run(self, query: Query[Row], parameters: Parameters) -> list[Row]:
        """Run a statement in its own transaction."""
        limits = self._connection.limits
        try:
            return await self._connection.execute(
                query, checked(query, parameters), limits.stream if query.long_running else None
            )
        except (neo.DriverError, neo.Neo4jError) as raised:
            raise translate(raised, self.address.uri, self.address.pid) from raised


@asynccontextmanager
async def inspect(address: Address, limits: Limits) -> AsyncGenerator[Inspection]:
    """Open a connection to look at a database. Raises DatabaseUnreachable for a malformed address."""
    gate = Gate(limits.statements, limits.waiting, limits.wait)
    try:
        connection = Connection(address, limits, gate)
    except (neo.DriverError, ValueError) as raised:
        raise translate(raised, address.uri) from raised
    try:
        yield Inspection(connection, address)
    finally:
        await connection.close()
