"""Draws a map of communities with matplotlib; networkx computes the positions."""

import importlib
import math
import textwrap
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from legacymind.errors import ConfigurationError
from legacymind.model.analysis import GraphMap, MappedCommunity, Member

try:
    # Neither has complete types.
    _figure: Any = importlib.import_module("matplotlib.figure")
    _colours: Any = importlib.import_module("matplotlib").colormaps["tab20"]
    _rc: Any = importlib.import_module("matplotlib").rc_context
    _nx: Any = importlib.import_module("networkx")
except ImportError:
    raise ConfigurationError(
        "Maps need the packages matplotlib and networkx.", hint="Run `pip install 'legacymind[map]'`."
    ) from None

Point = tuple[float, float]

_INCHES: Final = (14.0, 10.0)

_NAME: Final = 26
"""Characters of a name, and of a line of a community's label."""

_WIDTH, _HEIGHT = 0.8, 0.12
"""The room of a name, in units of the layout; nearer to a named member none is named."""

_MARKERS: Final = {"thought": "o", "entity": "s", "observation": "^"}


def draw(read: GraphMap, file: Path) -> None:
    """Write the map to a file; the ending decides the format. The same map gives the same picture.

    Communities are areas of one colour with their label above; members are circles (thoughts), squares
    (entities) and triangles (facts), larger with more mass. Up to four of the greatest mass are named, where
    there is room. Raises OSError if the file cannot be written.
    """
    figure = _figure.Figure(figsize=_INCHES, layout="constrained")
    axes = figure.add_subplot()
    axes.set_axis_off()
    axes.set_title(f"Communities of {read.namespace}", pad=30, parse_math=False)
    places = _places(read)
    colours = {one.number: _colours(n % 20) for n, one in enumerate(read.communities)}
    of = {member.id: one.number for one in read.communities for member in one.members}
    for start, end in read.links:
        inside = of[start] == of[end]
        (x1, y1), (x2, y2) = places[start], places[end]
        axes.plot(
            (x1, x2),
            (y1, y2),
            color=colours[of[start]] if inside else "#999999",
            alpha=0.5 if inside else 0.15,
            linewidth=0.8,
            zorder=1,
        )
    for community in read.communities:
        _draw_community(axes, community, places, colours[community.number])
    for kind, marker in _MARKERS.items():
        axes.scatter([], [], marker=marker, color="#666666", label=kind)
    axes.legend(loc="lower right", frameon=False)
    with warnings.catch_warnings(), _rc({"svg.fonttype": "none", "svg.hashsalt": "legacymind"}):
        # A font without a character shows a box in a PNG file; an SVG file leaves the font to its viewer.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        metadata = {"Date": None} if file.suffix.lower() == ".svg" else {}
        figure.savefig(file, dpi=150, metadata=metadata)


def _draw_community(axes: Any, community: MappedCommunity, places: Mapping[str, Point], colour: Any) -> None:
    for kind, marker in _MARKERS.items():
        members = [member for member in community.members if member.kind == kind]
        axes.scatter(
            [places[member.id][0] for member in members],
            [places[member.id][1] for member in members],
            s=[30 + 60 * math.log1p(member.mass or 0.0) for member in members],
            marker=marker,
            color=[colour],
            edgecolors="white",
            linewidths=0.6,
            zorder=2,
        )
    named: list[Point] = []
    for member in community.members[:4]:
        x, y = places[member.id]
        if any(abs(x - left) < _WIDTH and abs(y - above) < _HEIGHT for left, above in named):
            continue
        named.append((x, y))
        axes.annotate(
            _short(member),
            (x, y),
            xytext=(0, 6),
            textcoords="offset points",
            ha="center",
            fontsize=6.5,
            parse_math=False,
            zorder=3,
        )
    top = max(places[member.id][1] for member in community.members)
    middle = sum(places[member.id][0] for member in community.members) / len(community.members)
    axes.annotate(
        "\n".join(textwrap.wrap(f"{community.label} ({community.size})", _NAME)),
        (middle, top),
        xytext=(0, 18),
        textcoords="offset points",
        ha="center",
        fontsize=10,
        fontweight="bold",
        parse_math=False,
        bbox={"facecolor": "white", "edgecolor": colour, "alpha": 0.85, "boxstyle": "round"},
        zorder=4,
    )


def _places(read: GraphMap) -> dict[str, Point]:
    """A place for each node: communities in rows that are far enough apart, members by their links."""
    columns = math.ceil(math.sqrt(len(read.communities) * _INCHES[0] / _INCHES[1]))
    places: dict[str, Point] = {}
    for number, community in enumerate(read.communities):
        row, column = divmod(number, columns)
        for one, (x, y) in _layout(community.members, read.links).items():
            places[one] = column * 3.0 + x, -row * 3.0 + y
    return places


def _layout(members: Sequence[Member], links: Sequence[tuple[str, str]]) -> dict[str, Point]:
    """Places between -1 and 1, by the force-directed layout of Fruchterman and Reingold (1991)."""
    graph = _nx.Graph()
    graph.add_nodes_from(member.id for member in members)
    graph.add_edges_from(link for link in links if link[0] in graph and link[1] in graph)
    found = _nx.spring_layout(graph, seed=19, k=2.5 / math.sqrt(max(1, len(members))))
    return {one: (float(x), float(y)) for one, (x, y) in found.items()}


def _short(member: Member) -> str:
    text = " ".join(member.text.split())
    return text if len(text) <= _NAME else f"{text[: _NAME - 1].rstrip()}…"
