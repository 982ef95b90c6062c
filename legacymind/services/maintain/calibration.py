"""Calibration: fitting the thresholds of recall to the texts of a memory and its embedding model.

Thresholds are chosen by the share of pairs that reach them. ``REFERENCE`` has the share for each threshold;
``measure`` finds the cosines that the same shares of a memory's own pairs reach.
"""

import asyncio
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal

from legacymind.db.query import load
from legacymind.embed.base import Thresholds
from legacymind.errors import EmbeddingMismatch, InvalidInput
from legacymind.model.progress import Progress, no_progress
from legacymind.services.maintain.comparison import SAMPLE_KNOWLEDGE, SAMPLE_THOUGHTS
from legacymind.services.shared import checks
from legacymind.services.shared.service import Service

if TYPE_CHECKING:
    from legacymind.services.analysis.similarities import Cosines

KEEP_THRESHOLDS = load("maintain/keep_thresholds", datetime, writes=True)

DROP_THRESHOLDS = load("maintain/drop_thresholds", tuple[bool, bool], writes=True)

PairKind = Literal["knowledge", "thoughts"]
"""What a thought is paired with."""

# The shares of pairs that reach MiniLM's thresholds (embed/presets.py) on LoCoMo. Each of its ten
# conversations is a memory of 369 to 689 turns and 169 to 324 observations made from them. Pairs are within a
# conversation, pooled over all ten: 1,780,615 pairs of turns (without consecutive ones) and 1,535,971 pairs
# of a turn and an observation (without an observation's source). bench/shares.py repeats the
# measurement. By conversation t1 passes 0.6 to 7 %, t2 0.1 to 1.6 %, thoughts at scale 1 0.004 to 0.05 %, at
# scale 5 0.8 to 5.5 %; similar subjects give higher shares.
REFERENCE: Final = Thresholds(
    knowledge=(0.0301, 0.00562, 0.00028),
    thoughts=(0.000183, 0.000721, 0.0025, 0.00744, 0.0218),
    floor=0.606,
)
"""Shares of pairs, 0 to 1, in the fields of the thresholds they belong to."""

_SAMPLE: Final = 1_000
"""Most nodes of each kind in a sample."""

LEAST_THOUGHTS: Final = 100
LEAST_KNOWLEDGE: Final = 30
_LEAST_PAIRS: Final = 2_000
_DRAWS: Final = 4
"""Random ids drawn for each thought in a sample, since some lead to other namespaces."""

_NAMES: Final[tuple[tuple[str, PairKind], ...]] = (
    ("t1", "knowledge"),
    ("t2", "knowledge"),
    ("t3", "knowledge"),
    ("s1", "thoughts"),
    ("s2", "thoughts"),
    ("s3", "thoughts"),
    ("s4", "thoughts"),
    ("s5", "thoughts"),
    ("floor", "knowledge"),
)
"""In the order of ``Thresholds.values``; s1 is the threshold of thoughts at injection scale 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One threshold: the ``present`` cosine, and the ``proposed`` one, which the share ``reference`` reaches.

    ``present`` is the calibrated one, else the model's; a setting overrides it. ``estimated`` marks a
    proposal from an extended tail, because fewer than twenty pairs would reach it.
    """

    name: str
    kind: PairKind
    present: float
    proposed: float
    reference: float
    estimated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """The result of a measurement; ``namespace`` is None for all namespaces. Measuring stores nothing."""

    namespace: str | None
    fingerprint: str
    thoughts: int
    knowledge: int
    thought_pairs: int
    knowledge_pairs: int
    thresholds: list[Proposal]

    @property
    def basis(self) -> str:
        """A description of the sample."""
        where = "all namespaces" if self.namespace is None else f"the namespace {self.namespace}"
        return f"{self.thoughts:,} thoughts and {self.knowledge:,} pieces of knowledge of {where}"


