"""The documented program and the product agree on chains that were damaged at random."""

import os
import random
from collections.abc import AsyncIterator
from typing import Any, Final

import pytest

from legacymind.model.stored import VERIFIED
from legacymind.settings import Settings
from tests.services.chain.chains import Chain, T, make, think
from tests.services.chain.documented import check_agrees
from tests.steps import own_namespace
from tests.wire import one, raw

pytestmark = [pytest.mark.anyio, pytest.mark.limit(600)]

DAMAGES: Final = 300 if os.environ.get("LEGACYMIND_TEST_FAULTS") == "long" else 60
"""Damages in a run; ``python -m tests.faults --long`` has all."""

SECRET: Final = "first-secret-of-32-characters-000"
HEAD: Final = ("head_hash", "head_step", "head_id", "head_key_id")
VALUES: Final[tuple[Any, ...]] = (
    None,
    "",
    "forged",
    "00" * 32,
    "00",
    0,
    1,
    7,
    -1,
    2.0,
    0.5,
    True,
    ["plan"],
    [],
)


@pytest.fixture(scope="module", params=["", SECRET], ids=["unkeyed", "keyed"])
async def chain(engine_settings: Settings, request: pytest.FixtureRequest) -> AsyncIterator[Chain]:
    """A session of eight steps with a redaction."""
    settings = engine_settings.changed(chain_key=request.param)
    async with own_namespace(settings) as mind:
        made = await make(mind, "session")
        secret = await think(mind, "session", "private", hypothesis="it is secret")
        await mind.operations["redact_thought"].call({"thought_id": secret, "reason": "a name"})
        await think(mind, "session", "eight")
        yield made


class Damage:
    """One or two changes of the properties of a session's nodes, made at random but again the same."""

    def __init__(self, chain: Chain, seed: int, nodes: list[dict[str, Any]]) -> None:
        self._mind, self._random, self._nodes = chain.mind, random.Random(seed), nodes
        self.what: list[str] = []

    async def make(self) -> None:
        for _ in range(self._random.choice((1, 1, 2))):
            await self._random.choice((self._set, self._set, self._exchange, self._copy, self._reset))()

    async def _write(self, node: dict[str, Any], name: str, value: Any) -> None:
        self.what.append(f"{node['step']}.{name} = {value!r}")
        await raw(
            self._mind,
            "MATCH (n) WHERE elementId(n) = $id SET n[$name] = $value",
            id=node["id"],
            name=name,
            value=value,
        )

    async def _set(self) -> None:
        """Any value in any property, or one of another letter case or of another step."""
        node = self._random.choice(self._nodes)
        name = self._random.choice(HEAD if node["step"] is None else sorted(VERIFIED))
        own, other = node["properties"].get(name), self._random.choice(self._nodes)["properties"].get(name)
        more = (own.upper(), own + " ", own[:-1]) if isinstance(own, str) else ()
        await self._write(node, name, self._random.choice((*VALUES, *more, other, other)))

    async def _exchange(self) -> None:
        """Two steps exchange a property."""
        name = self._random.choice(("step_index", "content", "salt", "chain_hash", "tags", "session_id"))
        first, second = self._random.sample([node for node in self._nodes if node["step"] is not None], 2)
        if name == "session_id":
            await self._write(first, name, "elsewhere")  # as if it was deleted
            return
        await self._write(first, name, second["properties"].get(name))
        await self._write(second, name, first["properties"].get(name))

    async def _copy(self) -> None:
        """A step of the same number or of the next one."""
        node = self._random.choice([node for node in self._nodes if node["step"] is not None])
        step = node["step"] + self._random.choice((0, 1, len(self._nodes)))
        self.what.append(f"{node['step']} copied to {step}")
        await raw(
            self._mind,
            "MATCH (n) WHERE elementId(n) = $id CREATE (x:Thought) "
            "SET x = n {.*, id: 'copy ' + randomUUID(), step_index: $step, embedding_a: null}",
            id=node["id"],
            step=step,
        )

    async def _reset(self) -> None:
        """The head of an earlier step."""
        node = self._random.choice([node for node in self._nodes if node["step"] is not None])
        (head,) = [node for node in self._nodes if node["step"] is None]
        of = {"head_hash": "chain_hash", "head_step": "step_index", "head_id": "id", "head_key_id": "key_id"}
        for name in self._random.sample(HEAD, self._random.choice((1, 4))):
            await self._write(head, name, node["properties"].get(of[name]))


async def test_a_list_in_place_of_what_a_step_redacts_is_exported(chain: Chain) -> None:
    await chain.raw(T + "SET t.redacts = ['another']")
    report = await chain.verify()
    assert report.verdict == "broken"
    await check_agrees(chain, report, *filter(None, [chain.mind.settings.chain_key]))


@pytest.mark.slow
async def test_the_documented_program_agrees_on_every_damage(chain: Chain) -> None:
    mind, keys = chain.mind, [chain.mind.settings.chain_key] if chain.mind.settings.chain_key else []
    ns = mind.settings.namespace
    nodes = await one(
        mind,
        "MATCH (n {namespace: $ns}) WHERE n:Session OR n:Thought "
        "RETURN collect({id: elementId(n), step: n.step_index, properties: n {.*, embedding_a: null}})",
        ns=ns,
    )
    for node in nodes:
        node["before"] = {name: node["properties"].get(name) for name in (*VERIFIED, *HEAD)}
    found: set[str] = set()
    for seed in range(DAMAGES // 2):
        damage = Damage(chain, seed, nodes)
        await damage.make()
        report = await chain.verify()
        try:
            await check_agrees(chain, report, *keys)
        except AssertionError as disagreed:
            raise AssertionError(f"seed {seed}: {damage.what}: {disagreed}") from disagreed
        found |= {report.verdict, *(fault.kind for fault in report.faults)}
        await raw(
            mind,
            "MATCH (x:Thought {namespace: $ns}) WHERE x.id STARTS WITH 'copy ' DETACH DELETE x",
            ns=ns,
        )
        await raw(
            mind,
            "UNWIND $nodes AS node MATCH (n) WHERE elementId(n) = node.id SET n += node.before",
            nodes=[{"id": node["id"], "before": node["before"]} for node in nodes],
        )
        report = await chain.verify()
        assert report.verdict == "intact", (damage.what, report.faults)
    assert found >= {"broken", "truncated", "content", "record", "missing", "duplicate", "head", "hash"}
