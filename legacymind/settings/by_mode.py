"""Settings that hold several numbers, which a mode can override: ``2,5,8,12,20; plan=3,6,9,12,20``."""

from functools import cache
from typing import Final

MODES: Final = ("question", "conclude", "plan", "build", "debug", "stuck")

Numbers = tuple[float, ...]


@cache
def read(text: str) -> dict[str, Numbers]:
    """The numbers of each mode, and those without a mode under the empty name.

    Groups are separated by semicolons, numbers by commas. Raises ValueError when the text has another form,
    an unknown mode, or a mode twice.
    """
    found: dict[str, Numbers] = {}
    for group in filter(None, (part.strip() for part in text.split(";"))):
        mode, equals, numbers = group.rpartition("=")
        mode = mode.strip().lower()
        if (equals and mode not in MODES) or mode in found:
            raise ValueError
        found[mode] = tuple(float(number) for number in numbers.split(","))
    return found


def numbers_for(mode: str, text: str, default: str = "") -> Numbers:
    """A mode's own numbers or the general ones of ``text``, else those of ``default``, else none."""
    for numbers in (read(text), read(default)):
        if found := numbers.get(mode) or numbers.get(""):
            return found
    return ()


def check(text: str, *, least: Numbers, most: Numbers, whole: bool = False) -> str:
    """Check that each group has as many numbers as ``least``, between ``least`` and ``most``."""
    for numbers in read(text).values():
        if len(numbers) != len(least) or not all(
            low <= number <= high for low, number, high in zip(least, numbers, most, strict=True)
        ):
            raise ValueError
        if whole and not all(number.is_integer() for number in numbers):
            raise ValueError
    return text
