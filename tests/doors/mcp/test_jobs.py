"""The jobs of an agent with the core tools are solved with the real model, in answers of a fixed size."""

import pytest

from bench.jobs import SEARCH_TOKENS, THINK_TOKENS, play

pytestmark = pytest.mark.anyio


@pytest.mark.slow
async def test_every_job_is_solved_within_the_tokens_of_an_answer(real_env: dict[str, str]) -> None:
    played, largest = await play(real_env)
    assert not [(one.title, one.fault) for one in played if one.fault]
    assert largest["legacymind_think"] <= THINK_TOKENS
    assert largest["legacymind_search"] <= SEARCH_TOKENS
