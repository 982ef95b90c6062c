"""Tests that run the commands of a page as a user are marked ``docs``."""

from pathlib import Path

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark those that have the environment of a user."""
    names: tuple[str, ...] = getattr(item, "fixturenames", ())
    if item.path.parent == Path(__file__).parent and "real_env" in names:
        item.add_marker("docs")
        item.add_marker(pytest.mark.limit(600))
