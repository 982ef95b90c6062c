"""Forgets thoughts and knowledge: a plan first, then the removal, with a certificate of what was removed."""

import hashlib
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Final, TypedDict

from legacymind.db.query import load
from legacymind.errors import InvalidInput, NotFound
from legacymind.model.about import about
from legacymind.model.members import Id
from legacymind.model.nodes import ForgetResult, Forgotten, ForgottenKind, Remainder
from legacymind.operations.registry import operation
from legacymind.services.shared import checks
from legacymind.services.shared.entities import FIND_NAMED
from legacymind.services.shared.parameters import Namespace, UnlistedSessionId, resolve_own_session
from legacymind.services.shared.service import Service
from legacymind.services.think.erasing import ErasedRow, Erasure
from legacymind.text import fulltext, keys
from legacymind.text.excerpts import excerpt
from legacymind.text.words import content_words

READ_NAMES = load("forget/read_names", list[str], writes=False)


class TextsRow(TypedDict):
    """A node and its texts: its own, and by property those that go without it. ``linked`` with an entity."""

    id: str
    linked: bool
    own: list[str]
    others: dict[str, str | None]


FIND_TEXTS = load("forget/find_texts", TextsRow, writes=False, long_running=True)


class ClearedTexts(TypedDict):
    """Texts of an entity that go without it, by their properties, and the other forms of those that stay."""

    id: str
    names: list[str]
    other_forms: str | None


CLEAR_TEXTS = load("forget/clear_texts", int, writes=True)


_EXAMPLES: Final = 5
"""Texts of each kind that a plan shows."""

_ALIKE: Final = 80
"""Characters of a text that has a part of a name."""

_HASHED: Final = (
    "Author, tags, session, action and labels of thoughts, also in the nodes of that session and action: the "
    "hash of the chain covers these. Delete the namespace to remove them."
)
_UNNAMED: Final = "Facts that were learned from it, and other texts about it: forget each of these, too."
_UNSEARCHED: Final = (
    "Private thoughts of other sessions: forget these sessions, too.",
    "Types and properties of relations between others, and notes of links between others: forget one of the "
    "two.",
)


REMAINS: Final = (
    Remainder(
        where="Neo4j's transaction logs",
        until="a full one is removed at a checkpoint: after minutes by the managed engine, by another server "
        "as `SHOW SETTINGS 'db.tx_log'` says",
    ),
    Remainder(
        where="free space in Neo4j's files",
        until="it is overwritten by what is stored later; at once, by an export into a new home",
    ),
    Remainder(where="backups, exports, segments of `sync` and heads made before", until="you delete them"),
    Remainder(where="caches of vectors, without texts, in other processes", until="those end"),
)
"""Where erased texts remain (docs/trust/chain.md)."""


