"""The home: the folder of one engine's data, its password and what is known of its process."""

import contextlib
import json
import os
import secrets
import shutil
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from legacymind.engine.jars import JarCache
from legacymind.engine.lock import EngineLock
from legacymind.errors import EngineError, EngineNotRunning

# What the first start of an engine makes in the data folder; whatever else lies there is not its own.
_FIRST = ("databases", "transactions", "dbms", "server_id")


@dataclass(frozen=True, slots=True)
class Record:
    """What the home remembers of its engine: ports for the next start, process for the stop.

    ``created`` is the process's start time in seconds since the epoch.
    """

    bolt_port: int = 0
    http_port: int = 0
    pid: int = 0
    created: float = 0.0
    plugins: tuple[str, ...] = ()


class Home:
    """Paths and files of one home; nothing of an engine lies outside of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()  # one name for one home: the process is known by it
        self.conf = self.folder / "conf"
        self.data = self.folder / "data"
        self.logs = self.folder / "logs"
        self.plugins = self.folder / "plugins"
        self.run = self.folder / "run"
        self.scratch = self.run / "tmp"
        self.password_file = self.folder / "password"
        self.arguments_file = self.run / "java.args"
        self.lock_file = self.run / "engine.lock"
        self._record_file = self.folder / "engine.json"
        # Beside the data it speaks of, so that it goes with them when they are moved or put back.
        self._unanswered_file = self.data / "unanswered"

    def make(self) -> None:
        """Create the folders, readable only by their owner."""
        try:
            for folder in (self.folder, self.conf, self.data, self.logs, self.plugins, self.run):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.folder.chmod(0o700)
        except OSError as reason:
            raise self._unwritable(reason) from reason

    def clear_scratch(self) -> None:
        """An empty folder for Java's temporary files, for who holds the home's lock."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        try:
            self.scratch.mkdir(mode=0o700, exist_ok=True)
        except OSError as reason:
            raise self._unwritable(reason) from reason

    def begin(self) -> None:
        """Mark an empty home until its engine has answered, and empty one whose first start was
        interrupted; for who holds the home's lock, before a start.

        Neo4j cannot go on with a database that it had made but half. It opens its ports only when
        every database has its transaction log: who finds none but that of ``system`` in a home that
        still has the mark takes away nothing that anybody stored. Homes of older versions have no mark.
        """
        try:
            if self.unanswered and not self._has_transactions():
                for name in _FIRST:
                    _remove(self.data / name)
            if not any(os.path.lexists(self.data / name) for name in ("databases", "transactions")):
                write_private(self._unanswered_file, "No engine has answered yet with what lies here.\n")
        except OSError as reason:
            raise self._unwritable(reason) from reason

    def answered(self) -> None:
        """Remember for good that the engine has answered: what lies here may be somebody's data."""
        self._unanswered_file.unlink(missing_ok=True)

    @property
    def unanswered(self) -> bool:
        """Whether a first start was begun here and no engine is known to have answered since."""
        return self._unanswered_file.exists()

    def _has_transactions(self) -> bool:
        """Whether there is a file of the transaction log of any database but ``system``."""
        folder = self.data / "transactions"
        others = [place for place in folder.iterdir() if place.name != "system"] if folder.exists() else []
        return any(any(place.iterdir()) for place in others)

    @property
    def has_data(self) -> bool:
        """Whether a server has run here, so that its users are decided."""
        return (self.data / "databases" / "system").exists()

    @property
    def has_credentials(self) -> bool:
        """Whether the first start will find, or has found, the password."""
        return self.has_data or (self.data / "dbms" / "auth.ini").exists()

    def password(self) -> str:
        """The password of user ``neo4j``; EngineNotRunning before the first start, EngineError when lost."""
        try:
            return self.password_file.read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            if self.has_credentials:
                raise EngineError(
                    f"The password file {self.password_file} is gone; the database still wants its password.",
                    hint="Put the file back from a backup, or move the home away and restore an export.",
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
        """The password, made at the first call and never again once the database knows it."""
        if not self.password_file.exists() and not self.has_credentials:
            write_private(self.password_file, secrets.token_hex(24) + "\n")
        return self.password()

    def record(self) -> Record:
        """The last record; an empty one when there is none or it cannot be read."""
        try:
            data = json.loads(self._record_file.read_bytes())
            return Record(
                bolt_port=int(data["bolt_port"]),
                http_port=int(data["http_port"]),
                pid=int(data["pid"]),
                created=float(data["created"]),
                plugins=tuple(str(name) for name in data["plugins"]),
            )
        except (OSError, ValueError, KeyError, TypeError):
            return Record()

    def remember(self, record: Record) -> None:
        """Replace the record."""
        write_private(self._record_file, json.dumps(asdict(record)) + "\n")

    def link_plugins(self, cache: JarCache, lock: EngineLock, previous: tuple[str, ...]) -> tuple[str, ...]:
        """Put the plugins into the home and take out the ``previous`` ones; the names now there.

        Jars that somebody else put there stay.
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
            except OSError:  # Windows without the right to make links
                shutil.copy2(source, place)
        return tuple(sorted(wanted))

    def _unwritable(self, reason: OSError) -> EngineError:
        return EngineError(
            f"The home {self.folder} cannot be written: {reason}.",
            hint="Make it writable, or set LEGACYMIND_HOME to another folder.",
        )


def _remove(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)


def _same(copy: Path, source: Path) -> bool:
    one, other = copy.stat(), source.stat()
    return (one.st_size, one.st_mtime_ns) == (other.st_size, other.st_mtime_ns)


def write_private(path: Path, text: str) -> None:
    """Write ``text`` at once and readable only by the owner, never for a moment by others."""
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
