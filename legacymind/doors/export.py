"""Writes what the doors say about themselves: ``graphql/schema.graphql`` and ``tools.json``.

Run ``python -m legacymind.doors.export`` after changing an operation; tests compare both.
"""

from legacymind import files
from legacymind.doors.graphql import schema
from legacymind.doors.mcp import server
from legacymind.mind import Mind
from legacymind.settings import Settings


def main() -> None:
    """Write both files."""
    mind = Mind(Settings())
    files.path("graphql", "schema.graphql").write_text(schema.sdl(), encoding="utf-8")
    server.CATALOGUE.write_text(server.catalogue(mind.operations.values()), encoding="utf-8")


if __name__ == "__main__":
    main()
