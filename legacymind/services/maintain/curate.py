"""The operation ``curate``: plan, apply or undo what the curator does with old thoughts."""

from dataclasses import replace
from typing import Annotated, Final

from legacymind.errors import InvalidInput
from legacymind.model.about import about
from legacymind.model.maintenance import CurateAction, CurationResult
from legacymind.model.members import Id
from legacymind.model.progress import call_progress
from legacymind.model.values import Moment, Unit, clamped, whole
from legacymind.operations.registry import operation
from legacymind.services.maintain.curation import Curator, Rules
from legacymind.services.maintain.retention import DUMP, KEEP, MIN_AGE
from legacymind.services.shared import budget
from legacymind.services.shared.parameters import Namespace
from legacymind.services.shared.service import Service
from legacymind.services.shared.visibility import OwnSessionId, resolve_own_session

_LISTED: Final = 20


class CurateService(Service):
    """Offers the curator as an operation."""

    _curator: Curator

    @operation(tool="curate", command="curate", writes=True, profile="full", idempotent=True)
    async def curate(
        self,
        action: Annotated[
            CurateAction,
            about("Default: plan", "plan: only judge; apply: act on the plan; restore: undo"),
        ] = "plan",
        min_age: Annotated[
            float,
            clamped(0, 36_500),
            about("Least age, days", "Days since the time of a thought before which it is not judged"),
        ] = MIN_AGE,
        keep: Annotated[
            Unit, about("Value to stay", "Value from which a thought stays active, greater than `dump`")
        ] = KEEP,
        dump: Annotated[
            Unit, about("Value to dump", "Value below which a thought is dumped and not summarised")
        ] = DUMP,
        thought_id: Annotated[
            Id | None,
            about("To restore", "With `restore`: only this thought, or the sources of this summary"),
        ] = None,
        since: Annotated[
            Moment | None,
            about("ISO time", "With `restore`: only what was curated since this ISO 8601 time"),
        ] = None,
        limit: Annotated[
            int, whole(1, 100), about("Thoughts listed", "Thoughts to list, the least valuable first")
        ] = _LISTED,
        max_tokens: budget.MaxTokens = None,
        own_session_id: OwnSessionId = None,
        namespace: Namespace = None,
    ) -> CurationResult:
        """Keep valuable thoughts active, and take the others out of recall.

        A thought is judged by its last use, its recalls, its salience and its outcome. Weak thoughts of one
        session become a summary that refers to them (crystallise), and worthless ones leave recall (dump).
        All stay in the graph, in searches and in their chains, and `restore` undoes it. Pinned thoughts,
        standing preferences, playbooks and unresolved problems stay active. Raises NotFound for an unknown
        ``thought_id``, InvalidInput when ``dump`` is above ``keep``.
        """
        if dump > keep:
            raise InvalidInput(
                "`dump` is greater than `keep`.",
                effect="Nothing was changed.",
                hint="Send a `dump` of at most `keep`.",
            )
        own_session = resolve_own_session(own_session_id, self._session_id)
        if action == "restore":
            return await self._curator.restore(
                namespace,
                thought_id=thought_id,
                since=since,
                own_session=own_session,
                progress=call_progress.get(),
            )
        result = await self._curator.run(
            namespace,
            apply=action == "apply",
            rules=Rules(min_age, keep, dump),
            own_session=own_session,
            progress=call_progress.get(),
        )
        leaving = result.crystallised + result.dumped + result.changed_meanwhile
        allowed = budget.allowance(max_tokens, limit, _LISTED) - budget.frame(result.namespace)
        shown, _ = budget.fit(result.thoughts[:limit], allowed)
        return replace(result, thoughts=shown, left_out=max(leaving - len(shown), 0))
