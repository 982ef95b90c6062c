"""The subcommands of ``maintenance_ops``: one line of ``SUBCOMMANDS`` and one function for each."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from legacymind.errors import RequestRefused
from legacymind.model.maintenance import MaintenanceItem
from legacymind.model.progress import Progress
from legacymind.services.analysis.analysis import AnalysisService
from legacymind.services.chain.audit import AuditService
from legacymind.services.maintain.calibration import CalibrationService
from legacymind.services.maintain.continuity import ContinuityService
from legacymind.services.maintain.curation import Curator, Rules
from legacymind.services.maintain.expiry import ExpiryService
from legacymind.services.maintain.pruning import LEAST_WEIGHT, UNUSED_DAYS, PruneService
from legacymind.services.maintain.reembed import ReembedService
from legacymind.services.maintain.retention import MIN_AGE
from legacymind.settings import Settings
from legacymind.text.numbers import counted


class Files(Protocol):
    """Exports, imports and backups by the names of files (``services.transfer.files``)."""

    async def export(
        self, namespace: str, name: str | None, *, vectors: bool, apply: bool, progress: Progress
    ) -> "Report":
        """Export a namespace to a new file."""
        ...

    async def load(
        self, namespace: str, name: str | None, *, map_ids: bool, apply: bool, progress: Progress
    ) -> "Report":
        """Import an export from a file."""
        ...

    async def back_up(self, name: str | None, *, apply: bool, progress: Progress) -> "Report":
        """Back up the managed engine's database to a new file."""
        ...


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The services that subcommands use."""

    pruning: PruneService
    curator: Curator
    expiry: ExpiryService
    continuity: ContinuityService
    audit: AuditService
    analysis: AnalysisService
    calibration: CalibrationService
    reembedding: ReembedService
    files: Files
    settings: Settings


@dataclass(frozen=True, slots=True)
class Request:
    """A call of a subcommand. ``apply``: change something, and not only plan it. None: the default."""

    namespace: str
    apply: bool
    days: float | None
    min_weight: float | None
    file: str | None
    vectors: bool
    map_ids: bool
    progress: Progress


@dataclass(frozen=True, slots=True)
class Report:
    """What a subcommand found or changed. ``changed`` is false for a plan and for what only reads."""

    summary: str
    counts: Mapping[str, float]
    items: Sequence[MaintenanceItem] = ()
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Subcommand:
    """What a subcommand does, in one line, and the function that does it."""

    about: str
    run: Callable[[Toolbox, Request], Awaitable[Report]]


async def _prune(tools: Toolbox, request: Request) -> Report:
    result = await tools.pruning.prune(
        request.namespace,
        apply=request.apply,
        least_weight=LEAST_WEIGHT if request.min_weight is None else request.min_weight,
        unused_days=UNUSED_DAYS if request.days is None else request.days,
        progress=request.progress,
    )
    found = f"{counted(result.recalls, 'weak, unused recall')} of {counted(result.thoughts, 'old thought')}"
    return Report(
        f"Removed {found}." if result.applied else f"Found {found}. Nothing was changed.",
        {"thoughts": result.thoughts, "recalls": result.recalls},
        [
            MaintenanceItem(
                id=one.thought_id,
                text=f"recalls {one.memory_id}: weight {one.weight:.2f}, now {one.decayed:.2f}, "
                f"last used {one.accessed.date()}",
            )
            for one in result.samples
        ],
        changed=result.applied and result.recalls > 0,
    )


async def _curate(tools: Toolbox, request: Request) -> Report:
    result = await tools.curator.run(
        request.namespace,
        apply=request.apply,
        rules=Rules(min_age=MIN_AGE if request.days is None else request.days),
        progress=request.progress,
    )
    leave = "left" if result.applied else "would leave"
    return Report(
        f"Of {counted(result.judged, 'old thought')}, {result.crystallised:,} {leave} recall for "
        f"{counted(result.summaries, 'summary')}, and {result.dumped:,} without one; {result.kept:,} stay."
        + ("" if result.applied else " Nothing was changed."),
        {
            name: getattr(result, name)
            for name in ("judged", "kept", "protected", "crystallised", "dumped", "summaries")
        },
        [
            MaintenanceItem(id=one.id, text=f"{one.verdict} ({one.value:.2f}): {one.reason}")
            for one in result.thoughts
        ],
        changed=result.applied and result.crystallised + result.dumped > 0,
    )


async def _expire(tools: Toolbox, request: Request) -> Report:
    found = await tools.expiry.find(request.namespace)
    if request.apply:
        redacted = await tools.expiry.redact(request.namespace, request.progress)
        return Report(
            f"Redacted {counted(redacted, 'expired thought')}.", {"thoughts": redacted}, changed=redacted > 0
        )
    return Report(
        f"Found {counted(found['total'], 'expired thought')}. Nothing was changed.",
        {"thoughts": found["total"]},
        [MaintenanceItem(id=id, text=f"expired {at}") for id, _, at in found["expired"]],
    )


async def _ensure_continuity_fields(tools: Toolbox, request: Request) -> Report:
    found = await tools.continuity.ensure(request.namespace, apply=request.apply, progress=request.progress)
    missing = f"{counted(found.links, 'link')} and {len(found.indexes):,} of the indexes were missing"
    changed = found.mended and bool(found.links or found.created)
    left = len(found.indexes) - len(found.created)
    if changed:
        missing += " and are there now"
        if left:
            missing += f", except {left:,} of the indexes"
    return Report(
        f"Read {counted(found.thoughts, 'thought')}; {missing}.",
        {"thoughts": found.thoughts, "links": found.links, "indexes": len(found.indexes)},
        [
            *(
                MaintenanceItem(
                    id=name, text=f"index, {'online now' if name in found.created else 'missing'}"
                )
                for name in found.indexes
            ),
            *(
                MaintenanceItem(
                    id=one["id"],
                    text=f"{one['type']} {one['target']}"
                    f"{', which does not exist yet' if one['waits'] else ''}",
                )
                for one in found.samples
            ),
        ],
        changed=changed,
    )


async def _verify(tools: Toolbox, request: Request) -> Report:
    audit = await tools.audit.verify_all(namespace=request.namespace, progress=request.progress)
    faulty = [report for report in audit.reports if report.verdict != "intact"]
    wrong = len(faulty) + len(audit.unnamed)
    return Report(
        f"Verified {counted(len(audit.reports), 'session')}: {wrong:,} not intact.",
        {
            "sessions": len(audit.reports),
            "thoughts": sum(report.thought_count for report in audit.reports),
            "not_intact": wrong,
        },
        [
            *(MaintenanceItem(id=report.session_id, text=report.message) for report in faulty),
            *(MaintenanceItem(id="", text=each) for each in audit.unnamed),
        ],
    )


async def _analyze(tools: Toolbox, request: Request) -> Report:
    # Near duplicates are the analysis that stores nothing.
    result = await tools.analysis.run(
        "all" if request.apply else "duplicates", request.namespace, request.progress
    )
    stored = (
        "" if request.apply else " Nothing was stored; apply also stores neighbours, mass and communities."
    )
    return Report(
        f"Compared {counted(result.thoughts or 0, 'thought')}: "
        f"{counted(result.duplicate_groups or 0, 'group')} of near duplicates.{stored}",
        {
            name: value
            for name in ("thoughts", "duplicate_groups", "neighbours", "nodes", "communities")
            if (value := getattr(result, name)) is not None
        },
        changed=request.apply,
    )


async def _calibrate(tools: Toolbox, request: Request) -> Report:
    if request.apply and tools.settings.namespace_fixed:
        raise RequestRefused(
            "Thresholds are those of the whole database, and this call may use one namespace only.",
            hint="Calibrate without `apply`, or where every namespace may be used.",
        )
    measured = await tools.calibration.measure(request.namespace, progress=request.progress)
    if request.apply:
        await tools.calibration.keep(measured)
    return Report(
        f"Measured {measured.basis}. {'Stored the' if request.apply else 'The'} proposed thresholds"
        f"{'.' if request.apply else ' are listed; nothing was stored.'}",
        {one.name: one.proposed for one in measured.thresholds},
        [
            MaintenanceItem(id=one.name, text=f"{one.present:.4f} now, {one.proposed:.4f} proposed")
            for one in measured.thresholds
        ],
        changed=request.apply,
    )


async def _reembed(tools: Toolbox, request: Request) -> Report:
    found = await tools.reembedding.advance("run" if request.apply else "status", request.progress)
    match found.state:
        case "none":
            state = "The database has the vectors of one model only."
        case "filling":
            state = f"{counted(found.waiting_in_other, 'text')} still have no vector of {found.other}."
        case "ready":
            state = f"All vectors of {found.other} are made: `reembed` compares and switches."
        case "switched":
            state = f"The database has switched to this model; the vectors of {found.other} are kept for now."
        case "dropping":
            state = f"The vectors of {found.other} are being dropped."
    return Report(
        f"Searches use {found.active or 'no model yet'}. {state}",
        {
            "waiting": found.waiting,
            "waiting_in_other": found.waiting_in_other,
            "embedded": found.embedded,
            "refused": found.refused,
        },
        changed=request.apply,
    )


async def _export(tools: Toolbox, request: Request) -> Report:
    return await tools.files.export(
        request.namespace,
        request.file,
        vectors=request.vectors,
        apply=request.apply,
        progress=request.progress,
    )


async def _import(tools: Toolbox, request: Request) -> Report:
    return await tools.files.load(
        request.namespace,
        request.file,
        map_ids=request.map_ids,
        apply=request.apply,
        progress=request.progress,
    )


async def _backup(tools: Toolbox, request: Request) -> Report:
    return await tools.files.back_up(request.file, apply=request.apply, progress=request.progress)


SUBCOMMANDS: Final[Mapping[str, Subcommand]] = {
    "prune": Subcommand("remove weak, unused recalls (`days`, `min_weight`)", _prune),
    "expire": Subcommand("redact thoughts that have expired", _expire),
    "ensure_continuity_fields": Subcommand(
        "repair indexes, and relationships for links that only properties have", _ensure_continuity_fields
    ),
    "verify": Subcommand("verify the chain of every session; changes nothing", _verify),
    "analyze": Subcommand("find near duplicates; `apply` runs all graph algorithms", _analyze),
    "calibrate": Subcommand("measure cosines; `apply` stores the thresholds of recall", _calibrate),
    "curate": Subcommand("take weak thoughts out of recall, as `curate` does (`days`)", _curate),
    "reembed": Subcommand(
        "state of the vectors; `apply` makes those of the configured model, for legacymind_reembed",
        _reembed,
    ),
    "export": Subcommand("write the namespace to a file (`file`, `vectors`)", _export),
    "import": Subcommand("read an export; `apply` stores it (`file`, `map_ids`)", _import),
    "backup": Subcommand("write a backup of the managed database to a file (`file`)", _backup),
}
"""Every subcommand by its name, in the order of the help."""
