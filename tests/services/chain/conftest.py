"""The chain that tests change: of the mind of their module."""

import pytest

from legacymind.mind import Mind
from tests.services.chain.chains import Chain, make


@pytest.fixture
async def chain(mind: Mind) -> Chain:
    return await make(mind)
