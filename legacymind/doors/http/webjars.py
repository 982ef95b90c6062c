"""Libraries of the explorer and of GraphiQL: files of WebJars, pinned by hash and kept in the cache folder.

Nothing is loaded from a content delivery network. A WebJar is downloaded when a page first asks for it.
"""

import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from legacymind import downloads
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


def _library(name: str, version: str, sha256: str, *files: str) -> Library:
    return Library(Artifact("org.webjars.npm", name, version, "", sha256), frozenset(files))


LIBRARIES: Final = {
    library.folder: library
    for library in (
        _library(
            "cytoscape",
            "3.33.1",
            "62ca1549b677163bd154184ac3b2d9686b082708d1c3364ca969e18869e107e5",
            "dist/cytoscape.esm.min.mjs",
        ),
        _library(
            "cytoscape-cola",
            "2.3.0",
            "beea39a9337036e3f73cc73f730fb84697d34b1c5e69cdca4ec67cf52dbd1232",
            "cytoscape-cola.js",
        ),
        _library(
            "webcola",
            "3.4.0",
            "da5cfa1145a10581894453427c43ef5c86f56a1c3eea4fe1ec911c94935de922",
            "WebCola/cola.min.js",
        ),
        _library(
            "marked",
            "16.4.1",
            "936b5206d3ba6d21cddc4f04cd86c2b37d7bb6fd9f64a3ab87f6d4670bab4c8e",
            "lib/marked.esm.js",
        ),
        _library(
            "dompurify",
            "3.3.3",
            "0a3be77aec716a2fc1c217d7a2d2792589677b03aa0bfc70806699119e8d7573",
            "dist/purify.es.mjs",
        ),
        _library(
            "graphiql",
            "2.4.7",
            "ac67a4428b8d3ac2a8110246387929179c54d7742de3306f9504db34c641c841",
            "graphiql.min.js",
            "graphiql.min.css",
        ),
        _library(
            "react",
            "18.2.0",
            "bdd58bd9546fbe4e83170c8020a30b5de747b222061b8f70364f8200400709b3",
            "umd/react.production.min.js",
        ),
        _library(
            "react-dom",
            "18.2.0",
            "8aabae9d80e8164958aa3771f03db602f6b599f2e3171233231baa501d9fbcb8",
            "umd/react-dom.production.min.js",
        ),
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
