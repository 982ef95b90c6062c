"""The stored graph as classes of neomodel, for scripts: ``pip install 'legacymind[ogm]'``.

A label of memories is a class, a relationship type an attribute (docs/interfaces/notebooks.md). The
constraints and indexes belong to ``cypher/schema``; neomodel's ``install_labels`` is not needed. Do not use
its ``FulltextFilter`` and ``VectorFilter``, which paste text into Cypher; use ``Mind.search``.
"""

# pyright: basic, reportMissingImports=false
import asyncio
import uuid
import warnings
from collections.abc import Callable, Coroutine, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, TypeVar

from neo4j import Driver, GraphDatabase

from legacymind.db.options import Address, driver_options
from legacymind.errors import ConfigurationError, InvalidInput
from legacymind.mind import Mind, limits_of, locate
from legacymind.model import stored
from legacymind.model.base import OPEN, RESERVED
from legacymind.model.properties import Type, properties
from legacymind.services.maintain.adoption import Adoption
from legacymind.services.shared import checks
from legacymind.settings import Settings, load_settings
from legacymind.text import keys

try:
    from neomodel import (
        ArrayProperty,
        BooleanProperty,
        DateTimeNeo4jFormatProperty,
        FloatProperty,
        IntegerProperty,
        RelationshipFrom,
        RelationshipManager,
        RelationshipTo,
        StringProperty,
        StructuredNode,
        StructuredRel,
        db,
        get_config,
    )
    from neomodel.properties import Property
except ImportError:
    raise ConfigurationError(
        "legacymind.ogm needs the package neomodel.", hint="Run `pip install 'legacymind[ogm]'`."
    ) from None


T = TypeVar("T")


@contextmanager
def connected(settings: Settings | None = None) -> Generator[Driver]:
    """Connect neomodel to LegacyMind's database, and yield the driver that it uses.

    Starts the managed engine and creates the schema if necessary. At the end, nodes made by hand are adopted,
    those that the block has saved among them, unless ``adopt_interval`` turns adoption off; each that cannot
    be used is a warning. neomodel has one
    connection for the whole process, so contexts do not nest. Without ``settings``, they are read as ``Mind``
    reads them. Raises the errors of ``Mind``.
    """
    used = settings or load_settings()

    async def open_database() -> Address:
        async with Mind(used) as mind:
            await mind.graph.ready()
            return await locate(mind.settings, mind.engine)

    async def adopt() -> Adoption:
        async with Mind(used) as mind:
            return await mind.adopt()

    address = _run(open_database())
    options: dict[str, Any] = driver_options(address, limits_of(used))
    with GraphDatabase.driver(**options) as driver:  # pyright: ignore[reportUnknownMemberType]
        get_config().database_name = address.database
        db.set_connection(driver=driver)
        try:
            yield driver
        finally:
            db.close_connection()
    if used.adopts_every:
        for refused in _run(adopt()).refused:
            node = f"The {refused.kind} {refused.element_id}"
            warnings.warn(f"{node} is saved, but not used: {refused.reason}", stacklevel=3)


def _run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a thread of its own: a notebook already has a running event loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


# With the module: neomodel would take a class of that name from an importing module (pytest has a Session).
_THOUGHT, _ENTITY, _OBSERVATION, _SESSION, _ACTION, _PENDING = (
    f"{__name__}.{name}" for name in ("Thought", "Entity", "Observation", "Session", "Action", "Pending")
)


def _new_id() -> str:
    return str(uuid.uuid4())


def _now() -> datetime:
    return datetime.now(UTC)


class Moment(DateTimeNeo4jFormatProperty):
    """A time with a time zone. Without one, Neo4j would store a local time, which no filter finds."""

    def deflate(self, value: Any, *arguments: Any, **options: Any) -> Any:
        """The value for the driver. Raises InvalidInput if it has no time zone."""
        if isinstance(value, datetime) and value.tzinfo is None:
            raise InvalidInput(f"{self.name} has no time zone.", hint="Use datetime.now(UTC), for example.")
        return super().deflate(value, *arguments, **options)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  # untyped


_PROPERTIES: Final[dict[Type, Callable[..., Property[Any]]]] = {
    "text": StringProperty,
    "whole": IntegerProperty,
    "number": FloatProperty,
    "flag": BooleanProperty,
    "time": Moment,
    "texts": partial(ArrayProperty, StringProperty()),
    "numbers": partial(ArrayProperty, FloatProperty()),
}


_RENAMED: Final = {"id": "uid"}
"""neomodel uses ``id`` itself."""


