"""Neo4j's admin commands, run on a stopped engine."""

import subprocess

from legacymind.engine.config import argument_file
from legacymind.engine.home import Home, write_private
from legacymind.engine.process import PRIVATE, command, environment
from legacymind.errors import EngineError

# Neo4jAdminCommand would start a second Java with every argument, the password too, on its command
# line, where all users of the machine can read it. The tool behind it runs in this one.
_MAIN_CLASS = "org.neo4j.cli.AdminTool"
_TIMEOUT = 300


def run_admin(home: Home, class_path: str, *arguments: str, effect: str) -> str:
    """Run ``neo4j-admin`` with ``arguments``; what it printed.

    The arguments reach Java in a file of mode 0600 that is removed afterwards, so that none of
    them appears in a process list. Raises EngineError with ``effect`` when the command fails;
    its message holds none of the arguments but the first two, the command's name.
    """
    file = home.run / "admin.args"
    options = ["-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"]
    options += ["--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"]
    options += [f"-Djava.io.tmpdir={home.scratch}", "-cp", class_path, _MAIN_CLASS]
    write_private(file, argument_file([*options, *arguments]))
    try:
        done = subprocess.run(
            command(file),
            env={**environment(), "NEO4J_HOME": str(home.folder), "NEO4J_CONF": str(home.conf)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=_TIMEOUT,
            umask=PRIVATE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise EngineError(
            f"Neo4j's `{' '.join(arguments[:2])}` did not end within {_TIMEOUT} s.",
            effect=effect,
            hint="Try again when the machine is less busy.",
        ) from None
    finally:
        file.unlink(missing_ok=True)
    output = (done.stdout + done.stderr).strip()
    if done.returncode:
        said = output[-600:]
        for secret in arguments[2:]:
            said = said.replace(secret, "…")
        raise EngineError(
            f"Neo4j's `{' '.join(arguments[:2])}` failed: {said}",
            effect=effect,
            hint=f"Look at {home.logs}.",
        )
    return output


def set_initial_password(home: Home, class_path: str) -> None:
    """Give a home that has never run its password; Neo4j keeps only a salted hash."""
    run_admin(
        home,
        class_path,
        "dbms",
        "set-initial-password",
        home.ensure_password(),
        effect="The home holds no data yet.",
    )
