"""Writes the tables that derive from code: settings, properties of the graph, and operations."""

import re
from pathlib import Path

from legacymind.model import stored
from legacymind.model.properties import Mark, properties
from legacymind.settings import TABLE, Settings
from legacymind.settings.describe import ranges
from scripts import operations_reference

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
GRAPH = ROOT / "docs" / "reference/graph.md"
SETTINGS = ROOT / "docs" / "operation/settings.md"

_TYPES = {
    "text": "text",
    "whole": "integer",
    "number": "float",
    "flag": "boolean",
    "time": "date-time",
    "texts": "list of texts",
    "numbers": "list of floats",
}


def settings_lists() -> str:
    """All settings, by the sections of legacymind.toml."""
    allowed = ranges(Settings)
    lines: list[str] = []
    for each in TABLE.values():
        heading = f"### [{each.section}]"
        if heading not in lines:
            lines += ["", heading, ""]
        default = str(each.default).lower() if isinstance(each.default, bool) else str(each.default)
        shown = f"default `{default}`" if each.default not in ("", None) else ""
        range = "" if isinstance(each.default, bool) else allowed[each.name]
        told = "; ".join(filter(None, (shown, range)))
        help = each.help + (" *project*" if each.project else "")
        key = each.variable.removeprefix("LEGACYMIND_").lower()
        name = f"`{each.variable}`" + (f", `{each.name}`" if each.name != key else "")
        lines.append(f"- {name}{f' ({told})' if told else ''}: {help}")
    return "\n".join([*lines, ""])


def properties_lists() -> str:
    """The properties of the nodes and relationships of ``model.stored``; each that means the same, once."""
    lines: list[str] = []
    told: dict[str, str] = {}
    for record in stored.RECORDS:
        name = record.__name__
        lines += [f"### {name}", "", f"{record.__doc__}", ""]
        known: dict[str, list[str]] = {}
        for each in properties(record).values():
            hashed = ", hashed" if Mark.HASHED in each.marks else ""
            about = re.sub("; null [^;]+$", "", each.about)  # the page says what is absent
            row = f"- `{each.name}` ({_TYPES[each.type]}{hashed}): {about}"
            meaning = row.replace(", hashed", "")
            if meaning in told:
                known.setdefault(told[meaning], []).append(f"`{each.name}`")
            else:
                told[meaning] = name
                lines.append(row)
        lines += [f"- {', '.join(names)}, as of {of}" for of, names in known.items()]
        lines.append("")
    return "\n".join(lines)


def updated(text: str, name: str, made: str) -> str:
    """The text of a page with the current tables of that name."""
    return re.sub(
        rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)",
        lambda found: f"{found[1]}{made}\n{found[2]}",
        text,
        flags=re.DOTALL,
    )


def pages() -> dict[Path, str]:
    """The pages with tables that derive from code, as they should be."""
    return {
        SETTINGS: updated(SETTINGS.read_text(encoding="utf-8"), "settings", settings_lists()),
        GRAPH: updated(GRAPH.read_text(encoding="utf-8"), "properties", properties_lists()),
    }


if __name__ == "__main__":
    for page, text in pages().items():
        page.write_text(text, encoding="utf-8")
    operations_reference.write()
