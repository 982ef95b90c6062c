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


def folder_in(cache: Path) -> Path:
    """The folder of the libraries in the cache folder."""
    return cache / "webjars"


async def unpack(library: Library, cache: Path) -> None:
    """Download the library and unpack its files, unless that was done. Raises DownloadFailed."""
    folder, jar = folder_in(cache), library.jar
    whole = folder / library.folder
    if whole.exists():
        return
    async with downloads.writing(folder):
        if whole.exists():  # by another process
            return
        await downloads.fetch([jar], folder, lambda _: None)
        made = downloads.part(folder, library.folder)
        with zipfile.ZipFile(folder / jar.file_name) as archive:
            for name in library.files:
                file = made / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(
                    archive.read(f"META-INF/resources/webjars/{jar.artifact}/{jar.version}/{name}")
                )
        made.rename(whole)
        (folder / jar.file_name).unlink()
