"""Libraries of the explorer and of GraphiQL: files of WebJars, pinned by hash and kept in the cache folder.

Nothing is loaded from a content delivery network. A WebJar is downloaded when a page first asks for it.
"""

import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from legacymind import downloads, files
from legacymind.downloads import Artifact


@dataclass(frozen=True, slots=True)
class Library:
    """A WebJar, and its files that are served, by their names in the package."""

    jar: Artifact
    files: frozenset[str]

    @property
    def folder(self) -> str:
        """Name and version, which the address of each file has."""
        return f"{self.jar.artifact}-{self.jar.version}"


LIBRARIES: Final = {
    library.folder: library
    for library in (
        Library(Artifact("org.webjars.npm", name, version, "", sha256), frozenset(served))
        for name, version, sha256, *served in json.loads(files.text("explorer", "libraries.json"))
    )
}


async def read(library: Library, name: str, cache: Path) -> bytes:
    """A file of the library, whose jar is downloaded if it is missing. Raises DownloadFailed."""
    folder, jar = cache / "webjars", library.jar
    path = folder / jar.file_name
    if not path.exists():
        async with downloads.writing(folder):
            await downloads.fetch([jar], folder, lambda _: None)
    with zipfile.ZipFile(path) as archive:
        return archive.read(f"META-INF/resources/webjars/{jar.artifact}/{jar.version}/{name}")
