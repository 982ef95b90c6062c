"""The home: the folder with one engine's data, its password and the record of its process."""

import contextlib
import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Generator
from dataclasses import asdict, dataclass
from pathlib import Path

from legacymind.engine.jars import EngineLock, JarCache
from legacymind.errors import EngineError, EngineNotRunning

# What an engine's first start creates in the data folder; anything else there belongs to others.
_FIRST_START = ("databases", "transactions", "dbms", "server_id")


@dataclass(frozen=True, slots=True)
class EngineRecord:
    """The ports of the last start, for the next one, and its process, to find and stop it.

    ``created`` is the process's start time in seconds since the epoch.
    """

    bolt_port: int = 0
    http_port: int = 0
    pid: int = 0
    created: float = 0.0
    plugins: tuple[str, ...] = ()


class Home:
    """The paths and files of one home; an engine writes nothing outside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()  # one name for one home, because the process is identified by it
        self.conf = self.folder / "conf"
        self.data = self.folder / "data"
        self.logs = self.folder / "logs"
        self.plugins = self.folder / "plugins"
        self.run = self.folder / "run"
        self.scratch = self.run / "tmp"
        self.password_file = self.folder / "password"
        self.arguments_file = self.run / "java.args"
        self.lock_file = self.run / "engine.lock"
        self._held_file = self.run / "stopped"
        self._record_file = self.folder / "engine.json"
        # In the data folder, so that it moves with the data when they are moved or restored.
        self.unanswered_file = self.data / "unanswered"

    def make(self) -> None:
        """Create the folders, readable only by their owner."""
        with self._accessed("written"):
            for folder in (self.folder, self.conf, self.data, self.logs, self.plugins, self.run):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.folder.chmod(0o700)

    def clear_scratch(self) -> None:
        """Empty the folder of Java's temporary files. The caller holds the home's lock."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        with self._accessed("written"):
            self.scratch.mkdir(mode=0o700, exist_ok=True)

    def prepare_data(self) -> None:
        """Remove the data of an interrupted first start, and mark an empty home as not yet answered.

        Call it before a start, holding the home's lock. Neo4j cannot continue with a half-created
        database. It opens its ports only once every database has its transaction log. So a marked home
        with no transaction log but that of ``system`` cannot contain stored data, and removing its files
        is safe. A home without the mark is left alone.
        """
        with self._accessed("written"):
            if self.unanswered and not self._has_transactions():
                for name in _FIRST_START:
                    _remove(self.data / name)
            if not any(os.path.lexists(self.data / name) for name in ("databases", "transactions")):
                write_private(self.unanswered_file, "No engine has answered yet with this data.\n")

    def hold(self) -> None:
        """Record that a user stopped the engine, so that calls do not start it. Raises EngineError."""
        with self._accessed("written"):
            write_private(
                self._held_file, "Stopped with `legacymind down`; `legacymind up` removes this file.\n"
            )

    def release(self) -> None:
        """Let calls start the engine again."""
        self._held_file.unlink(missing_ok=True)

    @property
    def held(self) -> bool:
        """Whether a user stopped the engine."""
        return self.has(self._held_file)

    def mark_answered(self) -> None:
        """Record that the engine has answered, so that its data are never removed."""
        self.unanswered_file.unlink(missing_ok=True)

    @property
    def unanswered(self) -> bool:
        """Whether a first start began here and no engine has answered since."""
        return self.has(self.unanswered_file)

    def _has_transactions(self) -> bool:
        """Return whether any database but ``system`` has a transaction log."""
        folder = self.data / "transactions"
        others = [place for place in folder.iterdir() if place.name != "system"] if folder.exists() else []
        return any(any(place.iterdir()) for place in others)

    @property
    def has_data(self) -> bool:
        """Whether a server has run here, so that its users exist."""
        return self.has(self.data / "databases" / "system")

    @property
    def has_credentials(self) -> bool:
        """Whether the password is set, for the first start or by it."""
        return self.has_data or self.has(self.data / "dbms" / "auth.ini")

    def password(self) -> str:
        """Return the password of user ``neo4j``.

        Raises EngineNotRunning before the first start, EngineError when the file is lost or unreadable.
        """
        try:
            return self.password_file.read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            if self.has_credentials:
                raise EngineError(
                    f"The password file {self.password_file} is missing, and the database still requires it.",
                    hint="Put the file back, or restore what `legacymind backup memory.backup` writes "
                    "without a password in a new LEGACYMIND_HOME: everything comes back.",
                ) from None
            raise EngineNotRunning(
                f"The home {self.folder} has no password yet.", hint="Start the engine: legacymind up."
            ) from None
        except (OSError, UnicodeDecodeError) as reason:
            raise EngineError(
                f"The password file {self.password_file} cannot be read: {reason}.",
                hint="Make it readable by the user who runs LegacyMind.",
            ) from reason

    def ensure_password(self) -> str:
        """Return the password; create it once, and never after the database has one."""
        if not self.has(self.password_file) and not self.has_credentials:
            write_private(self.password_file, secrets.token_hex(24) + "\n")
        return self.password()

    def record(self) -> EngineRecord:
        """Return the last record, or an empty one when it is missing or unreadable."""
        try:
            data = json.loads(self._record_file.read_bytes())
            return EngineRecord(
                bolt_port=int(data["bolt_port"]),
                http_port=int(data["http_port"]),
                pid=int(data["pid"]),
                created=float(data["created"]),
                plugins=tuple(str(name) for name in data["plugins"]),
            )
        except (OSError, ValueError, KeyError, TypeError):
            return EngineRecord()

    def save_record(self, record: EngineRecord) -> None:
        """Replace the record."""
        write_private(self._record_file, json.dumps(asdict(record)) + "\n")

    def link_plugins(self, cache: JarCache, lock: EngineLock, previous: tuple[str, ...]) -> tuple[str, ...]:
        """Link the plugins into the home, remove outdated ``previous`` ones and return the names now linked.

        Jars from anybody else stay.
        """
        wanted = {jar.file_name: cache.path(jar) for jar in lock.plugins}
        for name in set(previous) - set(wanted):
            (self.plugins / name).unlink(missing_ok=True)
        for name, source in wanted.items():
            place = self.plugins / name
            if place.is_symlink() and place.readlink() == source:
                continue
            if not place.is_symlink() and place.exists() and _same(place, source):
                continue
            place.unlink(missing_ok=True)
            try:
                place.symlink_to(source)
            except OSError:  # Windows, without the privilege to create links
                shutil.copy2(source, place)
        return tuple(sorted(wanted))

    def has(self, place: Path) -> bool:
        """Whether a file or folder of the home exists. Raises EngineError if the home is another user's."""
        with self._accessed("read"):
            try:
                place.stat()
            except (FileNotFoundError, NotADirectoryError):
                return False
        return True

    @contextlib.contextmanager
    def _accessed(self, how: str) -> Generator[None]:
        """Raise EngineError if the home cannot be "read" or "written"."""
        try:
            yield
        except OSError as reason:
            raise EngineError(
                f"The home {self.folder} cannot be {how}: {reason}.",
                hint="Give this user the folder, or set LEGACYMIND_HOME to another one.",
            ) from reason


def _remove(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)


def _same(copy: Path, source: Path) -> bool:
    one, other = copy.stat(), source.stat()
    return (one.st_size, one.st_mtime_ns) == (other.st_size, other.st_mtime_ns)


def write_private(path: Path, text: str) -> None:
    """Write ``text`` atomically to a file that only its owner can ever read."""
    descriptor, arriving = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)  # mode 0600
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(arriving).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(arriving).unlink()
        raise