class ForgetService(Service):
    """Forgets. It reads everything that it may, so that nothing with the text is overlooked."""

    _erasing: Erasure

    @operation(
        tool="legacymind_forget",
        command="forget",
        writes=True,
        idempotent=True,
        destructive=True,
        planned={"confirm": False},
    )
    async def forget(
        self,
        id: Annotated[
            Id | None, about("Any id", "Id of a thought, fact or entity; or send one of the next two")
        ] = None,
        subject: Annotated[
            str | None,
            about(
                "Person or thing",
                "Name of a person or thing: whatever names it, its aliases included, is forgotten",
            ),
        ] = None,
        session_id: Annotated[
            Id | None, about("All of it", "Session of which all thoughts are forgotten")
        ] = None,
        confirm: Annotated[
            bool, about("False: plan", "Forget it. Without it, the call shows only what would go")
        ] = False,
        reason: Annotated[
            str,
            about("Stored openly", "Reason, stored in the chains; it must not name the subject", tuning=True),
        ] = "forgotten",
        author: Annotated[
            str | None, about("Who forgets", "Who forgets; stored in the chains", tuning=True)
        ] = None,
        own_session_id: UnlistedSessionId = None,
        namespace: Namespace = None,
    ) -> ForgetResult:
        """Forget a thought, fact, entity, person or session; first a plan.

        The plan counts what goes, with examples, and says what stays and why. With ``confirm`` it goes, and
        the answer is a certificate; an interrupted call is finished by repeating it. Thoughts are redacted,
        so their chains still verify; knowledge is deleted, an entity with its facts and relations. A fact
        that is only no longer true is ended by `remember`, with ``supersedes`` or ``valid_to``. Raises
        NotFound for an id that does not exist, and InvalidInput.
        """
        checks.text("reason", reason, limit=1000)
        space, now = checks.namespace(namespace, self._settings), datetime.now(UTC)
        author = checks.key("author", author)
        if sum(given is not None for given in (id, subject, session_id)) != 1:
            raise InvalidInput(
                "It is not clear what to forget.",
                effect="Nothing was changed.",
                hint="Send exactly one of `id`, `subject` and `session_id`.",
            )
        own_session = resolve_own_session(own_session_id, self.session_id)
        ids, cleared, session, stays = list[str](), list[ClearedTexts](), None, [_UNNAMED, _HASHED]
        if id is not None:
            ids = [checks.key("id", id).strip().removeprefix("thoughts:").strip()]
        elif session_id is not None:
            session = own_session = checks.key("session_id", session_id)
        else:
            ids, cleared, alike = await self._naming(
                space, checks.key("subject", subject) or "", own_session, (reason, author or "")
            )
            stays = [*_alike(alike), *_UNSEARCHED, _HASHED]
        found = await self._erasing.read(space, ids, own_session, session_id=session)
        if id is not None and not found:
            raise NotFound(
                f"There is no thought, fact or entity {ids[0]} in this namespace.",
                effect="Nothing was changed.",
                hint="Check the id, or find it with a search. A private thought needs its session.",
            )
        gone = [row for row in found if row["fresh"]]
        counts = _counts(gone, cleared, done=confirm)
        if confirm:
            if cleared:
                await self._graph.run(CLEAR_TEXTS, {"namespace": space, "rows": cleared})
            await self._erasing.erase(space, found, reason, author)
        remains = [*REMAINS] if confirm and counts else []
        return ForgetResult(
            namespace=space, done=confirm, counts=counts, stays=stays, remains=remains, at=now
        )

    async def _naming(
        self, namespace: str, subject: str, own_session: str, record: tuple[str, str]
    ) -> tuple[list[str], list[ClearedTexts], list[TextsRow]]:
        """The ids of what names a person or thing, and the texts of entities that name it and go alone.

        Last, what has a part of a name and stays. Raises InvalidInput if the ``record`` of the call, its
        reason and its author, names it.
        """
        ((_, linked),) = await self._graph.run(
            FIND_NAMED,
            {
                "named": [{"name": subject.strip(), "name_key": keys.normalised(subject)}],
                "namespace": namespace,
            },
        ) or [("", [])]
        known = await self._graph.run(READ_NAMES, {"namespace": namespace, "ids": linked})
        names = {name for names in known for name in names}
        if subject.strip() not in linked:
            names.add(subject)
        named_by = _named_by(names)
        if any(map(named_by, record)):
            raise InvalidInput(
                "The reason or the author names what is to be forgotten, and both stay in the record of it.",
                effect="Nothing was changed.",
                hint="Send others, such as 'on request'.",
            )
        ids, cleared = list[str](), list[ClearedTexts]()
        async for row in self._texts(namespace, names, own_session, linked):
            if row["linked"] or any(map(named_by, row["own"])):
                ids.append(row["id"])
            elif names_of := [name for name, text in row["others"].items() if text and named_by(text)]:
                kept = None if "description" in names_of else row["others"]["description"]
                forms = fulltext.other_forms(*row["own"], kept)
                cleared.append({"id": row["id"], "names": names_of, "other_forms": forms})
        parts = {part for words in map(content_words, names) if len(words) > 1 for part in words}
        if not parts:
            return ids, cleared, []
        partly, gone = _named_by(parts), {*ids, *(one["id"] for one in cleared)}
        found = self._texts(namespace, parts, own_session, [])
        return ids, cleared, [r async for r in found if r["id"] not in gone and any(map(partly, r["own"]))]

    def _texts(
        self, namespace: str, names: Iterable[str], own_session: str, linked: Sequence[str]
    ) -> AsyncGenerator[TextsRow]:
        """The texts that may have one of the names."""
        of_namespace, of_all = fulltext.naming_queries(namespace, names, own_session)
        return self._graph.stream(
            FIND_TEXTS,
            {
                "namespace": namespace,
                "own_session": own_session,
                "queries": [
                    {"index": "thought_text", "text": of_namespace},
                    {"index": "knowledge_text", "text": of_namespace},
                    {"index": "knowledge_text", "text": of_all},  # merged entities, which no search finds
                    {"index": "other_text", "text": of_all},
                ],
                "linked": linked,
            },
        )


def _named_by(names: Iterable[str]) -> Callable[[str], bool]:
    """Whether a text has one of the names."""
    own = {key for name in names if (key := keys.normalised(name))}
    return lambda text: any(keys.says(key, text) for key in own)


def _alike(rows: Sequence[TextsRow]) -> list[str]:
    """A sentence on texts that have a part of the name."""
    shown = "; ".join(f"{row['id']}: {excerpt(row['own'][0], _ALIKE)}" for row in rows[:_EXAMPLES])
    return (
        [f"{len(rows)} that have only a part of the name: {shown}. Forget each that is meant."]
        if rows
        else []
    )


def _counts(gone: Sequence[ErasedRow], cleared: Sequence[ClearedTexts], *, done: bool) -> list[Forgotten]:
    """What goes by kind: examples in a plan, and in a certificate the digest of all digests.

    The digest of an item is the chain's, or that of its text.
    """
    kinds: dict[ForgottenKind, list[ErasedRow]] = {"thought": [], "entity": [], "observation": []}
    for row in gone:
        kinds["entity" if row["kind"] == "alias" else row["kind"]].append(row)
    counts = [
        Forgotten(
            kind=kind,
            count=len(rows),
            sha256=_sealed(rows) if done else None,
            examples=[]
            if done
            else [f"{row['id']}: {excerpt(row['text'] or '', 80)}" for row in rows[:_EXAMPLES]],
        )
        for kind, rows in kinds.items()
        if rows
    ]
    others: dict[ForgottenKind, int] = {
        "relation": sum(row["relations"] for row in gone),
        "description": len(cleared),
    }
    return counts + [Forgotten(kind=kind, count=count) for kind, count in others.items() if count]


def _sealed(rows: Sequence[ErasedRow]) -> str:
    digests = {
        row["id"]: row["digest"] or hashlib.sha256((row["text"] or "").encode()).hexdigest() for row in rows
    }
    lines = "".join(f"{id} {digest}\n" for id, digest in sorted(digests.items()))
    return hashlib.sha256(lines.encode()).hexdigest()
