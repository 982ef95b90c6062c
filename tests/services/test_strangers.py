"""Every operation with an id answers a stranger's session for a private thought as for an unknown id."""

import itertools
import re
import uuid
from collections.abc import AsyncIterator
from typing import Any, Final, get_args, get_origin

import pytest

from legacymind.calls import calling
from legacymind.composition import declared_operations
from legacymind.doors.answer import jsonable
from legacymind.errors import LegacyMindError
from legacymind.mind import Mind
from legacymind.model.about import is_record, members, unwrap
from legacymind.model.members import IdForm
from legacymind.settings import Settings
from tests.steps import own_namespace, store_thought
from tests.wire import raw

pytestmark = pytest.mark.anyio

GROUPS: Final = {"session_id", "own_session_id", "chain_id", "context_id"}
"""Names of sessions, which are no secrets, and of labels: no node has such an id."""

UNMARKED: Final = {"merge": ["keep", "others"], "quarantine": ["ids"]}
"""Parameters that take an id or a name, or several."""

TEXT: Final = "An unrelated remark."
REQUIRED: Final[dict[str, dict[str, Any]]] = {
    "think": {"content": TEXT, "injection_scale": 0},
    "think_convo": {"content": TEXT, "injection_scale": 0},
    "think_technical": {"content": TEXT, "injection_scale": 0},
    "think_batch": {"thoughts": {"content": TEXT, "injection_scale": 0}},
    "record_outcome": {"thought_id": "public", "outcome": "success"},
    "search": {},
    "search_thoughts": {},
    "search_facets": {},
    "walk_trail": {"direction": "both"},
    "thoughts_links": {},
    "get": {},
    "explain_recall": {"thought_id": "public"},
    "remember": {
        "observations": {"entity": "Kettle", "content": "It boils."},
        "relations": {"source": "Kettle", "target": "Stove", "type": "STANDS_ON"},
    },
    "entity": {},
    "forget": {},
    "merge": {"keep": "entity", "others": ["entity"]},
    "thought_record": {"thought_type": "plan", "content": TEXT},
    "thought_plan": {"plan_description": TEXT},
    "thought_analysis": {"analysis": TEXT},
    "thought_decision": {"decision": TEXT},
    "thought_reflection": {"reflection": TEXT},
    "redact_thought": {"reason": "none"},
    "relate_thought": {"thought_id": "public", "target_id": "other"},
    "pin_thought": {},
    "thought_for_action": {},
    "thought_reasoning_trail": {},
    "curate": {"action": "restore"},
    "confirm": {},
    "touched": {},
    "quarantine": {},
    "release": {},
}
"""The other arguments of each operation that takes an id. A new operation needs a line."""

NOT_OF_THOUGHTS: Final = {
    *(("entity", "id"), ("merge", "keep"), ("merge", "others")),
    *(("remember", "observations.supersedes"), ("remember", "relations.supersedes")),
    ("explain_recall", "memory_id"),  # of a public thought, which cannot have recalled a private one
    *(
        (name, "action_id")
        for name, operation in declared_operations().items()
        if operation.declaration.writes
    ),
    ("think_batch", "thoughts.action_id"),
    ("release", "step"),  # of a quarantine
}
"""Parameters with which not even the owner's session reaches a thought."""


def takes_id(annotation: Any) -> bool:
    found = getattr(annotation, "__metadata__", ())
    return IdForm.BARE in found or any(takes_id(part) for part in get_args(annotation))


def parameters_with_ids() -> list[tuple[str, str]]:
    """Each operation with each parameter, or member of a record in a list, that takes the id of a node."""
    found: list[tuple[str, str]] = []
    for name, operation in declared_operations().items():
        named = UNMARKED.get(name, [])
        for parameter in operation.parameters:
            kind, _ = unwrap(parameter.annotation)
            if takes_id(parameter.annotation) or parameter.name in named:
                found.append((name, parameter.name))
            if get_origin(kind) is list and is_record(record := get_args(kind)[0]):
                inner = [member for member, annotation, _ in members(record) if takes_id(annotation)]
                found += [(name, f"{parameter.name}.{member}") for member in inner]
    return [(name, path) for name, path in found if path.split(".")[-1] not in GROUPS]


