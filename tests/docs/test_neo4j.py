"""docs/operation/neo4j.md names settings that exist, and limits as in the code."""

import re
from pathlib import Path

import pytest

from legacymind.db.options import Limits, driver_options
from legacymind.mind import Mind, locate
from legacymind.settings import TABLE, Settings, load_settings

TEXT = (Path(__file__).parents[2] / "docs" / "operation/neo4j.md").read_text(encoding="utf-8")


def test_every_setting_on_the_page_exists() -> None:
    variables = {each.variable for each in TABLE.values()}
    named = set(re.findall(r"\b(?:LEGACYMIND|NEO4J)_[A-Z0-9_]+\b", TEXT))
    assert named
    assert named <= variables


async def located(settings: Settings) -> dict[str, object]:
    mind = Mind(settings)
    return driver_options(await locate(mind.settings, mind.engine), mind.graph._limits)  # pyright: ignore[reportPrivateUsage]


@pytest.mark.anyio
async def test_its_configuration_reaches_the_driver(tmp_path: Path) -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)
    (tmp_path / "legacymind.toml").write_text(block, encoding="utf-8")
    options = await located(load_settings({"NEO4J_PASSWORD": "s3cret"}, tmp_path / "legacymind.toml"))
    assert options["uri"] == "neo4j+s://graph.example.org:7687"
    assert options["auth"] == ("legacymind", "s3cret")
    assert options["max_connection_pool_size"] == 100


def test_its_limits_are_those_of_the_code() -> None:
    limits = Limits()
    documented = dict(re.findall(r"^\| (.+?) \| (\d+) s\b", TEXT, re.MULTILINE))
    assert documented == {
        "opening a connection": f"{limits.connect:.0f}",
        "waiting for a free connection": f"{limits.wait:.0f}",
        "a statement": f"{limits.statement:.0f}",
        "retrying transient errors": f"{limits.retry:.0f}",
    }
    several = r"^\| (a transaction|a stream|a statement's first).*?\| (\d+) ×"
    times = dict(re.findall(several, TEXT, re.MULTILINE))
    assert limits.transaction == int(times["a transaction"]) * limits.statement
    assert limits.transaction == int(times["a statement's first"]) * limits.statement
    assert limits.stream == int(times["a stream"]) * limits.statement
    assert limits.answer == limits.connect + limits.wait + limits.statement + 5
