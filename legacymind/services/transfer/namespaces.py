"""The namespaces of a database, for its operator: their sizes and quotas, renaming and deleting them."""

import asyncio
import hashlib
from pathlib import Path
from typing import Final, TypedDict

from legacymind.db.query import NoRow, load
from legacymind.errors import Conflict, InvalidInput, LegacyMindError, NotFound
from legacymind.model.maintenance import NamespaceUse
from legacymind.model.nodes import ForgetResult
from legacymind.model.progress import Progress, no_progress
from legacymind.operations.methods import public
from legacymind.operations.registry import unvalidated
from legacymind.services.knowledge.forgetting import ForgetService
from legacymind.services.shared import checks
from legacymind.services.shared.quotas import LIST_NAMESPACES, MEASURE_NAMESPACES, READ_QUOTAS, NamespaceRow
from legacymind.services.shared.service import Service, ServiceContext
from legacymind.services.transfer.files import FileService
from legacymind.services.transfer.importing import RestoreService
from legacymind.services.transfer.restoration import Restoration

SET_QUOTA = load("transfer/set_quota", NoRow, writes=True)


class MovedRow(TypedDict):
    """The number of tokens and quotas that were moved or deleted."""

    moved: int


MOVE_ACCESS = load("transfer/move_access", MovedRow, writes=True)


_PAGE: Final = 100


class NamespaceService(Service):
    """Lists, limits, renames and deletes namespaces."""

    def __init__(
        self,
        context: ServiceContext,
        forgetting: ForgetService,
        files: FileService,
        restoring: RestoreService,
    ) -> None:
        super().__init__(context)
        self._forgetting = forgetting
        self._files = files
        self._restoring = restoring

    @public("namespaces")
    async def namespaces(self) -> list[NamespaceUse]:
        """The namespaces with thoughts, entities or a quota, by name, with counts. Reads all texts."""
        quotas = {row["name"]: row for row in await self._graph.run(READ_QUOTAS, {})}
        names, after = {*quotas}, ""
        while True:
            (row,) = await self._graph.run(LIST_NAMESPACES, {"after": after, "take": _PAGE})
            names.update(row["names"])
            if len(row["names"]) < _PAGE:
                break
            after = row["names"][-1]
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

    @public("set_quota", writes=True)
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

    @public("delete_namespace", writes=True)
    async def delete(self, namespace: str, *, confirm: bool = False) -> ForgetResult:
        """Delete a namespace with its tokens and its quota; without ``confirm``, only count what would go.

        As `forget` with `everything`, which keeps tokens and quota, because a caller with a token may use it.
        Raises NotFound if there is nothing to delete.
        """
        space = self._named(namespace)
        moved = 0
        if confirm:  # first, so that no client stores anything later
            (row,) = await self._graph.run(MOVE_ACCESS, {"namespace": space, "target": None})
            moved = row["moved"]
            self._quotas.forget()
        result = await unvalidated(self._forgetting.forget)(everything=True, confirm=confirm, namespace=space)
        if not (moved or result.counts or await self._has_access(space)):
            raise _unknown(space)
        return result

    @public("rename_namespace", writes=True)
    async def rename(self, old: str, new: str, *, progress: Progress = no_progress) -> Restoration:
        """Rename a namespace: copy it under new ids, verify the copy, move its tokens and quota, delete it.

        Hashes cover the namespace and all ids, so the chains are hashed again, as an import with ``map_ids``
        does; it refuses a broken chain. An interrupted call is finished by repeating it. Raises Conflict if
        the new namespace has anything, or if the old one changes meanwhile; nothing is deleted then.
        """
        source, target = (self._named(name) for name in (old, new))
        if source == target:
            raise InvalidInput("Both names are the same.", hint="Send another name.")
        before = await self._measure(source)
        if not _has(before):
            raise _unknown(source)
        file = self._settings.home_path / f"rename-{_digest(source, target)}.jsonl"
        # The file shows that what the new namespace has is from an earlier, interrupted call.
        if _has(await self._measure(target)) and not file.exists():
            raise Conflict(
                f"The namespace {target} exists.",
                effect="Nothing was changed.",
                hint=f"Choose another name, or delete {target} first. If the deletion of {source} was "
                f"interrupted, `legacymind namespace delete` finishes it.",
            )
        again = file.with_name(f"again-{file.name}")
        await asyncio.to_thread(_remove, file)
        try:
            await self._files.write(file, source, vectors=True, progress=progress)
            restored = await self._restoring.load(
                lambda: file.open("rb"), namespace=target, map_ids=True, progress=progress
            )
            await self._files.write(again, source, vectors=True, progress=progress)
            copied, now = await asyncio.to_thread(lambda: [_content(each) for each in (file, again)])
            if now != copied:
                raise Conflict(
                    f"The namespace {source} was changed while it was copied.",
                    effect=f"{source} is as it was, and the copy {target} was deleted.",
                    hint="Stop what writes to it, and repeat the call.",
                )
        except LegacyMindError:
            await self._empty(target)
            await asyncio.to_thread(_remove, file)
            raise
        finally:
            await asyncio.to_thread(_remove, again)
        await self._graph.run(MOVE_ACCESS, {"namespace": source, "target": target})
        self._quotas.forget()
        await asyncio.to_thread(_remove, file)
        await self._empty(source)
        return restored

    async def _empty(self, name: str) -> ForgetResult:
        return await unvalidated(self._forgetting.forget)(everything=True, confirm=True, namespace=name)

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


def _has(row: NamespaceRow) -> bool:
    return any(row[name] for name in ("thoughts", "entities", "facts"))


def _digest(*names: str) -> str:
    return hashlib.sha256("\n".join(names).encode()).hexdigest()[:12]


def _content(file: Path) -> str:
    """A digest of an export without its header, which has the time."""
    with file.open("rb") as lines:
        next(lines)
        return hashlib.file_digest(lines, "sha256").hexdigest()


def _remove(file: Path) -> None:
    for name in (file, *(file.with_name(f"{file.name}{end}") for end in (".part", ".part.json"))):
        name.unlink(missing_ok=True)