class Case:
    """A memory with a private thought of the session ``owner``, and a stranger in it."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        self.numbers = itertools.count()
        self.nodes: dict[str, str] = {}

    async def private(self) -> dict[str, str]:
        """A new private thought between two others, and an action that only it led to."""
        action = f"act-{uuid.uuid4()}"
        owner: dict[str, Any] = {"session_id": "owner", "is_private": True}
        before = await store_thought(self.mind, "I am stuck.", hint="stuck", **owner)
        thought = await store_thought(self.mind, "My secret.", action_id=action, parent_id=before, **owner)
        for link in ("parent_id", "revises_thought", "branch_from"):
            await store_thought(self.mind, "More of it.", **{link: thought}, **owner)
        return {"thought": thought, "action": action}

    async def outcome(self, name: str, path: str, id: str, session: str) -> str:
        """What the session gets, without what differs between any two calls."""
        given: dict[str, Any] = {**REQUIRED[name]}
        outer, _, inner = path.partition(".")
        if inner:
            given = {outer: [{**given[outer], inner: id}]}
        elif name == "merge" and path == "others":
            given["others"] = [id]
        elif name == "think_batch":
            given = {"thoughts": [given["thoughts"]]}
        else:
            given[path] = id
        given = {
            key: self.nodes.get(value, value) if isinstance(value, str) else value
            for key, value in given.items()
        }
        given["others"] = [self.nodes.get(other, other) for other in given.get("others", [])]
        if name != "merge":
            del given["others"]
        operation = self.mind.operations[name]
        named = any(one.name == "session_id" for one in operation.parameters)
        named = named and name != "forget"  # there it says what to forget
        if operation.declaration.writes and named:
            given["session_id"] = session
        try:
            with calling(session=session):
                answer = str(jsonable(await operation.call(given)))
        except LegacyMindError as error:
            answer = str(error.envelope())
        answer = answer.replace(id, "ID").replace(session, "SESSION")
        answer = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UUID", answer)
        answer = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)", "TIME", answer)
        answer = re.sub(r"'[0-9a-f]{16,}…?'", "HASH", answer)
        return re.sub(r"'(processing_time|seconds|embedding_ms|took)[^,}]*", "SECONDS", answer)

    async def state(self, id: str) -> Any:
        rows = await raw(
            self.mind,
            "MATCH (t:Thought {id: $id}) RETURN t {.*, lock: null} AS stored, "
            "COLLECT { MATCH (t)-[r]-() RETURN type(r) ORDER BY type(r) } AS relations",
            id=id,
        )
        return rows[0]["stored"], rows[0]["relations"]


@pytest.fixture(scope="module")
async def case(engine_settings: Settings) -> AsyncIterator[Case]:
    async with own_namespace(engine_settings) as mind:
        made = Case(mind)
        made.nodes["public"] = await store_thought(mind, "A public thought.", session_id="public")
        made.nodes["other"] = await store_thought(mind, "Another one.", session_id="public")
        remembered = await mind.remember(entities=[{"name": "Kettle"}, {"name": "Stove"}])  # pyright: ignore[reportArgumentType]
        made.nodes["entity"] = remembered.entities[0].id
        yield made


@pytest.mark.parametrize(("name", "path"), parameters_with_ids())
async def test_a_private_thought_is_answered_as_an_unknown_id(case: Case, name: str, path: str) -> None:
    made = await case.private()
    of_action = path.endswith("action_id")
    private, unknown = (
        made["action" if of_action else "thought"],
        f"act-{uuid.uuid4()}" if of_action else str(uuid.uuid4()),
    )
    before = await case.state(made["thought"])
    number = next(case.numbers)
    answer = await case.outcome(name, path, private, f"stranger-{number}a")
    assert answer == await case.outcome(name, path, unknown, f"stranger-{number}b")
    assert await case.state(made["thought"]) == before
    if (name, path) not in NOT_OF_THOUGHTS:
        assert answer != await case.outcome(name, path, private, "owner")
