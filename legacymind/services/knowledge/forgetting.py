"""Forgets thoughts and knowledge: a plan first, then the removal, with a certificate of what was removed."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Annotated, Final, TypedDict

from legacymind.db.query import Parameters, load
from legacymind.errors import DatabaseError, InvalidInput, NotFound
from legacymind.model import stored
from legacymind.model.about import about
from legacymind.model.members import Id
from legacymind.model.nodes import ForgetResult, Remainder
from legacymind.model.progress import call_progress
from legacymind.operations.registry import operation, unvalidated
from legacymind.services.knowledge.forgotten import (
    ForgottenNode,
    Gone,
    TextsRow,
    add_node,
    remainders,
    replaced,
    text_of,
    words,
)
from legacymind.services.shared import checks
from legacymind.services.shared.entities import FIND_NAMED
from legacymind.services.shared.parameters import Namespace
from legacymind.services.shared.service import Service
from legacymind.services.shared.visibility import UnlistedSessionId, resolve_own_session
from legacymind.services.think.records import READ_PLACE, READ_QUOTING, PlaceRow, RecordService
from legacymind.services.think.sections import LONG
from legacymind.text import keys
from legacymind.text.excerpts import title
from legacymind.text.numbers import counted

FORGET_NODE = load("forget/forget_node", ForgottenNode, writes=True)


class ForgottenRelation(TypedDict):
    """The relation that was forgotten; ``label`` is null when it does not exist."""

    label: str | None
    closed: bool
    later: bool


FORGET_RELATION = load("forget/forget_relation", ForgottenRelation, writes=True)
FIND_TEXTS = load("forget/find_texts", TextsRow, writes=False, long_running=True)


class NoteRow(TypedDict):
    """A relationship by its element id, and its texts."""

    id: str
    texts: list[str]


FIND_NOTES = load("forget/find_notes", NoteRow, writes=False, long_running=True)


CLEAR_NOTES = load("forget/clear_notes", int, writes=True)


REPLACE_QUOTES = load("forget/replace_quotes", int, writes=True)


DELETE_NAMESPACE = load("forget/delete_namespace", int, writes=True)
DELETE_REST = load("forget/delete_rest", int, writes=True)


READ_NAMES = load("forget/read_names", list[str], writes=False)


class LogSetting(TypedDict):
    """A setting of the server's transaction logs."""

    name: str
    value: str


READ_LOG_SETTINGS = load("forget/read_log_settings", LogSetting, writes=False)


_BATCH: Final = 500
"""Nodes, or texts in other nodes, that one transaction changes."""

_HASHED: Final = "Author, tags, session, action and labels of thoughts: the hash of the chain covers these."


