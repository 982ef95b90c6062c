"""Writes what the doors say about themselves: ``graphql/schema.graphql`` and ``tools.json``.

Run ``python -m legacymind.transport.export`` after changing an operation; tests compare both.
"""

from legacymind import files
from legacymind.mind import Mind
from legacymind.settings import Settings
from legacymind.transport import graphql, mcp_server


def main() -> None:
    """Write both files."""
    mind = Mind(Settings())
    files.path("graphql", "schema.graphql").write_text(graphql.sdl(), encoding="utf-8")
    mcp_server.CATALOGUE.write_text(mcp_server.catalogue(mind.operations.values()), encoding="utf-8")


if __name__ == "__main__":
    main()
