"""The command `browser`: opens Neo4j Browser with a saved query, and copies the kit for it."""

import asyncio
import base64
import re
import shutil
import sys
import webbrowser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote, urlsplit

import click

from legacymind import files
from legacymind.db.errors import without_credentials
from legacymind.doors.cli import output
from legacymind.doors.cli.listing import examples
from legacymind.doors.cli.run import accessed
from legacymind.engine import Engine
from legacymind.errors import InvalidInput
from legacymind.settings import Settings, load_settings

_FOLDER: Final = "browser"
_PARAMETER: Final = re.compile(r"^:param (\w+) => (.*);$", re.MULTILINE)
_PARAMETER_LINE: Final = re.compile(r"^:param .*\n", re.MULTILINE)
_USE: Final = re.compile(r"\$(\w+)")
_HTTP, _HTTPS = 7474, 7473
"""The ports where a Neo4j serves Browser, unless it is configured otherwise."""


class _BrowserAddress(NamedTuple):
    """Where Browser is, the address that it connects to, the user, the password, and where that is kept."""

    page: str
    server: str
    user: str
    password: str
    kept: str


def saved_queries() -> dict[str, str]:
    """The texts of the saved queries by name."""
    folder = files.path("cypher", _FOLDER)
    return {file.stem: file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.cypher"))}


def with_values(text: str, values: Mapping[str, str]) -> str:
    """The statement of a saved query with its parameters replaced by values.

    Browser shows no graph for several commands at once, and so none for the whole file. Parameters without
    a value have that of the file. Raises InvalidInput for a parameter that the query does not have.
    """
    samples: dict[str, str] = dict(_PARAMETER.findall(text))
    if unknown := sorted(values.keys() - samples.keys()):
        raise InvalidInput(
            f"This query has no parameter {unknown[0]}.", hint=f"Its parameters: {', '.join(samples)}."
        )
    shown = {
        name: _expression(name, values[name], sample) if name in values else sample
        for name, sample in samples.items()
    }
    # In one pass: a value may have a dollar sign.
    return _USE.sub(lambda found: shown[found[1]], _PARAMETER_LINE.sub("", text))


def _expression(name: str, value: str, sample: str) -> str:
    """The Cypher for a value, of the same type as the sample."""
    if sample.isdecimal():
        if not value.isdecimal():
            raise InvalidInput(f"{name} must be a whole number.", hint=f"For example: {name}={sample}.")
        return value
    text = "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return f"datetime({text})" if sample.startswith("datetime(") else text


@click.command(
    epilog=examples(
        "browser",
        "browser session_trail --set session_id=deploys",
        "browser why_recalled --set thought_id=THOUGHT_ID --print",
        "browser --clipboard",
        "browser --copy neo4j-browser",
    )
)
@click.argument("query", required=False)
@click.option(
    "--set",
    "given",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the saved query. Default: the values in its file. May be repeated.",
)
@click.option("--print", "only_print", is_flag=True, help="Print the address; open nothing.")
@click.option(
    "--clipboard",
    is_flag=True,
    help="Have the terminal copy the password (OSC 52), to paste it into Browser's login.",
)
@click.option(
    "--copy",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Copy the saved queries and the style file to a folder, to drop them into Neo4j Browser.",
)
def browser(
    query: str | None, given: Sequence[str], only_print: bool, clipboard: bool, copy: Path | None
) -> None:
    """Open Neo4j Browser with the address, the user and a saved query filled in (docs/browser.md).

    Without QUERY, list the saved queries too. Browser takes no password from an address and asks for it at
    the first login: paste it. The parameter `namespace` is the setting, unless it is set.
    """
    if clipboard and not sys.stdout.isatty():
        raise click.UsageError("--clipboard needs a terminal, which copies the password.")
    queries = saved_queries()
    if query is not None and query not in queries:
        # No InvalidInput, whose words for tools would replace `thought_tree` by a command.
        raise click.BadParameter(
            f"There is no saved query {query}. One of: {', '.join(queries)}.", param_hint="QUERY"
        )
    if copy is not None:
        _copy(copy)
        return
    settings = load_settings()
    values = _values(given)
    if values and query is None:
        raise InvalidInput("--set needs a saved query.", hint=f"One of: {', '.join(queries)}.")
    own = queries.get(query or "", "")
    defaults = {"namespace": settings.namespace} if ":param namespace" in own else {}
    try:
        text = with_values(queries[query], defaults | values) if query else ""
    except InvalidInput as refused:
        # As above: `session_id` would become `--session`, which --set does not know.
        raise click.BadParameter(f"{refused.what} {refused.hint}", param_hint="--set") from None
    place = _place(settings)
    address = f"{place.page}?connectURL={quote(place.server, safe='')}"
    if text:
        address += f"&cmd=edit&arg={quote(text, safe='')}"
    output.address(address)
    output.address(f"User {place.user}, password {place.kept}")
    if clipboard:
        encoded = base64.b64encode(place.password.encode()).decode()
        sys.stdout.write(f"\x1b]52;c;{encoded}\a")  # not by `output`, which replaces control characters
        output.message("The password was sent to the terminal's clipboard. Not every terminal has one.")
    if query is None:
        for name, each in queries.items():
            output.message(f"{name:<16}  {each.splitlines()[0].removeprefix('// ')}")
    if not only_print:
        webbrowser.open(address)


def _values(given: Sequence[str]) -> dict[str, str]:
    values = dict[str, str]()
    for each in given:
        name, equals, value = each.partition("=")
        if not equals:
            raise InvalidInput(f"--set {each} has no value.", hint="Write it as NAME=VALUE.")
        values[name] = value
    return values


def _place(settings: Settings) -> _BrowserAddress:
    """Where Browser is. Starts the managed engine, if it is used and was not stopped."""
    if not settings.neo4j_uri:
        with output.waiting() as progress:
            engine = Engine(settings, progress)
            status = asyncio.run(engine.ensure())
        server = f"neo4j://{status.username}@{status.uri.partition('://')[2]}"
        kept = f"in {status.password_file}"
        return _BrowserAddress(status.browser_url, server, status.username, engine.password(), kept)
    uri, user = without_credentials(settings.neo4j_uri), settings.neo4j_username
    scheme, _, rest = uri.partition("://")
    host = urlsplit(uri).hostname or "localhost"
    scheme_of_page, port = ("https", _HTTPS) if "+s" in scheme else ("http", _HTTP)
    page = f"{scheme_of_page}://{f'[{host}]' if ':' in host else host}:{port}/browser/"
    return _BrowserAddress(
        page, f"{scheme}://{user}@{rest}", user, settings.neo4j_password, "of NEO4J_PASSWORD"
    )


def _copy(folder: Path) -> None:
    with accessed(folder, "written"):
        folder.mkdir(parents=True, exist_ok=True)
        names = [
            Path(shutil.copy(file, folder)).name
            for file in sorted(files.path("cypher", _FOLDER).iterdir())
            if file.suffix in (".cypher", ".grass")
        ]
    output.address(f"Copied to {folder}: {', '.join(names)}")