def _properties(record: type, renamed: Mapping[str, str] = _RENAMED) -> dict[str, Property[Any]]:
    """The attributes of a class for the properties of a record."""
    return {
        renamed.get(name, name): _PROPERTIES[each.type](db_property=name)
        for name, each in properties(record).items()
    }


class Recalls(StructuredRel):
    """RECALLS: why a thought recalled a memory."""

    vars().update(_properties(stored.Recalls))


class Lateral(StructuredRel):
    """ASSOCIATES, REFERENCES and DEPENDS_ON; ``made_by`` is ``knn`` if an analysis found a similarity."""

    vars().update(_properties(stored.Lateral))


class Evidence(StructuredRel):
    """REINFORCES and CONTRADICTS."""

    vars().update(_properties(stored.Evidence))


class Solves(StructuredRel):
    """SOLVES."""

    vars().update(_properties(stored.Stated))


class Revises(StructuredRel):
    """REVISES; only a superseding observation has ``created_at``."""

    vars().update(_properties(stored.Made))


class Awaits(StructuredRel):
    """AWAITS; ``type`` is the relationship type of the link that waits."""

    vars().update(_properties(stored.Awaits))


class Related(StructuredRel):
    """A relation between two entities, of a type that a user named; ``source_text`` is its source."""

    vars().update(_properties(stored.Related, _RENAMED | {"source": "source_text"}))
    uid = StringProperty(db_property="id", default=_new_id)
    source_text = StringProperty(db_property="source")
    recorded_at = Moment(default=_now)
    valid_from = Moment(default=_now)
    valid_to = Moment(default=lambda: OPEN)


class _Stored(StructuredNode):
    """What finds a node that recall can find."""

    __abstract_node__ = True

    embedding_a = ArrayProperty(FloatProperty())
    embedding_a_at = Moment()
    embedding_b = ArrayProperty(FloatProperty())
    embedding_b_at = Moment()
    embedding_deferred = BooleanProperty(index=True)


def _keep(kind: str, stored_key: str | None, key: str) -> None:
    """Refuse another text of a stored node, whose keys, vector and mentions are of the old one."""
    if stored_key not in (None, key):
        raise InvalidInput(
            f"This {kind} is stored with another text. Saving it would leave the old keys and vector.",
            effect="Nothing was saved.",
            hint="Store the new text with Mind.remember: `supersedes` ends an old fact, and Mind.merge joins "
            "two names of one entity.",
        )


class Entity(_Stored):
    """A person, a system, a place. ``name`` and ``entity_type`` are enough to create one."""

    vars().update(_properties(stored.Entity))
    mentions_deferred = BooleanProperty(index=True)
    uid = StringProperty(db_property="id", unique_index=True, default=_new_id)

    merged_into = RelationshipTo(_ENTITY, "MERGED_INTO")
    facts = RelationshipFrom(_OBSERVATION, "ABOUT")
    recalled_by = RelationshipFrom(_THOUGHT, "RECALLS", model=Recalls)
    mentioned_by = RelationshipFrom(_THOUGHT, "MENTIONS")

    def pre_save(self) -> None:
        """Refuse another name or type of a stored entity. Raises InvalidInput."""
        own: Any = self
        _keep("entity", own.name_key, keys.normalised(own.name))
        _keep("entity", own.type_key, keys.normalised(own.entity_type or ""))

    def relation(self, type: str) -> RelationshipManager:
        """The relations of a type to others. Raises InvalidInput if reserved or with a backtick."""
        name = checks.type_name(type)
        if name in RESERVED or "`" in name:  # neomodel writes the type into its Cypher.
            raise InvalidInput(f"The type {name[:80]!r} is reserved or has a backtick.", hint="Use another.")
        relations = RelationshipTo(_ENTITY, name, model=Related)
        return relations.build_manager(self, "relation")


class Observation(_Stored):
    """A fact about an entity. ``content`` and ``entity`` are enough to create one."""

    vars().update(_properties(stored.Observation))
    uid = StringProperty(db_property="id", unique_index=True, default=_new_id)

    merged_into = RelationshipTo(_OBSERVATION, "MERGED_INTO")
    entity = RelationshipTo(_ENTITY, "ABOUT")
    learned_from = RelationshipTo(_THOUGHT, "LEARNED_FROM")
    supersedes = RelationshipTo(_OBSERVATION, "REVISES", model=Revises)
    contradicts = RelationshipTo(_OBSERVATION, "CONTRADICTS", model=Evidence)
    recalled_by = RelationshipFrom(_THOUGHT, "RECALLS", model=Recalls)

    def pre_save(self) -> None:
        """Refuse another text of a stored fact. Raises InvalidInput."""
        own: Any = self
        _keep("fact", own.fact_key, keys.fact_key(own.content))


