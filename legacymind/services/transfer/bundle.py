"""Export of knowledge as a bundle in the Open Knowledge Format (OKF 0.2): Markdown files with YAML heads.

One file for each entity, ``TYPE/NAME.md``: what it is in the head, then its facts and relations that are true
now, each with a footnote to its source. `import` reads a bundle like any folder of notes. A bundle is for
people and other tools; what was true before, thoughts and hashes are in the export of a namespace.
"""

import asyncio
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import yaml

from legacymind.errors import Conflict, EngineError
from legacymind.services.knowledge.importers.markdown import UNTYPED
from legacymind.services.shared import checks
from legacymind.services.shared.service import Service
from legacymind.services.sync.collecting import SyncSpan, changes

_NO_NAME: Final = re.compile(r"[^\w.]+")
_BRACKETS: Final = str.maketrans("[]", "()")
_ALWAYS: Final = "0001-01-01"
_LONGEST: Final = 80  # characters of a file's name
_RESERVED: Final = frozenset({"index", "log"})


class BundleService(Service):
    """Writes knowledge as files of Markdown."""

    async def write(self, folder: Path, namespace: str | None = None) -> int:
        """Write the entities of a namespace into a new or empty folder, and return their number.

        Raises Conflict if the folder has files, and EngineError if it cannot be written.
        """
        entities: dict[str, dict[str, Any]] = {}
        stubs: dict[str, str] = {}
        facts: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        now = datetime.now(UTC)
        span = SyncSpan(checks.namespace(namespace, self._settings), None)
        async for line in changes(self._graph, span, ("entity", "observation")):
            own = line["properties"] if line["kind"] == "link" else line
            if line["kind"] == "entity" and own.get("merged_at"):
                stubs[own["id"]] = own["name"]
            elif line.get("type") == "MERGED_INTO":
                if kept := entities.get(line["to"][1]):
                    kept.setdefault("aliases", []).append(stubs[line["from"][1]])
            elif not _holds(own, now):
                continue
            elif line["kind"] == "entity":
                entities[own["id"]] = own
            elif line["kind"] == "observation":
                facts[own["entity_id"]].append(own)
            elif line["to"][0] == "entity" and own.get("valid_from"):
                facts[line["from"][1]].append({**own, "type": line["type"], "to": line["to"][1]})
        entities = dict(sorted(entities.items(), key=lambda one: (one[1]["name_key"], one[0])))
        paths = _paths(entities)
        pages = {
            f"{paths[own_id]}.md": _page(entity, sorted(facts[own_id], key=_first), entities, paths)
            for own_id, entity in entities.items()
        }
        await asyncio.to_thread(_save, folder, {**pages, "index.md": _index(entities, paths)})
        return len(entities)


def _save(folder: Path, pages: Mapping[str, str]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise Conflict(f"{folder} has files.", effect="Nothing was written.", hint="Name a new folder.")
        for name, text in pages.items():
            file = folder / name
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as reason:
        raise EngineError(
            f"{folder} could not be written: {reason.strerror or reason}.",
            effect="What was written remains.",
            hint="Check the free disk space and the rights, delete the folder, and export again.",
        ) from reason


def _first(own: Mapping[str, Any]) -> tuple[bool, str, str]:
    """Facts before relations, as they were stated."""
    return "to" in own, own.get("recorded_at", ""), own["id"]


def _holds(own: Mapping[str, Any], now: datetime) -> bool:
    return own.get("valid_to") is None or datetime.fromisoformat(own["valid_to"]) > now


def _paths(entities: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The file of each entity without its ending: unique also where case makes no difference."""
    taken: set[str] = set()
    paths: dict[str, str] = {}
    for own_id, entity in entities.items():
        folder, name = (_file_name(entity.get(one) or "") for one in ("entity_type", "name"))
        names = (name if n == 1 else f"{name}-{n}" for n in count(1) if n > 1 or name not in _RESERVED)
        path = next(path for name in names if (path := f"{folder}/{name}").casefold() not in taken)
        taken.add(path.casefold())
        paths[own_id] = path
    return paths


def _file_name(text: str) -> str:
    return _NO_NAME.sub("-", text).lower()[:_LONGEST].strip(" .-") or UNTYPED


def _page(
    entity: Mapping[str, Any],
    facts: Iterable[Mapping[str, Any]],
    entities: Mapping[str, Mapping[str, Any]],
    paths: Mapping[str, str],
) -> str:
    sources: dict[str, str] = {}
    items: dict[str, list[str]] = {"Facts": [], "Relations": []}
    for fact in facts:
        target = entities.get(fact.get("to", ""))
        if "to" in fact and target is None:
            continue
        text = (
            f"{fact['type']} [{target['name']}](/{quote(paths[fact['to']])}.md)"
            if target
            else fact["content"]
        )
        if (since := fact["valid_from"][:10]) != _ALWAYS:
            text += f" (since {since})"
        if source := fact.get("source"):
            text += f"[^{sources.setdefault(source, f's{len(sources) + 1}')}]"
        items["Relations" if target else "Facts"].append("- " + text.replace("\n", "\n  "))
    head = {
        "type": entity.get("entity_type") or UNTYPED,
        "title": entity["name"],
        "description": entity.get("description"),
        "aliases": entity.get("aliases"),
        "data": entity.get("data"),
        "generated": {"by": f"legacymind/{version('legacymind')}", "at": entity["recorded_at"]},
        "sources": [{"id": key, "resource": source} for source, key in sources.items()],
    }
    blocks = [f"# {heading}\n\n" + "\n".join(lines) for heading, lines in items.items() if lines]
    notes = [f"[^{key}]: {json.dumps(source, ensure_ascii=False)}" for source, key in sources.items()]
    return (
        "\n\n".join([_head({name: value for name, value in head.items() if value}), *blocks, *notes]) + "\n"
    )


def _index(entities: Mapping[str, Mapping[str, Any]], paths: Mapping[str, str]) -> str:
    sections: defaultdict[str, list[str]] = defaultdict(list)
    for own_id, entity in entities.items():
        about = " ".join((entity.get("description") or "").split())
        link = f"* {_link(entity, paths[own_id])}"
        sections[entity.get("entity_type") or UNTYPED].append(f"{link} - {about}" if about else link)
    blocks = [f"# {kind}\n\n" + "\n".join(links) for kind, links in sorted(sections.items())]
    return "\n\n".join([_head({"okf_version": "0.2"}), *blocks]) + "\n"


def _head(members: Mapping[str, Any]) -> str:
    given = {name: value for name, value in members.items() if value}
    return f"---\n{yaml.safe_dump(given, sort_keys=False, allow_unicode=True)}---"


def _link(entity: Mapping[str, Any], path: str) -> str:
    return f"[{entity['name'].translate(_BRACKETS)}]({quote(path)}.md)"
