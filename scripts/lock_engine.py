"""Write legacymind/engine/engine.lock.json: the jars of the managed Neo4j, as Maven resolves them.

    python scripts/lock_engine.py

Requires ``mvn``. The server and GDS are resolved separately, and dependencies of GDS that the server already
has are removed. Resolved together, GDS would change some of the server's libraries to versions that the
server was not tested with.
"""

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

LOCK = Path(__file__).resolve().parent.parent / "legacymind" / "engine" / "engine.lock.json"
NEO4J = "2026.08.1"
GDS = "2.26.0"
BROWSER = "5.24.0"
SERVER_ROOTS = (
    f"org.neo4j:neo4j:{NEO4J}",
    f"org.neo4j.app:neo4j-server:{NEO4J}",
    f"org.neo4j.client:neo4j-browser:{BROWSER}",
)
PLUGIN_ROOTS = (f"org.neo4j.gds:proc:{GDS}", f"org.neo4j.gds:opengds-extension:{GDS}")

POM = """<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>legacymind</groupId><artifactId>engine</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>{}</dependencies>
</project>
"""
DEPENDENCY = "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency>"


class Found(NamedTuple):
    """One jar, as resolved by Maven."""

    group: str
    artifact: str
    version: str
    classifier: str
    path: Path


def resolve(roots: tuple[str, ...], folder: Path) -> list[Found]:
    """Every runtime jar of ``roots``, copied into ``folder`` by Maven."""
    mvn = shutil.which("mvn")
    if mvn is None:
        sys.exit("Locking the engine requires Maven. Install it, so that `mvn` is on the PATH.")
    folder.mkdir()
    pom = folder / "pom.xml"
    pom.write_text(
        POM.format("".join(DEPENDENCY.format(*root.split(":")) for root in roots)), encoding="utf-8"
    )
    subprocess.run(
        [
            mvn,
            "--batch-mode",
            "--quiet",
            f"--file={pom}",
            "dependency:copy-dependencies",
            "-DincludeScope=runtime",
            "-Dmdep.useRepositoryLayout=true",
            f"-DoutputDirectory={folder / 'jars'}",
        ],
        check=True,
    )
    return [_read_layout(path, folder / "jars") for path in sorted((folder / "jars").rglob("*.jar"))]


def _read_layout(path: Path, root: Path) -> Found:
    *group, artifact, version, name = path.relative_to(root).parts
    classifier = name.removeprefix(f"{artifact}-{version}").removesuffix(".jar").removeprefix("-")
    return Found(".".join(group), artifact, version, classifier, path)


def entry(found: Found, role: str) -> dict[str, str | int]:
    """One line of the lock file."""
    content = found.path.read_bytes()
    return {
        "group": found.group,
        "artifact": found.artifact,
        "version": found.version,
        "classifier": found.classifier,
        "sha256": hashlib.sha256(content).hexdigest(),
        "size": len(content),
        "role": role,
    }


def build() -> str:
    """The text of the lock file."""
    with tempfile.TemporaryDirectory() as scratch:
        server = resolve(SERVER_ROOTS, Path(scratch) / "server")
        plugins = resolve(PLUGIN_ROOTS, Path(scratch) / "plugins")
        shared = {(jar.group, jar.artifact) for jar in server}
        own = [jar for jar in plugins if (jar.group, jar.artifact) not in shared]
        # Plugins first, as on the class path.
        entries = [entry(jar, "plugin") for jar in own] + [entry(jar, "classpath") for jar in server]
    names = [jar.path.name for jar in own + server]
    if len(set(names)) != len(names):
        sys.exit("Two jars have the same file name; the cache keeps them in one folder.")
    head = {"neo4j": NEO4J, "gds": GDS, "browser": BROWSER}
    # One jar to a line, so that a diff shows what changed.
    lines = ",\n".join(f"    {json.dumps(line)}" for line in entries)
    return json.dumps(head, indent=2).removesuffix("\n}") + f',\n  "jars": [\n{lines}\n  ]\n}}\n'


def main() -> None:
    """Write the lock file, or with ``--check`` only compare it."""
    parser = argparse.ArgumentParser(description="Lock the jars of the managed Neo4j.")
    parser.add_argument("--check", action="store_true", help="fail when the lock file would change")
    arguments = parser.parse_args()
    text = build()
    if arguments.check:
        if text != LOCK.read_text(encoding="utf-8"):
            sys.exit(f"{LOCK.name} is not what Maven resolves; run scripts/lock_engine.py.")
        return
    LOCK.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
