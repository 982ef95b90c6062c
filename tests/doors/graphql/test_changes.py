"""The changelog names every change of the schema that breaks clients of the last release."""

import re
from pathlib import Path

from graphql import build_schema, find_breaking_changes

from legacymind import files

CHANGELOG = (Path(__file__).parents[3] / "CHANGELOG.md").read_text(encoding="utf-8")
RELEASED = Path(__file__).with_name("released.graphql").read_text(encoding="utf-8")


def test_every_breaking_change_is_in_the_changelog() -> None:
    changes = find_breaking_changes(
        build_schema(RELEASED), build_schema(files.text("graphql", "schema.graphql"))
    )
    unreleased = re.split(r"^## ", CHANGELOG, flags=re.MULTILINE)[1]
    named = set(re.findall(r"`([\w.]+)`", unreleased))
    for change in changes:
        # Such as "Field Hit.score changed", "Argument Query.get(id:) was removed", "Relation was removed".
        member = re.search(r"\w+\.\w+", change.description)
        what = member[0] if member else change.description.split()[0]
        assert what in named, f"Add `{what}` to CHANGELOG.md: {change.description}"


def test_the_released_schema_is_that_of_the_last_release() -> None:
    last = re.findall(r"^## \[(\d[^]]*)\]", CHANGELOG, re.MULTILINE)[0]
    assert RELEASED.startswith(f"# The schema of version {last}."), (
        "copy graphql/schema.graphql to released.graphql, with this line at its head"
    )
