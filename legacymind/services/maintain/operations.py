"""maintenance_ops: every maintenance job as a subcommand of one operation."""

from typing import Annotated

from legacymind.errors import InvalidInput
from legacymind.model.about import about
from legacymind.model.maintenance import MaintenanceCount, MaintenanceResult
from legacymind.model.progress import call_progress
from legacymind.model.values import clamped
from legacymind.operations.coercion import known_name
from legacymind.operations.registry import operation
from legacymind.services.maintain.subcommands import SUBCOMMANDS, Request, Toolbox
from legacymind.services.shared import budget, checks
from legacymind.services.shared.parameters import Namespace
from legacymind.services.shared.service import Service, ServiceContext


class MaintenanceService(Service):
    """Runs maintenance jobs by name."""

    def __init__(self, context: ServiceContext, tools: Toolbox) -> None:
        super().__init__(context)
        self._tools = tools

    @operation(
        tool="maintenance_ops",
        command="maintain",
        writes=True,
        profile="full",
        idempotent=True,
        destructive=True,
    )
    async def maintenance_ops(
        self,
        subcommand: Annotated[
            str,
            about(
                "Job to run",
                "; ".join(f"{name}: {one.about}" for name, one in SUBCOMMANDS.items()),
                names=tuple(SUBCOMMANDS),
            ),
        ],
        apply: Annotated[
            bool, about("False: plan only", "Make the changes. Without it, the job only reports them")
        ] = False,
        days: Annotated[
            float | None,
            clamped(0, 36_500),
            about("Unused for", "Days without use from which a job touches something. Default: by the job"),
        ] = None,
        min_weight: Annotated[
            float | None,
            clamped(0, 1),
            about("Least weight", "Weight below which `prune` removes a recall. Default: 0.15"),
        ] = None,
        file: Annotated[
            str | None,
            about(
                "File name",
                "export, import, backup: name of a file in the folder `files` of LEGACYMIND_HOME, such as "
                "`memory.jsonl` or `memory.backup`. Each namespace has a folder of its own there",
            ),
        ] = None,
        vectors: Annotated[bool, about("Also vectors", "export: include vectors")] = False,
        map_ids: Annotated[
            bool, about("New ids", "import: store an export of another namespace, under new ids")
        ] = False,
        namespace: Namespace = None,
    ) -> MaintenanceResult:
        """Run a maintenance job; without ``apply``, only plan it.

        Each job reports progress and can be interrupted. What it has stored stays. The next call does the
        rest, or begins anew if it is verify, analyze, calibrate or backup. Raises InvalidInput for an
        unknown subcommand.
        """
        name = known_name(subcommand, SUBCOMMANDS)
        if name not in SUBCOMMANDS:
            raise InvalidInput(
                f"There is no subcommand {subcommand[:80]!r}.",
                effect="Nothing was changed.",
                hint=f"Use one of {', '.join(SUBCOMMANDS)}.",
            )
        space = checks.namespace(namespace, self._settings)
        request = Request(
            space, apply, days, min_weight, file, vectors, map_ids, progress=call_progress.get()
        )
        report = await SUBCOMMANDS[name].run(self._tools, request)
        if apply and not self._settings.namespace_fixed:
            await self._tools.reembedding.tidy(request.progress)
        items, left_out = budget.fit(
            [*report.items], budget.DEFAULT_TOKENS - budget.frame(space, report.summary)
        )
        return MaintenanceResult(
            namespace=space,
            subcommand=name,
            applied=report.changed,
            summary=report.summary,
            counts=[MaintenanceCount(name=one, value=value) for one, value in report.counts.items()],
            items=items,
            left_out=left_out,
        )
