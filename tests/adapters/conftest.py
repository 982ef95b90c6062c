"""A Mind for adapters, in a loop of their own thread as in synchronous programs."""

from collections.abc import Iterator

import pytest

from legacymind import Mind, Settings
from legacymind.adapters.loops import HomeLoop
from tests.fakes import FakeEmbedder


@pytest.fixture
def own_mind(settings: Settings) -> Iterator[Mind]:
    """A mind that only an adapter calls, from synchronous code."""
    mind = Mind(settings, embedder=FakeEmbedder())
    yield mind
    HomeLoop().wait(mind.close())
