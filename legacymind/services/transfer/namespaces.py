"""The namespaces of a database, for its operator: their sizes and quotas, and deleting them."""

from datetime import UTC, datetime
from typing import Final

from legacymind.db.query import NoRow, load
from legacymind.errors import InvalidInput, NotFound
from legacymind.model.maintenance import NamespaceUse
from legacymind.model.nodes import ForgetResult, Forgotten, ForgottenKind
from legacymind.model.progress import call_progress
from legacymind.services.knowledge.forgetting import REMAINS
from legacymind.services.shared import checks
from legacymind.services.shared.quotas import LIST_NAMESPACES, MEASURE_NAMESPACES, READ_QUOTAS, NamespaceRow
from legacymind.services.shared.service import Service
from legacymind.services.sync.served import ServedPlaceService

SET_QUOTA = load("transfer/set_quota", NoRow, writes=True)


DELETE_ACCESS = load("transfer/delete_access", int, writes=True)
DELETE_NAMESPACE = load("transfer/delete_namespace", int, writes=True)


_PAGE: Final = 100

_BATCH: Final = 500
"""Nodes that one transaction deletes."""


class NamespaceService(Service):
    """Lists, limits and deletes namespaces."""

    served: ServedPlaceService

    async def namespaces(self) -> list[NamespaceUse]:
        """The namespaces with thoughts, entities or a quota, by name, with counts. Reads all texts."""
        quotas = {row["name"]: row for row in await self._graph.run(READ_QUOTAS, {})}
        names, after = {*quotas}, ""
        while True:
            (page,) = await self._graph.run(LIST_NAMESPACES, {"after": after, "take": _PAGE})
            names.update(page)
            if len(page) < _PAGE:
                break
            after = page[-1]
        found: list[NamespaceUse] = []
        for name in sorted(names):
            quota = quotas.get(name)
            found.append(
                NamespaceUse(
                    **await self._measure(name),
                    quota_thoughts=quota["thoughts"] if quota else None,
                    quota_text=quota["text"] if quota else None,
                )
            )
        return found

    async def set_quota(
        self, namespace: str, *, thoughts: int | None = None, text: int | None = None
    ) -> None:
        """Limit the thoughts and the characters of text of a namespace; None is no limit.

        Other processes follow within half a minute. What is stored stays, also above the limit.
        """
        for name, value in (("thoughts", thoughts), ("text", text)):
            if value is not None and value < 0:
                raise InvalidInput(f"{name} must be at least 0.")
        space = self._named(namespace)
        await self._graph.run(SET_QUOTA, {"namespace": space, "thoughts": thoughts, "text": text})
        self._quotas.forget()

    async def delete(self, namespace: str, *, confirm: bool = False) -> ForgetResult:
        """Delete a namespace with its chains, tokens and quota; without ``confirm``, count what would go.

        An interrupted call is finished by repeating it. Raises NotFound if there is nothing to delete.
        """
        space = self._named(namespace)
        size, quotas = await self._measure(space), await self._graph.run(READ_QUOTAS, {})
        kinds: dict[ForgottenKind, int] = {
            "thought": size["thoughts"],
            "entity": size["entities"],
            "observation": size["facts"],
        }
        deleted = 0
        if confirm:  # access first, so that no client stores anything later
            (deleted,) = await self._graph.run(DELETE_ACCESS, {"namespace": space})
            self._quotas.forget()
            progress, total = call_progress.get(), sum(kinds.values())
            page = _BATCH
            while page == _BATCH:
                (page,) = await self._graph.run(DELETE_NAMESPACE, {"namespace": space, "take": _BATCH})
                deleted += page
                progress("Deleting", min(deleted, total), total)
            await self.served.delete(space)
            self._vectors.forget_all()
        used = any(kinds.values()) or size["tokens"] or any(row["name"] == space for row in quotas)
        if not used and not deleted:
            raise NotFound(
                f"There is no namespace {space}.", hint="`legacymind namespace list` shows the names."
            )
        return ForgetResult(
            namespace=space,
            done=confirm,
            counts=[Forgotten(kind=kind, count=count) for kind, count in kinds.items() if count],
            stays=["Nothing: sessions and chains go too, so exported heads verify no more."],
            remains=[*REMAINS] if confirm else [],
            at=datetime.now(UTC),
        )

    def _named(self, name: str) -> str:
        """A namespace by its name; a blank one is none, and not the configured one."""
        if not name.strip():
            raise InvalidInput("The name of the namespace is blank.", hint="Send its name.")
        return checks.namespace(name, self._settings)

    async def _measure(self, name: str) -> NamespaceRow:
        (row,) = await self._graph.run(MEASURE_NAMESPACES, {"names": [name]})
        return row