class Thought(_Stored):
    """A thought. Create thoughts with ``Mind.think``; correct one with a thought that revises it."""

    vars().update(_properties(stored.Thought))
    mentions_deferred = BooleanProperty(index=True)
    uid = StringProperty(db_property="id", unique_index=True, default=_new_id)
    session_id: str | None

    session = RelationshipTo(_SESSION, "IN_SESSION")
    action = RelationshipTo(_ACTION, "FOR_ACTION")
    follows = RelationshipTo(_THOUGHT, "FOLLOWS")
    revises = RelationshipTo(_THOUGHT, "REVISES", model=Revises)
    branches_from = RelationshipTo(_THOUGHT, "BRANCHES_FROM")
    child_of = RelationshipTo(_THOUGHT, "CHILD_OF")
    children = RelationshipFrom(_THOUGHT, "CHILD_OF")
    solves = RelationshipTo(_THOUGHT, "SOLVES", model=Solves)
    contradicts = RelationshipTo(_THOUGHT, "CONTRADICTS", model=Evidence)
    reinforces = RelationshipTo(_THOUGHT, "REINFORCES", model=Evidence)
    mentions = RelationshipTo(_ENTITY, "MENTIONS")
    awaits = RelationshipTo(_PENDING, "AWAITS", model=Awaits)
    # neomodel needs one attribute for each label that a relationship leads to.
    recalled_thoughts = RelationshipTo(_THOUGHT, "RECALLS", model=Recalls)
    recalled_entities = RelationshipTo(_ENTITY, "RECALLS", model=Recalls)
    recalled_observations = RelationshipTo(_OBSERVATION, "RECALLS", model=Recalls)
    associated_thoughts = RelationshipTo(_THOUGHT, "ASSOCIATES", model=Lateral)
    associated_entities = RelationshipTo(_ENTITY, "ASSOCIATES", model=Lateral)
    associated_observations = RelationshipTo(_OBSERVATION, "ASSOCIATES", model=Lateral)
    referenced_thoughts = RelationshipTo(_THOUGHT, "REFERENCES", model=Lateral)
    referenced_entities = RelationshipTo(_ENTITY, "REFERENCES", model=Lateral)
    referenced_observations = RelationshipTo(_OBSERVATION, "REFERENCES", model=Lateral)
    needed_thoughts = RelationshipTo(_THOUGHT, "DEPENDS_ON", model=Lateral)
    needed_entities = RelationshipTo(_ENTITY, "DEPENDS_ON", model=Lateral)
    needed_observations = RelationshipTo(_OBSERVATION, "DEPENDS_ON", model=Lateral)
    reinforcing_entities = RelationshipFrom(_ENTITY, "REINFORCES", model=Evidence)
    reinforcing_observations = RelationshipFrom(_OBSERVATION, "REINFORCES", model=Evidence)
    contradicting_entities = RelationshipFrom(_ENTITY, "CONTRADICTS", model=Evidence)
    contradicting_observations = RelationshipFrom(_OBSERVATION, "CONTRADICTS", model=Evidence)

    def pre_save(self) -> None:
        """Refuse to write a step of a chain. Raises InvalidInput."""
        if self.session_id is not None:
            raise InvalidInput(
                "A thought of a session is a step of its hash chain; saving it could break the chain.",
                hint="Think with Mind.think; correct a thought with one that revises it.",
            )

    def pre_delete(self) -> None:
        """Refuse to delete a step of a chain. Raises InvalidInput."""
        if self.session_id is not None:
            raise InvalidInput(
                "A thought of a session is a step of its hash chain; without it the chain is broken.",
                hint="Remove its text with Mind.redact_thought.",
            )


class Session(StructuredNode):
    """A session and the head of its chain."""

    vars().update(_properties(stored.Session))

    thoughts = RelationshipFrom(_THOUGHT, "IN_SESSION")


class Action(StructuredNode):
    """An act outside that thoughts led to."""

    vars().update(_properties(stored.Action))

    thoughts = RelationshipFrom(_THOUGHT, "FOR_ACTION")


class Pending(StructuredNode):
    """The place where links wait for a thought that does not exist yet."""

    vars().update(_properties(stored.Pending))

    waiting = RelationshipFrom(_THOUGHT, "AWAITS", model=Awaits)
