"""What child processes connect to, by Python's audit hook, and what they leave in the user's home.

The hook sees Python's sockets and look-ups. ``strace`` sees those of libraries in other languages too.
"""

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from legacymind.engine import Engine
from legacymind.settings import Settings, load_settings

_HOOK: Final = """\
import sys

def record(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        told = arguments[1]  # the path of a socket between processes, or None, is not a tuple
    elif event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        told = arguments[:2]
    else:
        return
    if isinstance(told, tuple):
        host, port = (*told, None)[:2]
        host = host.decode() if isinstance(host, bytes) else host
        with open({trace!r}, "a", encoding="utf-8") as trace:
            trace.write(f"{{host}} {{port}}\\n")

sys.addaudithook(record)
"""

_CONNECTION: Final = re.compile(
    r"(?:connect|sendto)\(.*\{sa_family=AF_INET6?, .*?htons\((\d+)\).*?\"([^\"]+)\""
)


@dataclass(frozen=True, slots=True)
class Audit:
    """An environment whose processes are watched, with a home of its own, which is empty.

    ``engine`` has the hosts and ports of the engine.
    """

    env: dict[str, str]
    folder: Path
    engine: frozenset[tuple[str, str]]

    @property
    def strace(self) -> list[str]:
        """The beginning of a command line, so that strace watches the process too; empty where it cannot."""
        program = shutil.which("strace") or shutil.which("strace", path="/usr/bin")
        if program is None:
            return []
        options = ["--seccomp-bpf", "-f", "-qq", "-s", "128", "-e", "trace=connect,sendto"]
        command = [program, *options, "-A", "-o", str(self.folder / "strace")]
        tried = subprocess.run([*command, sys.executable, "-ISc", ""], capture_output=True, check=False)
        return [] if tried.returncode else command  # a container may forbid it

    def check(self) -> None:
        """Assert that the processes connected to the engine and to nothing else, and left no files."""
        lines = (line.partition(" ") for line in self._read("trace").splitlines())
        contacts = {(host, port) for host, _, port in lines}
        contacts |= {(host, port) for port, host in _CONNECTION.findall(self._read("strace"))}
        assert contacts
        assert contacts <= self.engine, contacts - self.engine
        left = [*(self.folder / "home").rglob("*")]
        assert left == [], left

    def _read(self, name: str) -> str:
        file = self.folder / name
        return file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""


def audited(env: dict[str, str], folder: Path, settings: Settings) -> Audit:
    """Watch the processes that get the ``env`` of the result; ``settings`` are those of the engine."""
    for name in ("home", "hook"):
        (folder / name).mkdir()
    hook = _HOOK.format(trace=str(folder / "trace"))
    (folder / "hook" / "sitecustomize.py").write_text(hook, encoding="utf-8")
    kept = {
        name: value
        for name, value in env.items()
        if name not in ("ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
    }
    own = {
        "HOME": str(folder / "home"),
        "LEGACYMIND_CACHE": str(load_settings(env).cache_path),
        "PYTHONPATH": str(folder / "hook"),
    }
    status = Engine(settings).status()
    engine = (urlsplit(uri) for uri in (status.uri, status.browser_url))
    return Audit(kept | own, folder, frozenset((str(uri.hostname), str(uri.port)) for uri in engine))
