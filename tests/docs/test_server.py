"""docs/operation/server.md names settings, paths and codes that exist."""

import re
from pathlib import Path

from legacymind.doors.http.app import build_app
from legacymind.mind import Mind
from legacymind.settings import TABLE, Settings
from tests.test_errors import EVERY

TEXT = (Path(__file__).parents[2] / "docs" / "operation/server.md").read_text(encoding="utf-8")


def test_every_setting_exists() -> None:
    variables = {each.variable for each in TABLE.values()}
    assert set(re.findall(r"LEGACYMIND_\w+", TEXT)) <= variables


def test_every_path_of_the_server_is_described() -> None:
    routes = {getattr(route, "path", "") for route in build_app(Mind(Settings())).routes}
    first = {"/" + path.split("/")[1] for path in routes}
    assert set(re.findall(r"`(/\w*)`", TEXT)) == first


def test_every_code_exists() -> None:
    codes = re.findall(r"^\| \d{3}[^|]*\| `(\w+)` \|", TEXT, re.MULTILINE)
    assert len(codes) >= 5
    assert set(codes) <= {kind.code for kind in EVERY}
