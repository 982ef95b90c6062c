"""maintenance_ops: the maintenance jobs that have no operation of their own."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from legacymind.errors import InvalidInput
from legacymind.model.about import about
from legacymind.model.maintenance import MaintenanceCount, MaintenanceItem, MaintenanceResult
from legacymind.model.progress import call_progress
from legacymind.model.values import clamped
from legacymind.operations.coercion import known_name
from legacymind.operations.pages import Paged
from legacymind.operations.registry import operation
from legacymind.services.chain.audit import AuditService
from legacymind.services.maintain.continuity import ContinuityService
from legacymind.services.maintain.expiry import ExpiryService
from legacymind.services.maintain.pruning import LEAST_WEIGHT, UNUSED_DAYS, PruneService
from legacymind.services.shared import checks
from legacymind.services.shared.parameters import Namespace
from legacymind.services.shared.service import Service
from legacymind.text.numbers import counted

_JOBS: Final = {
    "prune": "remove weak, unused recalls (`days`, `min_weight`)",
    "expire": "redact thoughts that have expired",
    "ensure_continuity_fields": "repair indexes, and relationships for links that only properties have",
    "verify": "verify the chain of every session; changes nothing",
}


@dataclass(frozen=True, slots=True)
class _Report:
    """What a job found or changed. ``changed`` is false for a plan and for what only reads."""

    summary: str
    counts: Mapping[str, float]
    items: Sequence[MaintenanceItem] = ()
    changed: bool = False


class MaintenanceService(Service):
    """Runs maintenance jobs by name."""

    _pruning: PruneService
    _expiry: ExpiryService
    _continuity: ContinuityService
    _audit: AuditService

    @operation(
        tool="maintenance_ops",
        command="maintain",
        writes=True,
        profile="full",
        idempotent=True,
        destructive=True,
        job=True,
    )
    async def maintenance_ops(
        self,
        subcommand: Annotated[
            str,
            about(
                "Job to run",
                "; ".join(f"{name}: {text}" for name, text in _JOBS.items()),
                names=tuple(_JOBS),
            ),
        ],
        apply: Annotated[
            bool, about("False: plan only", "Make the changes. Without it, the job only reports them")
        ] = False,
        days: Annotated[
            float | None,
            clamped(0, 36_500),
            about("Unused for", f"Days without use after which `prune` removes. Default: {UNUSED_DAYS:g}"),
        ] = None,
        min_weight: Annotated[
            float | None,
            clamped(0, 1),
            about("Least weight", f"Weight below which `prune` removes a recall. Default: {LEAST_WEIGHT}"),
        ] = None,
        namespace: Namespace = None,
    ) -> Paged[MaintenanceResult]:
        """Run a maintenance job; without ``apply``, only plan it.

        Each job reports progress and can be interrupted. What it has stored stays, and the next call does the
        rest. Raises InvalidInput for an unknown subcommand.
        """
        space = checks.namespace(namespace, self._settings)
        jobs: dict[str, Callable[[], Awaitable[_Report]]] = {
            "prune": lambda: self._prune(space, apply, days, min_weight),
            "expire": lambda: self._expire(space, apply),
            "ensure_continuity_fields": lambda: self._ensure_continuity_fields(space, apply),
            "verify": lambda: self._verify(space),
        }
        name = known_name(subcommand, jobs)
        if name not in jobs:
            raise InvalidInput(
                f"There is no subcommand {subcommand[:80]!r}.",
                effect="Nothing was changed.",
                hint=f"Use one of {', '.join(jobs)}.",
            )
        report = await jobs[name]()
        result = MaintenanceResult(
            namespace=space,
            subcommand=name,
            applied=report.changed,
            summary=report.summary,
            counts=[MaintenanceCount(name=count, value=value) for count, value in report.counts.items()],
            items=[*report.items],
        )
        return Paged(result=result, lists=("items",))

    async def _prune(
        self, namespace: str, apply: bool, days: float | None, min_weight: float | None
    ) -> _Report:
        result = await self._pruning.prune(
            namespace,
            apply=apply,
            least_weight=LEAST_WEIGHT if min_weight is None else min_weight,
            unused_days=UNUSED_DAYS if days is None else days,
            progress=call_progress.get(),
        )
        weak = counted(result.recalls, "weak, unused recall")
        recalls = f"{weak} of {counted(result.thoughts, 'old thought')}"
        return _Report(
            f"Removed {recalls}." if result.applied else f"Found {recalls}. Nothing was changed.",
            {"thoughts": result.thoughts, "recalls": result.recalls},
            [
                MaintenanceItem(
                    id=sample.thought_id,
                    text=f"recalls {sample.memory_id}: weight {sample.weight:.2f}, now {sample.decayed:.2f}, "
                    f"last used {sample.accessed.date()}",
                )
                for sample in result.samples
            ],
            changed=result.applied and result.recalls > 0,
        )

    async def _expire(self, namespace: str, apply: bool) -> _Report:
        if apply:
            redacted = await self._expiry.redact(namespace, call_progress.get())
            summary = f"Redacted {counted(redacted, 'expired thought')}."
            return _Report(summary, {"thoughts": redacted}, changed=redacted > 0)
        total, expired = await self._expiry.find(namespace)
        return _Report(
            f"Found {counted(total, 'expired thought')}. Nothing was changed.",
            {"thoughts": total},
            [MaintenanceItem(id=id, text=f"expired {at}") for id, at in expired],
        )

    async def _ensure_continuity_fields(self, namespace: str, apply: bool) -> _Report:
        result = await self._continuity.ensure(namespace, apply=apply, progress=call_progress.get())
        missing = f"{counted(result.links, 'link')} and {len(result.indexes):,} of the indexes were missing"
        changed = result.mended and bool(result.links or result.created)
        left = len(result.indexes) - len(result.created)
        if changed:
            missing += " and are there now"
            if left:
                missing += f", except {left:,} of the indexes"
        indexes = [
            MaintenanceItem(id=name, text=f"index, {'online now' if name in result.created else 'missing'}")
            for name in result.indexes
        ]
        links = [
            MaintenanceItem(
                id=link["id"],
                text=f"{link['type']} {link['target']}{', which does not exist yet' * link['waits']}",
            )
            for link in result.samples
        ]
        return _Report(
            f"Read {counted(result.thoughts, 'thought')}; {missing}.",
            {"thoughts": result.thoughts, "links": result.links, "indexes": len(result.indexes)},
            [*indexes, *links],
            changed=changed,
        )

    async def _verify(self, namespace: str) -> _Report:
        audit = await self._audit.verify_all(namespace=namespace, progress=call_progress.get())
        faulty = [report for report in audit.reports if report.verdict != "intact"]
        wrong = len(faulty) + len(audit.unnamed)
        return _Report(
            f"Verified {counted(len(audit.reports), 'session')}: {wrong:,} not intact.",
            {
                "sessions": len(audit.reports),
                "thoughts": sum(report.thought_count for report in audit.reports),
                "not_intact": wrong,
            },
            [
                *(MaintenanceItem(id=report.session_id, text=report.message) for report in faulty),
                *(MaintenanceItem(id="", text=text) for text in audit.unnamed),
            ],
        )
