"""The lock file: which jars make the engine, by Maven coordinates and SHA-256.

``scripts/lock_engine.py`` writes it.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

LOCK_FILE = Path(__file__).with_name("engine.lock.json")


@dataclass(frozen=True, slots=True)
class Jar:
    """One jar; ``role`` says whether Neo4j must also find it in the home's ``plugins/``."""

    group: str
    artifact: str
    version: str
    classifier: str
    sha256: str
    size: int
    role: Literal["plugin", "classpath"]

    @property
    def file_name(self) -> str:
        """The name Maven gives it, unique within the lock."""
        parts = [self.artifact, self.version, self.classifier]
        return "-".join(part for part in parts if part) + ".jar"


@dataclass(frozen=True, slots=True)
class EngineLock:
    """Everything the engine is made of; ``jars`` are in the order of the class path."""

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
        """All jars together, in bytes."""
        return sum(jar.size for jar in self.jars)


@cache
def read_lock() -> EngineLock:
    """The lock file of this LegacyMind."""
    content = LOCK_FILE.read_bytes()
    data = json.loads(content)
    return EngineLock(
        neo4j=data["neo4j"],
        gds=data["gds"],
        browser=data["browser"],
        digest=hashlib.sha256(content).hexdigest(),
        jars=tuple(Jar(**entry) for entry in data["jars"]),
    )
