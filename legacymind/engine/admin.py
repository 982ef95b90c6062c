"""Running Neo4j's admin commands on a stopped engine."""

import subprocess

from legacymind.engine.config import argument_file
from legacymind.engine.home import Home, write_private
from legacymind.engine.process import PRIVATE, command, environment
from legacymind.errors import EngineError

# Not Neo4jAdminCommand: it starts a second Java with every argument, including the password, on its
# command line, where all users of the machine can read it. AdminTool runs in the first Java.
_MAIN_CLASS = "org.neo4j.cli.AdminTool"
_TIMEOUT = 300


def run_admin(home: Home, class_path: str, *arguments: str, effect: str) -> str:
    """Run ``neo4j-admin`` with ``arguments`` and return its output.

    The arguments reach Java through a file of mode 0600 that is removed afterwards, so they never
    appear in a process list. Raises EngineError with ``effect`` when the command fails; its message
    contains only the first two arguments, the command's name.
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
            f"Neo4j's `{' '.join(arguments[:2])}` did not finish within {_TIMEOUT} s.",
            effect=effect,
            hint="Try again when the machine is less busy.",
        ) from None
    finally:
        file.unlink(missing_ok=True)
    output = (done.stdout + done.stderr).strip()
    if done.returncode:
        shown = output[-600:]
        for secret in arguments[2:]:
            shown = shown.replace(secret, "…")
        raise EngineError(
            f"Neo4j's `{' '.join(arguments[:2])}` failed: {shown}",
            effect=effect,
            hint=f"Look at the logs in {home.logs}.",
        )
    return output


def set_initial_password(home: Home, class_path: str) -> None:
    """Set the password of a home that has never run; Neo4j stores only a salted hash of it."""
    run_admin(
        home,
        class_path,
        "dbms",
        "set-initial-password",
        home.ensure_password(),
        effect="The home contains no data yet.",
    )