class ForgetService(Service):
    """Forgets. It reads everything that it may, so that nothing with the text is overlooked."""

    _records: RecordService

    @operation(
        tool="legacymind_forget",
        command="forget",
        writes=True,
        idempotent=True,
        destructive=True,
    )
    async def forget(
        self,
        id: Annotated[
            Id | None, about("Any id", "Id of a thought, fact or entity; or send one of the next three")
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
        everything: Annotated[
            bool, about("Whole namespace", "Delete the whole namespace, chains included")
        ] = False,
        confirm: Annotated[
            bool, about("False: plan", "Forget it. Without it, the call shows only what would go")
        ] = False,
        end: Annotated[
            bool,
            about(
                "Of `id`: end validity",
                "Only end the validity of the fact, entity or relation; `as_of` still finds it",
                tuning=True,
            ),
        ] = False,
        relation_id: Annotated[
            Id | None, about("Of this entity", "Only this relation of the entity `id`", tuning=True)
        ] = None,
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
        """Forget a thought, fact, person, session or namespace; first a plan.

        The plan counts what goes, with examples, and says what stays and why. With ``confirm`` it goes, one
        item after another, and the answer is a certificate; an interrupted call is finished by repeating it.
        Thoughts are redacted, so their chains still verify; knowledge is deleted, an entity with its facts
        and relations. Quotations in other nodes go too. Raises NotFound for an id that does not exist, and
        InvalidInput.
        """
        checks.text("reason", reason, limit=1000)
        space = checks.namespace(namespace, self._settings)
        own_session = resolve_own_session(own_session_id, self._session_id)
        if sum((id is not None, subject is not None, session_id is not None, everything)) != 1:
            raise InvalidInput(
                "It is not clear what to forget.",
                effect="Nothing was changed.",
                hint="Send exactly one of `id`, `subject`, `session_id` and `everything`.",
            )
        if (end or relation_id is not None) and id is None:
            raise InvalidInput(
                "`end` and `relation_id` belong to one item.", hint="Send the `id` of the fact or entity."
            )
        call = _Call(space, own_session, confirm, reason, checks.key("author", author), datetime.now(UTC))
        if id is not None:
            return await self._one(
                call, checks.key("id", id).strip(), checks.key("relation_id", relation_id), end
            )
        if subject is not None:
            return await self._subject(call, checks.key("subject", subject))
        if session_id is not None:
            own = checks.key("session_id", session_id)
            call = replace(call, own_session=own)
            gone = Gone()
            async for row in self._texts(call, [""], session_id=own):
                if not row["redacted"] and not row["step"]:
                    gone.add("thought", row["id"], text_of(row), row["digest"])
                    if len(text_of(row)) >= LONG:
                        await self._add_thought(call, gone, row["id"])
            return await self._removed(
                call, gone, ["Facts that were learned from it: forget them by `id` or `subject`.", _HASHED]
            )
        return await self._everything(call)

    async def _one(self, call: "_Call", id: str, relation_id: str | None, end: bool) -> ForgetResult:
        """Forget a thought, a fact, an entity or a relation by its id."""
        thought_id = id.removeprefix("thoughts:").strip()
        places = [] if relation_id else await self._place(call, thought_id)
        gone = Gone()
        if places:
            if end:
                raise InvalidInput("A thought has no validity that could end.", hint="Omit `end`.")
            await self._add_thought(call, gone, thought_id)
            return await self._removed(call, gone, [_HASHED])
        request: Parameters = {**self._deletion(call, id, dry_run=not call.confirm), "delete": not end}
        stays = ["It stays as it was until now: a search as of an earlier time finds it."] if end else []
        if relation_id is not None:
            (link,) = await self._graph.run(FORGET_RELATION, {**request, "relation_id": relation_id.strip()})
            if link["label"] is None:
                raise NotFound(
                    f"The entity {id} has no relation {relation_id.strip()} in this namespace.",
                    effect="Nothing was changed.",
                    hint="Read the entity to list its relations with their ids.",
                )
            if end and link["later"]:
                raise _begins_later(relation_id.strip())
            if not (end and link["closed"]):
                gone.add("relation", relation_id.strip(), link["label"])
            return await self._answer(call, gone, stays, kept=end)
        (row,) = await self._graph.run(FORGET_NODE, {**request, "dry_run": True})
        if row["kind"] is None:
            raise NotFound(
                f"There is no thought, fact or entity {id} in this namespace.",
                effect="Nothing was changed.",
                hint="Check the id, or find it with a search. A private thought needs its session.",
            )
        if row["kind"] == "alias" and end:
            raise InvalidInput(
                f"{id} was merged into {row['merged_into']}.",
                hint="Forget that one. Without `end`, the name of this one becomes free again.",
            )
        if end and row["later"]:
            raise _begins_later(id)
        add_node(gone, row, closed=end and row["closed"])
        if end:
            if row["kind"] == "entity":
                stays.append("Its facts and relations that begin later: forget them by their ids.")
            if call.confirm:
                await self._graph.run(FORGET_NODE, request)
            return await self._answer(call, gone, stays, kept=True)
        titles = {keys.normalised(title(one["text"])) for one in row["texts"] if one["text"]}

        def told(line: str) -> bool:
            key = keys.normalised(line)
            return key in titles or key.rpartition(" [")[0] in titles  # with the type of an entity

        await self._find_quotes(call, gone, sorted(titles), told)
        return await self._removed(call, gone, ["Other texts that name it: forget them by `subject`."])

    async def _add_thought(self, call: "_Call", gone: Gone, thought_id: str) -> None:
        """Add a thought, and those that quote it and go with it: its sections, and summaries."""
        quoting = await self._graph.run(READ_QUOTING, {"id": thought_id, "namespace": call.namespace})
        for each in (thought_id, *quoting):
            for place in await self._place(call, each):
                if place["content"] is not None:
                    gone.add("thought", each, place["content"], place["digest"])

    async def _subject(self, call: "_Call", subject: str) -> ForgetResult:
        """Forget whatever names a person or thing."""
        (named,) = await self._graph.run(
            FIND_NAMED,
            {
                "named": [{"name": subject.strip(), "name_key": keys.normalised(subject)}],
                "namespace": call.namespace,
            },
        ) or [{"ids": []}]
        linked = named["ids"] or []
        known = await self._graph.run(READ_NAMES, {"namespace": call.namespace, "ids": linked})
        names = {keys.normalised(name) for names in known for name in names}
        if subject.strip() not in linked:
            names.add(keys.normalised(subject))

        def told(text: str) -> bool:
            return any(keys.says(name, text) for name in names)

        if told(call.reason) or told(call.author or ""):
            raise InvalidInput(
                "The reason or the author names what is to be forgotten, and both stay in the record of it.",
                effect="Nothing was changed.",
                hint="Send others, such as 'on request'.",
            )
        gone = Gone()
        pieces = words(names)
        async for row in self._texts(call, pieces, linked=linked):
            own = row["linked"] or any(map(told, row["own"]))
            if own and not row["redacted"]:
                gone.add(row["kind"], row["id"], text_of(row), row["digest"])
            elif quotes := replaced(row, told):
                gone.quotes.append(quotes)
            gone.fixed += row["kind"] == "thought" and any(map(told, row["fixed"]))
        async for note in self._graph.stream(
            FIND_NOTES,
            {
                "namespace": call.namespace,
                "own_session": call.own_session,
                "words": pieces,
                "own": [*stored.properties(stored.Related)],
            },
        ):
            if any(map(told, note["texts"])):
                gone.notes.append(note["id"])
        for id in gone.ids("entity"):
            (row,) = await self._graph.run(FORGET_NODE, self._deletion(call, id, dry_run=True))
            add_node(gone, row)
        stays = ["Private thoughts of other sessions: forget them by their `session_id`."]
        if gone.fixed:
            stays.append(
                f"The name as author, tag, session, action or label of {counted(gone.fixed, 'thought')}, and "
                "in the nodes of that session and action: hashes cover these. Delete the namespace to remove "
                "them."
            )
        return await self._removed(call, gone, stays)

    async def _everything(self, call: "_Call") -> ForgetResult:
        """Delete a namespace."""
        gone = Gone()
        async for row in self._texts(call, [""], everything=True):
            if not row["redacted"]:
                gone.add(row["kind"], row["id"], text_of(row), row["digest"])
        if call.confirm:
            progress, deleted = call_progress.get(), 0
            total = sum(map(len, gone.digests.values()))
            for query in (DELETE_NAMESPACE, DELETE_REST):
                page = _BATCH
                while page == _BATCH:
                    (page,) = await self._graph.run(query, {"namespace": call.namespace, "take": _BATCH})
                    deleted += page
                    progress("Forgetting", min(deleted, total), total)
            gone.counts["other"] = max(deleted - total, 0)
            self._vectors.forget_all()
        return await self._answer(
            call, gone, ["Nothing: sessions and chains go too, so exported heads verify no more."]
        )

    async def _texts(
        self,
        call: "_Call",
        words: list[str],
        *,
        linked: list[str] | None = None,
        session_id: str | None = None,
        everything: bool = False,
    ) -> AsyncIterator[TextsRow]:
        async for row in self._graph.stream(
            FIND_TEXTS,
            {
                "namespace": call.namespace,
                "own_session": call.own_session,
                "session_id": session_id,
                "words": words,
                "linked": linked or [],
                "everything": everything,
            },
        ):
            yield row

    async def _find_quotes(
        self, call: "_Call", gone: Gone, pieces: list[str], told: Callable[[str], bool]
    ) -> None:
        """Find the lines of other thoughts that quote deleted knowledge."""
        if pieces:
            async for row in self._texts(call, words(pieces)):
                if row["kind"] == "thought" and (quotes := replaced(row, told)):
                    gone.quotes.append(quotes)

    async def _removed(self, call: "_Call", gone: Gone, stays: list[str]) -> ForgetResult:
        """Remove what was found, one item after another, if the call confirms it."""
        gone.counts["quotation"] = len(gone.quotes) + len(gone.notes)
        if not call.confirm:
            return await self._answer(call, gone, stays)
        progress, total = call_progress.get(), sum(map(len, gone.digests.values()))
        done = 0
        for at in range(0, len(gone.quotes), _BATCH):
            await self._graph.run(
                REPLACE_QUOTES,
                {"namespace": call.namespace, "rows": gone.quotes[at : at + _BATCH]},
            )
        for at in range(0, len(gone.notes), _BATCH):
            await self._graph.run(
                CLEAR_NOTES, {"namespace": call.namespace, "ids": gone.notes[at : at + _BATCH]}
            )
        for id in [*gone.ids("observation"), *gone.ids("entity")]:
            await self._graph.run(FORGET_NODE, self._deletion(call, id, dry_run=False))
            progress("Forgetting", done := done + 1, total)
        for id in gone.ids("thought"):
            await unvalidated(self._records.redact_thought)(
                id, call.reason, call.author, call.own_session or None, call.namespace
            )
            progress("Forgetting", min(done := done + 1, total), total)
        self._vectors.forget_all()
        return await self._answer(call, gone, stays)

    async def _place(self, call: "_Call", id: str) -> list[PlaceRow]:
        return await self._graph.run(
            READ_PLACE, {"id": id, "namespace": call.namespace, "own_session": call.own_session}
        )

    def _deletion(self, call: "_Call", id: str, *, dry_run: bool) -> Parameters:
        return {"id": id, "namespace": call.namespace, "now": call.at, "delete": True, "dry_run": dry_run}

    async def _answer(
        self, call: "_Call", gone: Gone, stays: list[str], *, kept: bool = False
    ) -> ForgetResult:
        counts = gone.listed(done=call.confirm and not kept)
        remains = await self._remains() if call.confirm and counts and not kept else []
        return ForgetResult(
            namespace=call.namespace,
            done=call.confirm,
            counts=counts,
            stays=stays,
            remains=remains,
            at=call.at,
        )

    async def _remains(self) -> list[Remainder]:
        """Where the texts remain, as the server's settings say."""
        try:
            rows = await self._graph.run(READ_LOG_SETTINGS, {})
        except DatabaseError:  # a server may hide its settings
            rows = []
        return remainders({row["name"]: row["value"] for row in rows})


def _begins_later(id: str) -> InvalidInput:
    return InvalidInput(
        f"{id} begins later, so its validity cannot end now.",
        effect="Nothing was changed.",
        hint="Omit `end` to delete it.",
    )


@dataclass(frozen=True, slots=True)
class _Call:
    """Who forgets, where, and whether it is done or only planned."""

    namespace: str
    own_session: str
    confirm: bool
    reason: str
    author: str | None
    at: datetime
