"""The addresses of the explorer: what is public, how it is guarded, and libraries without a network."""

import io
import posixpath
import re
import zipfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest

from legacymind import files
from legacymind.doors.http import webjars
from legacymind.doors.http.app import build_app
from legacymind.doors.http.webjars import Library
from legacymind.downloads import Artifact
from legacymind.errors import DownloadFailed
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.doors.http.test_app import SEARCH, browsing
from tests.maven import Repository, published
from tests.steps import own_namespace

pytestmark = pytest.mark.anyio

HTML = {"accept": "text/html"}


@pytest.fixture(scope="module")
async def exposed(engine_settings: Settings) -> AsyncIterator[Mind]:
    async with own_namespace(engine_settings.changed(serve_hosts="memory.example")) as opened:
        yield opened


@pytest.fixture
async def client(exposed: Mind) -> AsyncIterator[httpx2.AsyncClient]:
    """A client without a token of a server that requires one."""
    async with browsing(build_app(exposed), "http://memory.example:8787") as opened:
        yield opened


async def test_pages_need_no_token_and_what_they_ask_for_does(client: httpx2.AsyncClient) -> None:
    for path in (
        "/",
        "/explorer/main.js",
        "/explorer/operations.json",
        "/explorer/cypher/think/store_thoughts.cypher",
    ):
        assert (await client.get(path)).status_code == 200
    assert "graphiql.js" in (await client.get("/graphql", headers=HTML)).text
    asked = [
        await client.post("/graphql", json=SEARCH),
        await client.post("/", json=SEARCH),
        await client.get("/graphql", params=SEARCH, headers=HTML),
        await client.get("/graphql"),
    ]
    assert [answer.status_code for answer in asked] == [401] * 4


async def test_a_page_runs_scripts_of_this_server_only(client: httpx2.AsyncClient) -> None:
    for path in ("/", "/graphql", "/explorer/main.js"):
        headers = (await client.get(path, headers=HTML)).headers
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
        assert policy["script-src"] == policy["connect-src"] == "'self'"
        assert headers["x-content-type-options"] == "nosniff"
    assert policy["style-src"] == "'self'"


async def test_a_browser_that_has_a_file_gets_it_again_only_when_it_changes(
    client: httpx2.AsyncClient,
) -> None:
    first = await client.get("/explorer/main.js")
    again = await client.get("/explorer/main.js", headers={"if-none-match": first.headers["etag"]})
    assert first.headers["content-type"].startswith("text/javascript")
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path",
    [
        "/explorer/%2e%2e/pyproject.toml",
        "/explorer/cypher/..%2f..%2fpyproject.toml",
        "/explorer/cypher/%2fetc%2fpasswd",
        "/explorer/lib/cytoscape-3.33.1/package.json",
        "/explorer/lib/cytoscape-3.33.1/..%2f..%2fx",
        "/explorer/",
    ],
)
async def test_no_address_reaches_another_file(client: httpx2.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


async def test_a_statement_is_served_as_it_is_committed(client: httpx2.AsyncClient) -> None:
    answer = await client.get("/explorer/cypher/search/walk_trail.cypher")
    assert answer.text == files.text("cypher", "search", "walk_trail.cypher")
    assert answer.headers["content-type"].startswith("text/plain")


async def test_every_file_that_a_page_names_is_served(client: httpx2.AsyncClient) -> None:
    for path in files.path("explorer").glob("*.html"):
        named = [part.split('"')[0] for part in path.read_text("utf-8").split('="/explorer/')[1:]]
        assert named
        for name in named:
            if name.startswith("lib/"):
                _, folder, file = name.split("/", 2)
                assert file in webjars.LIBRARIES[folder].files
            else:
                assert (await client.get(f"/explorer/{name}")).status_code == 200


async def test_the_page_begins_to_load_every_module_of_the_first_view_at_once(
    client: httpx2.AsyncClient,
) -> None:
    index = (await client.get("/")).text
    preloaded = set(re.findall(r'rel="modulepreload" href="/explorer/([^"]+)"', index))
    needed, seen = ["main.js", "views/home.js"], {"main.js"}
    while needed:
        name = needed.pop()
        text = (await client.get(f"/explorer/{name}")).text
        for imported in re.findall(r'^import .* from "(.+)";$', text, re.MULTILINE):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), imported))
            if path not in seen:
                seen.add(path)
                needed.append(path)
    assert preloaded == {*seen, "views/home.js"} - {"main.js"}


async def test_documents_are_sent_as_one(client: httpx2.AsyncClient) -> None:
    documents = (await client.get("/explorer/documents.json")).json()
    assert documents == {
        path.stem: path.read_text("utf-8") for path in files.path("explorer", "queries").rglob("*.graphql")
    }


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    with published(tmp_path / "maven", monkeypatch) as server:
        yield server


@pytest.fixture
def library(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Library:
    """A library of one file, in the repository and among those that are served."""
    jar = io.BytesIO()
    with zipfile.ZipFile(jar, "w") as made:
        made.writestr("META-INF/resources/webjars/tiny/1.0/tiny.js", "export default 1;")
        made.writestr("META-INF/resources/webjars/tiny/1.0/other.js", "")
    artifact = Artifact("org.webjars.npm", "tiny", "1.0", "", "")
    pinned = replace(artifact, sha256=repository.put(artifact, jar.getvalue()))
    tiny = Library(pinned, frozenset({"tiny.js"}))
    monkeypatch.setitem(webjars.LIBRARIES, tiny.folder, tiny)
    return tiny


async def test_a_library_is_downloaded_once_and_works_without_a_network_afterwards(
    repository: Repository, library: Library, tmp_path: Path
) -> None:
    for _ in range(2):
        assert await webjars.read(library, "tiny.js", tmp_path) == b"export default 1;"
    assert len(repository.asked) == 1


async def test_a_library_with_another_hash_is_refused(
    repository: Repository, library: Library, tmp_path: Path
) -> None:
    forged = replace(library, jar=replace(library.jar, sha256="0" * 64))
    with pytest.raises(DownloadFailed):
        await webjars.read(forged, "tiny.js", tmp_path)
    assert {path.name for path in (tmp_path / "webjars").iterdir()} == {".lock"}
