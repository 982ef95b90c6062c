"""The command `browser`: opens Neo4j Browser with a saved query."""

import asyncio
import re
import webbrowser
from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import quote, urlsplit

import click

from legacymind import files
from legacymind.db.errors import without_credentials
from legacymind.doors.cli import output
from legacymind.doors.cli.listing import examples
from legacymind.engine import Engine
from legacymind.settings import Settings, load_settings

_FOLDER: Final = "browser"
_PARAMETER: Final = re.compile(r"^:param (\w+) => (.*);$", re.MULTILINE)
_PARAMETER_LINE: Final = re.compile(r"^:param .*\n", re.MULTILINE)
_USE: Final = re.compile(r"\$(\w+)")
_HTTP, _HTTPS = 7474, 7473
"""The ports where a Neo4j serves Browser, unless it is configured otherwise."""


class _BrowserAddress(NamedTuple):
    """Where Browser is, the address that it connects to, the user, and where the password is kept."""

    page: str
    server: str
    user: str
    kept: str


def saved_queries() -> dict[str, str]:
    """The texts of the saved queries by name."""
    folder = files.path("cypher", _FOLDER)
    return {file.stem: file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.cypher"))}


def with_values(text: str, values: Mapping[str, str]) -> str:
    """The statement of a saved query with Cypher expressions in place of its parameters.

    Parameters without a value have that of the file.

    Browser shows no graph for several commands at once, and so none for the whole file.
    """
    shown: dict[str, str] = dict(_PARAMETER.findall(text)) | dict(values)
    # In one pass: a value may have a dollar sign.
    return _USE.sub(lambda found: shown[found[1]], _PARAMETER_LINE.sub("", text))


def quoted(value: str) -> str:
    """A text as a Cypher expression."""
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


@click.command(epilog=examples("browser", "browser session_trail --print"))
@click.argument("query", required=False)
@click.option("--print", "only_print", is_flag=True, help="Print the address; open nothing.")
def browser(query: str | None, only_print: bool) -> None:
    """Open Neo4j Browser with the address, the user and a saved query filled in (docs/interfaces/browser.md).

    Without QUERY, list the saved queries too. Browser takes no password from an address and asks for it at
    the first login. The parameter `namespace` is the setting; the others are those of the file.
    """
    queries = saved_queries()
    if query is not None and query not in queries:
        raise click.BadParameter(
            f"There is no saved query {query}. One of: {', '.join(queries)}.", param_hint="QUERY"
        )
    settings = load_settings()
    text = with_values(queries[query], {"namespace": quoted(settings.namespace)}) if query else ""
    place = _place(settings)
    address = f"{place.page}?connectURL={quote(place.server, safe='')}"
    if text:
        address += f"&cmd=edit&arg={quote(text, safe='')}"
    output.address(address)
    output.address(f"User {place.user}, password {place.kept}")
    if query is None:
        output.address(f"Queries and style to drop into Browser: {files.path('cypher', _FOLDER)}")
        for name, each in queries.items():
            output.message(f"{name:<16}  {each.splitlines()[0].removeprefix('// ')}")
    if not only_print:
        webbrowser.open(address)


def _place(settings: Settings) -> _BrowserAddress:
    """Where Browser is. Starts the managed engine, if it is used and was not stopped."""
    if not settings.neo4j_uri:
        with output.waiting() as progress:
            engine = Engine(settings, progress)
            status = asyncio.run(engine.ensure())
        server = f"neo4j://{status.username}@{status.uri.partition('://')[2]}"
        kept = f"in {status.password_file}"
        return _BrowserAddress(status.browser_url, server, status.username, kept)
    uri, user = without_credentials(settings.neo4j_uri), settings.neo4j_username
    scheme, _, rest = uri.partition("://")
    host = urlsplit(uri).hostname or "localhost"
    scheme_of_page, port = ("https", _HTTPS) if "+s" in scheme else ("http", _HTTP)
    page = f"{scheme_of_page}://{f'[{host}]' if ':' in host else host}:{port}/browser/"
    return _BrowserAddress(page, f"{scheme}://{user}@{rest}", user, "of NEO4J_PASSWORD")
