"""The lock file: the engine's jars by Maven coordinates and SHA-256.

``scripts/lock_engine.py`` writes it.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from legacymind.maven import Artifact

LOCK_FILE = Path(__file__).with_name("engine.lock.json")


@dataclass(frozen=True, slots=True)
class Jar(Artifact):
    """One jar; a ``plugin`` must also be in the home's ``plugins/``. ``size`` is in bytes.

    File names are unique within the lock file.
    """

    size: int
    role: Literal["plugin", "classpath"]


@dataclass(frozen=True, slots=True)
class EngineLock:
    """The engine's versions and jars; ``jars`` are in the order of the class path."""

    neo4j: str
    gds: str
    browser: str
    digest: str
    jars: tuple[Jar, ...]

    @property
    def plugins(self) -> tuple[Jar, ...]:
        """The jars of Graph Data Science."""
        return tuple(jar for jar in self.jars if jar.role == "plugin")

    @property
    def size(self) -> int:
        """The size of all jars, in bytes."""
        return sum(jar.size for jar in self.jars)


@cache
def read_lock() -> EngineLock:
    """Return the lock file of this LegacyMind."""
    content = LOCK_FILE.read_bytes()
    data = json.loads(content)
    return EngineLock(
        neo4j=data["neo4j"],
        gds=data["gds"],
        browser=data["browser"],
        digest=hashlib.sha256(content).hexdigest(),
        jars=tuple(Jar(**entry) for entry in data["jars"]),
    )
