"""A world of three homes runs a history, and what must hold after it.

Each home has its own copy of every place; steps carry files from copy to copy, and lose, cut, reorder and
change them. At the end everything is carried and synchronised until nothing changes.
"""

import asyncio
import gzip
import random
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final, LiteralString

from legacymind.errors import InvalidInput, NotFound
from legacymind.mind import Mind
from legacymind.model.base import EntityInput, ObservationInput, RelationInput
from legacymind.model.sync import SyncResult
from legacymind.services.sync.collecting import READ_HORIZON
from tests.services.sync.common import differences, state
from tests.services.sync.histories import HOMES, History, Step
from tests.services.sync.homes import Killed, acting
from tests.steps import bare
from tests.wire import raw

NAMES: Final = ("Ada", "Bob", "Cy")
ROUNDS: Final = 10
"""The most rounds of everybody after which nothing may change any more."""

STAMPS: LiteralString = (
    "MATCH (n:Entity|Observation {namespace: $ns}) RETURN n.id AS id, 'stated' AS what, n.stated_at AS at "
    "UNION ALL MATCH (n:Removed {namespace: $ns}) WHERE n.reason IS NULL "
    "RETURN n.id AS id, 'removed' AS what, n.removed_at AS at"
)
PASSED: LiteralString = (
    "MATCH (n {namespace: $ns}) WITH max(n.noted_at) AS noted "
    "RETURN coalesce(noted < datetime($until), true) AS passed"
)
CLEAR: LiteralString = "MATCH (n {namespace: $ns}) DETACH DELETE n"


class Broken(AssertionError):
    """A history after which something does not hold."""


