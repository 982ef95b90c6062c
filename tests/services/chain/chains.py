"""A session of five steps, and the means of an intruder, for the tests of chains."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, LiteralString

from legacymind.mind import Mind
from legacymind.model.chain import ChainReport
from legacymind.services.chain import hashing
from tests.steps import store_thought
from tests.wire import one, raw

H = "MATCH (h:Session {namespace: $ns, id: $session}) "
"""The session of a chain, as ``h``."""

T = "MATCH (t:Thought {namespace: $ns, session_id: $session, step_index: 2}) "
"""Its third step, as ``t``."""

FIVE = (
    "MATCH (t:Thought {namespace: $ns, session_id: $session}) WITH t ORDER BY t.step_index "
    "WITH collect(t) AS s WITH s, s[0] AS a, s[1] AS b, s[2] AS c, s[3] AS d, s[4] AS e "
)
"""All of its steps, as ``s`` and as ``a`` to ``e``."""


async def think(mind: Mind, session: str, content: str, **options: Any) -> str:
    """Store a thought of a session and return its bare id."""
    return await store_thought(mind, content, session_id=session, **options)


@dataclass(frozen=True)
class Chain:
    """A session of five steps; the third has every kind of link, and a link of the last one is pending."""

    mind: Mind
    session: str
    ids: list[str]

    async def raw(self, statement: LiteralString) -> None:
        """Run any statement, which no door offers."""
        await raw(self.mind, statement, **self._where)

    async def one(self, statement: LiteralString, **parameters: Any) -> Any:
        """Return the one value of a statement."""
        return await one(self.mind, statement, **self._where, **parameters)

    async def verify(self) -> ChainReport:
        return await self.mind.operations["verify_chain"].call({"session_id": self.session})

    async def hash_of(self, step: int) -> str:
        """The stored chain hash of a step."""
        return await one(self.mind, "MATCH (t:Thought {id: $id}) RETURN t.chain_hash", id=self.ids[step])

    @property
    def _where(self) -> dict[str, str]:
        return {"ns": self.mind.settings.namespace, "session": self.session}


async def make(mind: Mind, session: str | None = None) -> Chain:
    """Store five thoughts, by default in a new session."""
    session = session or str(uuid.uuid4())
    first = await think(mind, session, "one")
    second = await think(mind, session, "two", tags=["plan", "idea"], confidence=0.5)
    links = {"revises_thought": first, "parent_id": second, "action_id": "act"}
    third = await think(mind, session, "three", author="ada", tags="plan", **links)
    fourth = await think(mind, session, "four", parent_id=second, hypothesis="it is four")
    fifth = await think(mind, session, "five", branch_from="not-yet")
    return Chain(mind, session, [first, second, third, fourth, fifth])


async def rehash(
    mind: Mind, thought_id: str, changes: Mapping[str, Any], prev_hash: str | None = None
) -> str:
    """Change a thought and recompute its hashes, as a forger would; return its chain hash."""
    statement = "MATCH (t:Thought {id: $id}) RETURN t {.*, embedding_a: null} AS t"
    (row,) = await raw(mind, statement, id=thought_id)
    thought: dict[str, Any] = {**row["t"], **changes}
    thought["content_digest"] = hashing.content_digest(thought["salt"], thought["content"])
    thought["content_hash"] = hashing.content_hash(thought)
    names = ["content", "content_digest", "content_hash"]
    if prev_hash is not None:
        thought["prev_hash"] = prev_hash
        thought["chain_hash"] = hashing.chain_hash(prev_hash, thought["content_hash"])
        names += ["prev_hash", "chain_hash"]
    written = {name: thought[name] for name in names}
    await raw(mind, "MATCH (t:Thought {id: $id}) SET t += $written", id=thought_id, written=written)
    return thought["chain_hash"]


async def branch(chain: Chain, after: int, contents: Sequence[str]) -> list[str]:
    """Continue a session after a step as another machine would that did not have the later ones."""
    statement = "MATCH (t:Thought {id: $id}) RETURN t {.*, embedding_a: null, tags: []} AS t"
    (row,) = await raw(chain.mind, statement, id=chain.ids[after])
    step: dict[str, Any] = row["t"]
    links = ("revises_thought", "parent_id", "action_id", "branch_from", "stored_at")
    ids = list[str]()
    for content in contents:
        step = {
            **{name: value for name, value in step.items() if name not in links},
            "id": str(uuid.uuid4()),
            "content": content,
            "created_at": (now := datetime.now(UTC)),
            "recorded_at": now,
            "content_digest": hashing.content_digest(step["salt"], content),
            "previous_thought_id": step["id"],
            "step_index": step["step_index"] + 1,
            "prev_hash": step["chain_hash"],
        }
        step["content_hash"] = hashing.content_hash(step)
        step["chain_hash"] = hashing.chain_hash(step["prev_hash"], step["content_hash"])
        await raw(
            chain.mind,
            "MATCH (h:Session {namespace: $ns, id: $session}) MATCH (p:Thought {id: $previous}) "
            "CREATE (t:Thought)-[:IN_SESSION]->(h) SET t = $step CREATE (t)-[:FOLLOWS]->(p)",
            ns=chain.mind.settings.namespace,
            session=chain.session,
            previous=step["previous_thought_id"],
            step=step,
        )
        ids.append(step["id"])
    await chain.raw(
        H + "MATCH (t:Thought {namespace: $ns, session_id: $session}) WHERE t.id <> h.head_id "
        "AND NOT EXISTS { (t)<-[:FOLLOWS]-() } "
        "WITH h, collect(t.chain_hash + ' ' + t.step_index + ' - ' + t.id) AS ends SET h.branches = ends"
    )
    return ids
