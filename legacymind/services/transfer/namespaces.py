"""The namespaces of a database, for its operator: their sizes and quotas, and deleting them."""

from typing import Final

from legacymind.db.query import NoRow, load
from legacymind.errors import InvalidInput, NotFound
from legacymind.model.maintenance import NamespaceUse
from legacymind.model.nodes import ForgetResult
from legacymind.operations.registry import unvalidated
from legacymind.services.knowledge.forgetting import ForgetService
from legacymind.services.shared import checks
from legacymind.services.shared.quotas import LIST_NAMESPACES, MEASURE_NAMESPACES, READ_QUOTAS, NamespaceRow
from legacymind.services.shared.service import Service

SET_QUOTA = load("transfer/set_quota", NoRow, writes=True)


DELETE_ACCESS = load("transfer/delete_access", int, writes=True)


_PAGE: Final = 100


class NamespaceService(Service):
    """Lists, limits and deletes namespaces."""

    _forgetting: ForgetService

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
        """Delete a namespace with its tokens and its quota; without ``confirm``, only count what would go.

        As `forget` with `everything`, which keeps tokens and quota, because a caller with a token may use it.
        Raises NotFound if there is nothing to delete.
        """
        space = self._named(namespace)
        deleted = 0
        if confirm:  # first, so that no client stores anything later
            (deleted,) = await self._graph.run(DELETE_ACCESS, {"namespace": space})
            self._quotas.forget()
        result = await unvalidated(self._forgetting.forget)(everything=True, confirm=confirm, namespace=space)
        if not (deleted or result.counts or await self._has_access(space)):
            raise _unknown(space)
        return result

    def _named(self, name: str) -> str:
        """A namespace by its name; a blank one is none, and not the configured one."""
        if not name.strip():
            raise InvalidInput("The name of the namespace is blank.", hint="Send its name.")
        return checks.namespace(name, self._settings)

    async def _has_access(self, name: str) -> bool:
        """Whether an empty namespace has tokens or a quota."""
        quotas = await self._graph.run(READ_QUOTAS, {})
        return any(row["name"] == name for row in quotas) or (await self._measure(name))["tokens"] > 0

    async def _measure(self, name: str) -> NamespaceRow:
        (row,) = await self._graph.run(MEASURE_NAMESPACES, {"names": [name]})
        return row


def _unknown(name: str) -> NotFound:
    return NotFound(f"There is no namespace {name}.", hint="`legacymind namespace list` shows the names.")
