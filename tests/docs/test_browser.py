"""The commands of docs/interfaces/browser.md run, and its table has every saved query."""

import re

from legacymind.doors.cli.commands.browser import saved_queries
from tests.docs.pages import DOCS, outputs

TEXT = (DOCS / "interfaces/browser.md").read_text(encoding="utf-8")


def test_the_commands_of_the_page_run(real_env: dict[str, str]) -> None:
    printed = outputs("browser", real_env)
    assert "t.session_id%20%3D%20%27" in printed[1]


def test_the_table_has_every_saved_query() -> None:
    rows = re.findall(r"^\| `(\w+)` \|.*\| (.*) \|$", TEXT, re.MULTILINE)
    assert {name for name, _ in rows} == saved_queries().keys()
    for name, parameters in rows:
        own = set(re.findall(r"^:param (\w+)", saved_queries()[name], re.MULTILINE)) - {"namespace"}
        assert set(re.findall(r"`(\w+)`", parameters)) == own, name
