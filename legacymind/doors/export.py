"""Writes the generated descriptions of the doors: ``graphql/schema.graphql`` and ``doors/mcp/tools.json``.

Run ``python -m legacymind.doors.export`` after changing an operation. Tests fail while a file is out of date.
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
