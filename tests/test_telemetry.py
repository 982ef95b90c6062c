"""Commands contact nothing but the database, and leave no files in the user's home.

So do the demo, `mcp` and `serve`: the tests that run them look too.
"""

import subprocess
import sys

from tests.audit import Audit


def test_thinking_and_searching_connect_to_nothing_but_the_database(audit: Audit, namespace: str) -> None:
    env = audit.env | {"LEGACYMIND_NAMESPACE": namespace}
    for command in (["think", "The telemetry is off", "--session", "s"], ["search", "telemetry"]):
        program = [*audit.strace, sys.executable, "-m", "legacymind", *command]
        done = subprocess.run(program, env=env, check=True, timeout=300, capture_output=True, text=True)
    assert "The telemetry is off" in done.stdout
    audit.check()
