"""The few shapes that our SVG files are drawn with; each needs nothing but itself."""

from html import escape
from typing import Final

INK: Final = "#333"
GRID: Final = "#e3e3e3"
FAINT: Final = "#8a8a8a"


def opening(width: int, height: int, title: str) -> str:
    """The start of a document on white, with its title for who cannot see it; ``</svg>`` ends it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="13" fill="{INK}" role="img">\n'
        f'<title>{escape(title)}</title>\n<rect width="{width}" height="{height}" fill="#fff"/>'
    )


def line(x1: float, y1: float, x2: float, y2: float, colour: str, *, dash: str = "", title: str = "") -> str:
    """From one point to another; one with a title tells it when pointed at, and is of class ``told``."""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    shape = f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{dashes}'
    return f'{shape} class="told"><title>{escape(title)}</title></line>' if title else f"{shape}/>"


def text(
    x: float,
    y: float,
    said: str,
    *,
    anchor: str = "start",
    fill: str = INK,
    size: int = 13,
    weight: str = "normal",
) -> str:
    """Words at a point, on their base line."""
    more = "" if anchor == "start" else f' text-anchor="{anchor}"'
    more += "" if fill == INK else f' fill="{fill}"'
    more += "" if weight == "normal" else f' font-weight="{weight}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}"{more}>{escape(said)}</text>'