class CalibrationService(Service):
    """Measures a memory's cosines, and stores or removes thresholds fitted to them."""

    async def measure(
        self,
        namespace: str | None = None,
        *,
        everywhere: bool = False,
        progress: Progress = no_progress,
    ) -> Calibration:
        """Measure a sample of one namespace, or of all, against ``REFERENCE``; embed and store nothing.

        The sample has at most 1,000 thoughts, and as much knowledge, so that the time does not grow with the
        graph. Raises InvalidInput when there is too little to measure.
        """
        # Imported here, so that other commands do not wait for numpy.
        from legacymind.services.analysis import similarities

        space = None if everywhere else checks.namespace(namespace, self._settings)
        # The thresholds in use may have been stored since this process connected.
        await self._graph.reread()
        drawn: dict[str, Any] = {
            "namespace": space,
            "starts": [str(uuid.uuid4()) for _ in range(_DRAWS * _SAMPLE)],
            "sample_size": _SAMPLE,
        }
        progress("Reading a sample", 0, 2)
        ((nodes, _),) = await self._vectors.run(SAMPLE_THOUGHTS, {**drawn, "everything": False})
        thoughts = similarities.points(nodes)
        progress("Reading a sample", 1, 2)
        ((nodes, _),) = await self._vectors.run(SAMPLE_KNOWLEDGE, {**drawn, "now": datetime.now(UTC)})
        knowledge = similarities.points(nodes)
        progress("Reading a sample", 2, 2)
        _enough(len(thoughts), len(knowledge), space)
        # In threads, since millions of pairs take seconds.
        progress("Comparing pairs", 0, 2)
        with_knowledge = await asyncio.to_thread(similarities.between, thoughts, knowledge)
        progress("Comparing pairs", 1, 2)
        among_thoughts = await asyncio.to_thread(similarities.among, thoughts)
        progress("Comparing pairs", 2, 2)
        cosines: dict[PairKind, Cosines] = {"knowledge": with_knowledge, "thoughts": among_thoughts}
        if min(len(each) for each in cosines.values()) < _LEAST_PAIRS:
            raise InvalidInput(
                "The sample is spread over too many namespaces to have pairs within them.",
                hint="Calibrate one namespace, or use a larger sample.",
            )
        return Calibration(
            namespace=space,
            fingerprint=self._vectors.embedder.info.fingerprint,
            thoughts=len(thoughts),
            knowledge=len(knowledge),
            thought_pairs=len(among_thoughts),
            knowledge_pairs=len(with_knowledge),
            thresholds=self._proposals(cosines),
        )

    async def keep(self, calibration: Calibration) -> datetime:
        """Store the proposed thresholds for this model's vectors, and return the time of storing.

        Each process uses them from its next connection. Raises EmbeddingMismatch when the database has
        switched to another model since the measurement.
        """
        claim = await self._vectors.claim()
        rows = await self._graph.run(
            KEEP_THRESHOLDS.for_slot(claim.slot),
            {
                "fingerprint": calibration.fingerprint,
                "thresholds": [proposal.proposed for proposal in calibration.thresholds],
                "basis": calibration.basis,
                "now": datetime.now(UTC),
            },
        )
        if not rows:
            await self._vectors.renew()
            raise EmbeddingMismatch("The database has switched to another model.", hint="Calibrate again.")
        return rows[0]

    async def drop(self) -> bool:
        """Remove the stored thresholds, so that the model's own apply; return whether there were any."""
        ((kept, _),) = await self._vectors.run(DROP_THRESHOLDS, {})
        return kept

    def _proposals(self, cosines: "dict[PairKind, Cosines]") -> list[Proposal]:
        from legacymind.services.analysis import similarities

        proposals: list[Proposal] = []
        for (name, kind), present, reference in zip(
            _NAMES, self._vectors.thresholds.values, REFERENCE.values, strict=True
        ):
            proposed, estimated = similarities.threshold(cosines[kind], reference)
            proposals.append(
                Proposal(
                    name=name,
                    kind=kind,
                    present=present,
                    proposed=proposed,
                    reference=reference,
                    estimated=estimated,
                )
            )
        return proposals


def _enough(thoughts: int, knowledge: int, namespace: str | None) -> None:
    if thoughts >= LEAST_THOUGHTS and knowledge >= LEAST_KNOWLEDGE:
        return
    where = "the database" if namespace is None else f"the namespace {namespace}"
    raise InvalidInput(
        f"There is too little in {where} to calibrate with: {thoughts} different thoughts and {knowledge} "
        f"different entities and observations; {LEAST_THOUGHTS} and {LEAST_KNOWLEDGE} are needed.",
        hint="Keep the thresholds in use, or choose another namespace.",
    )