@dataclass
class World:
    """Three homes while they run a history."""

    minds: Sequence[Mind]
    folder: Path
    history: History
    namespace: str
    thoughts: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """The session and the text of each acknowledged thought."""
    redacted: set[str] = field(default_factory=set[str])
    facts: list[str] = field(default_factory=list[str])
    stamps: dict[str, dict[str, datetime]] = field(default_factory=lambda: {"stated": {}, "removed": {}})
    replicas: dict[int, str] = field(default_factory=dict[int, str])
    log: list[str] = field(default_factory=list[str])

    async def run(self) -> None:
        """Run the steps, synchronise all, and check. Raises Broken."""
        try:
            for number, step in enumerate(self.history.steps):
                with acting(self.history.skews[step.home]), suppress(NotFound, InvalidInput):
                    await getattr(self, f"_{step.kind}")(step, number)
            await self._settle()
            await self._check()
        finally:
            for mind in self.minds:
                with acting(0.0):
                    await raw(mind, CLEAR, ns=self.namespace)
            shutil.rmtree(self.folder, ignore_errors=True)

    async def _call(self, step: Step, operation: str, **given: Any) -> Any:
        mind = self.minds[step.home]
        return await mind.operations[operation].call({**given, "namespace": self.namespace})

    # --- thoughts ------------------------------------------------------------------------------------

    async def _think(self, step: Step, number: int) -> None:
        a, b, c, _ = step.draws
        session = f"shared {int(a * 2)}" if a < 0.8 else f"own {step.home}"
        text = f"thought {number} of home {step.home}"
        given: dict[str, Any] = {"content": text, "session_id": session, "injection_scale": int(b * 1.3) * 5}
        if c < 0.2 and self.thoughts:
            given["parent_id"] = self._some_thought(c * 5)
        made = await self._call(step, "think", **given, verbose_analysis=True)
        self.thoughts[bare(made)] = (session, text)

    def _some_thought(self, draw: float) -> str:
        return [*self.thoughts][int(draw * len(self.thoughts))] if self.thoughts else "none"

    async def _outcome(self, step: Step, number: int) -> None:
        a, b, c, _ = step.draws
        await self._call(
            step,
            "record_outcome",
            thought_id=self._some_thought(a),
            outcome=str(round(1.5 * b - 0.5, 2)),
            solves=self._some_thought(c) if c < 0.5 else None,
        )

    async def _pin(self, step: Step, number: int) -> None:
        a, b, *_ = step.draws
        await self._call(step, "pin_thought", thought_id=self._some_thought(a), pinned=b < 0.7)

    async def _relate(self, step: Step, number: int) -> None:
        a, b, c, _ = step.draws
        target = self._some_fact(b) if c < 0.5 else self._some_thought(b)
        await self._call(
            step,
            "relate_thought",
            thought_id=self._some_thought(a),
            target_id=target,
            note=str(number),
            remove=c > 0.8,
        )

    async def _redact(self, step: Step, number: int) -> None:
        gone = self._some_thought(step.draws[0])
        await self._call(step, "redact_thought", thought_id=gone, reason="asked for")
        self.redacted.add(gone)

    # --- knowledge -----------------------------------------------------------------------------------

    def _some_fact(self, draw: float) -> str:
        return self.facts[int(draw * len(self.facts))] if self.facts else "none"

    async def _remember(self, step: Step, **given: Any) -> Any:
        made = await self.minds[step.home].remember(**given, namespace=self.namespace)
        for fact in made.observations:
            self.facts += [fact.id] if fact.id not in self.facts else []
        held = await self._noted(step.home)
        for one in (*made.entities, *made.observations):
            if not held["stated"].get(one.id, datetime.min) > held["removed"].get(one.id, datetime.min):
                raise Broken(f"{one.id} was stated at home {step.home} before it was removed there")
        return made

    async def _noted(self, home: int) -> dict[str, dict[str, datetime]]:
        """Note when knowledge was stated and removed, as the home that did it says."""
        held: dict[str, dict[str, datetime]] = {"stated": {}, "removed": {}}
        for row in await raw(self.minds[home], STAMPS, ns=self.namespace):
            held[row["what"]][row["id"]] = at = row["at"].replace(tzinfo=None)
            known = self.stamps[row["what"]]
            known[row["id"]] = max(at, known.get(row["id"], at))
        return held

    async def _state(self, step: Step, number: int) -> None:
        a, b, c, d = step.draws
        fact = ObservationInput(
            entity=_name(a),
            content=f"likes number {int(b * 3)}",
            entity_type="person" if c < 0.9 else None,
            learned_from=self._some_thought(d) if d < 0.2 and self.thoughts else None,
        )
        await self._remember(step, observations=[fact])

    async def _describe(self, step: Step, number: int) -> None:
        a, b, *_ = step.draws
        await self._remember(
            step,
            entities=[EntityInput(name=_name(a), entity_type="person", description=f"known {int(b * 3)}")],
        )

    async def _supersede(self, step: Step, number: int) -> None:
        old = self._some_fact(step.draws[0])
        statement: LiteralString = "MATCH (:Observation {id: $id})-[:ABOUT]->(e) RETURN e.name AS name"
        name = await raw(self.minds[step.home], statement, id=old)
        if name:
            fact = ObservationInput(
                entity=name[0]["name"], content=f"likes {number} now", entity_type="person", supersedes=old
            )
            await self._remember(step, observations=[fact])

    async def _connect(self, step: Step, number: int) -> None:
        a, b, c, _ = step.draws
        link = RelationInput(
            source_entity=_name(a),
            target_entity=_name(b),
            type="KNOWS" if c < 0.7 else "LIKES",
            source_type="person",
            target_type="person",
        )
        if _name(a) != _name(b):
            await self._remember(step, relations=[link])

    async def _merge(self, step: Step, number: int) -> None:
        a, b, *_ = step.draws
        await self._call(step, "merge", keep=_name(a), others=[_name(b)], reason=f"step {number}")
        await self._noted(step.home)

    async def _forget(self, step: Step, number: int) -> None:
        await self._forgotten(step, self._some_fact(step.draws[0]))

    async def _forget_entity(self, step: Step, number: int) -> None:
        found = await self._call(step, "entity", name=_name(step.draws[0]))
        await self._forgotten(step, found.entity.id)

    async def _forgotten(self, step: Step, id: str) -> None:
        await self._noted(step.home)
        await self._call(step, "forget", id=id, confirm=True)
        held = await self._noted(step.home)
        if id in held["stated"] or id not in held["removed"]:
            raise Broken(f"{id} was forgotten at home {step.home} and is still there")
        if self.stamps["stated"].get(id) and held["removed"][id] < held["stated"].get(id, datetime.min):
            raise Broken(f"{id} was removed at home {step.home} before it was stated there")

    # --- synchronisation -----------------------------------------------------------------------------

    def _copy(self, home: int, place: int) -> Path:
        folder = self.folder / f"home-{home}" / f"place-{place}"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def _place(self, home: int, draw: float) -> int:
        own = [n for n, homes in enumerate(self.history.places) if home in homes]
        return own[int(draw * len(own))]

    async def _synced(self, home: int, place: int) -> SyncResult:
        result = await self.minds[home].sync(self._copy(home, place), self.namespace, trust=True)
        self.replicas[home] = result.replica
        said = [result.problems, result.refused, result.waiting_for]
        text = f"home {home} place {place}: {said} {result.written} {result.stored} {result.removed}"
        self.log.append(text.replace(str(self.folder), ""))
        return result

    async def _sync(self, step: Step, number: int) -> None:
        await self._synced(step.home, self._place(step.home, step.draws[0]))

    async def _meet(self, step: Step, number: int) -> None:
        """Synchronise another home, carry all that it has here, and synchronise."""
        place, source, _, _ = self._files(step)
        other = int(source.parent.name[-1])
        with acting(self.history.skews[other]):
            await self._synced(other, place)
        await self._carry(step, number)
        await self._synced(step.home, place)

    async def _killed_sync(self, step: Step, number: int) -> None:
        with suppress(Killed), acting(self.history.skews[step.home], int(step.draws[1] ** 2 * 60)):
            await self._synced(step.home, self._place(step.home, step.draws[0]))

    async def _forget_read(self, step: Step, number: int) -> None:
        """Read every segment of a place again."""
        statement: LiteralString = "MATCH (s:SyncSource {namespace: $ns}) WHERE s.replica <> $own DELETE s"
        own = self.replicas.get(step.home, "")
        await raw(self.minds[step.home], statement, ns=self.namespace, own=own)

    def _files(self, step: Step) -> tuple[int, Path, Path, list[Path]]:
        """A place, two copies of it, and the files of the first that the second lacks."""
        place = self._place(step.home, step.draws[0])
        others = [home for home in self.history.places[place] if home != step.home]
        source = self._copy(others[int(step.draws[1] * len(others))], place)
        target = self._copy(step.home, place)
        own = self.replicas.get(step.home)
        found = (file.relative_to(source) for file in source.rglob("*.gz") if file.name[0] != ".")
        files = sorted(file for file in found if file.parent.name != own)
        return place, source, target, [file for file in files if _differs(source / file, target / file)]

    async def _carry(self, step: Step, number: int) -> None:
        _, source, target, files = self._files(step)
        for file in files:
            _put(target / file, (source / file).read_bytes())

    async def _carry_some(self, step: Step, number: int) -> None:
        _, source, target, files = self._files(step)
        for file in random.Random(step.draws[2]).sample(files, int(step.draws[3] * len(files))):
            _put(target / file, (source / file).read_bytes())

    async def _carry_cut(self, step: Step, number: int) -> None:
        _, source, target, files = self._files(step)
        for file in files[-1:]:
            if not (target / file).exists():
                whole = (source / file).read_bytes()
                _put(target / file, whole[: int(len(whole) * step.draws[2])])

    async def _carry_last(self, step: Step, number: int) -> None:
        _, source, target, files = self._files(step)
        for folder in {file.parent for file in files}:
            last = max(file for file in files if file.parent == folder)
            _put(target / last, (source / last).read_bytes())

    async def _tamper(self, step: Step, number: int) -> None:
        """Change the text of a thought in a file of another home that was carried here."""
        own = self.replicas.get(step.home)
        target = self._copy(step.home, self._place(step.home, step.draws[0]))
        files = [file for file in sorted(target.rglob("*.gz")) if file.parent.name != own]
        if files:
            file = files[int(step.draws[1] * len(files))]
            with suppress(EOFError, OSError):
                text = gzip.decompress(file.read_bytes())
                file.write_bytes(gzip.compress(text.replace(b'"thought ', b'"thinks ')))

    # --- the end -------------------------------------------------------------------------------------

    async def _settle(self) -> None:
        """Carry and synchronise everything until nothing changes."""
        for _ in range(ROUNDS):
            quiet = True
            for place, homes in enumerate(self.history.places):
                for home in homes:
                    self._carry_all(place, homes)
                    with acting(self.history.skews[home]):
                        await self._passed(self.minds[home])
                        result = await self._synced(home, place)
                    if result.problems or result.waiting:
                        quiet = False
                    quiet &= not (result.written or result.stored or result.removed)
            if quiet:
                return
        raise Broken(f"it does not settle: {self.log[-9:]}")

    async def _passed(self, mind: Mind) -> None:
        """Wait for transactions that began before the last change, which is written once more after them."""
        while True:
            (until,) = await mind.graph.run(READ_HORIZON, {})
            (row,) = await raw(mind, PASSED, ns=self.namespace, until=until)
            if row["passed"]:
                return
            await asyncio.sleep(0.05)

    def _carry_all(self, place: int, homes: Sequence[int]) -> None:
        for home in homes:
            source = self._copy(home, place)
            for file in source.rglob("*.gz"):
                if file.parent.name != self.replicas.get(home) or file.name[0] == ".":
                    continue
                for other in homes:
                    target = self._copy(other, place) / file.relative_to(source)
                    if other != home and _differs(file, target):
                        _put(target, file.read_bytes())

    async def _check(self) -> None:
        with acting(0.0):
            # Of an entity that was removed, a fact that only another home had goes, too.
            for home in range(HOMES):
                await self._noted(home)
            states = [await state(mind, self.namespace) for mind in self.minds]
        faults: list[str] = []
        for home in range(1, HOMES):
            faults += differences(states[0], states[home], f"homes 0 and {home}")
        for home, (nodes, _) in enumerate(states):
            faults += self._lost(home, nodes)
            with acting(self.history.skews[home]):
                survey = await self.minds[home].services.audit.survey(namespace=self.namespace)
            faults += [f"home {home}: {one}" for one in survey.faulty]
        if faults:
            raise Broken("\n".join(faults[:20]))

    def _lost(self, home: int, nodes: dict[str, dict[str, Any]]) -> list[str]:
        """What was acknowledged and is not there, and what was removed and is."""
        faults: list[str] = []
        for own_id, (session, text) in self.thoughts.items():
            node = nodes.get(own_id)
            expected = None if own_id in self.redacted else text
            if node is None or (node.get("content"), node.get("session_id")) != (expected, session):
                found = node and node.get("content")
                faults.append(f"home {home} has lost the thought {own_id}: {expected!r} is {found!r}")
        for own_id in {*self.stamps["stated"], *self.stamps["removed"]}:
            stated, removed = (self.stamps[what].get(own_id, datetime.min) for what in ("stated", "removed"))
            if (own_id in nodes) != (stated > removed):
                faults.append(f"home {home}: {own_id} stated {stated} removed {removed}: {own_id in nodes}")
        return faults


def _name(draw: float) -> str:
    return NAMES[int(draw * len(NAMES))]


def _differs(one: Path, two: Path) -> bool:
    return not two.exists() or one.read_bytes() != two.read_bytes()


def _put(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


async def play(minds: Sequence[Mind], history: History, folder: Path, namespace: str) -> None:
    """Run a history in a new namespace, and check. Raises Broken."""
    await World(minds, folder, history, namespace).run()
