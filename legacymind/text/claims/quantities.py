"""Reads amounts in every way that their spelling may mean, and tells whether two of them can be the same.

A table of units serves instead of pint, whose import takes half a second, and which reads "10 am" as
attometres and "2 cats" as pressure.
"""

import math
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

_SMALL: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_WORDS: Final = {
    **{word: number for number, word in enumerate(_SMALL.split())},
    **{
        word: 10 * number
        for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
    },
}
_POWERS: Final = {"dozen": 12, "hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9}
_SMALLS: Final = "|".join(sorted(_WORDS, key=len, reverse=True))
_LARGES: Final = "|".join(_POWERS)
NUMBER_WORDS: Final = (
    rf"(?:a(?= (?:{_LARGES})\b)|{_SMALLS})(?:[ -](?:and (?=[a-z]))?(?:{_SMALLS}|{_LARGES})\b)*"
)
"""A regular expression of numbers in words, such as "twenty-five" and "a dozen"."""

_IN_WORDS: Final = re.compile(rf"\b{NUMBER_WORDS}\b")
_PART: Final = re.compile(
    r"\b(?:(?P<half>half)|(?:an?|1) (?:(?P<third>third)|quarter)) ?\b(?:(?:an?|of)\b ?)?"
)

_SI: Final = {"n": 1e-9, "u": 1e-6, "µ": 1e-6, "m": 1e-3, "c": 1e-2, "d": 0.1, "h": 1e2}
_SI_BIG: Final = {"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "p": 1e15}
_SI_NAMES: Final = {
    "nano": 1e-9,
    "micro": 1e-6,
    "milli": 1e-3,
    "centi": 1e-2,
    "kilo": 1e3,
    "mega": 1e6,
    "giga": 1e9,
}
_SCALED: Final = (
    "mass g gram numcdhk|mass t ton|mass t tonne|length m meter numcdhk|length m metre numcdhk|"
    "time s second num|volume l liter mcdh|volume l litre mcdh|frequency hz hertz kMGT|power w watt mkMG|"
    "potential v volt mkM|current a ampere mu|current a amp mu|energy j joule kMG|energy wh watthour kMG|"
    "pressure pa pascal hkMm|pressure bar bar m|energy cal calorie k"
)
"""Units with prefixes: what they measure, symbol, name and the prefixes in use; a capital one enlarges."""

_BASES: Final = {"t": 1e6, "l": 1e-3, "wh": 3600.0, "bar": 1e5, "cal": 4.184}
_OTHERS: Final = (
    "mass 28.35 oz ounce ounces|mass 453.6 lb lbs pound pounds|mass 6350 stone st|mass 1e3 kilo kilos|"
    "length 0.3048 ft foot feet|length 0.0254 in inch inches|length 1609 mi mile miles|"
    "length 0.9144 yd yard yards|length 1852 nm nmi|time 1 sec secs|time 60 m min mins minute minutes|"
    "time 3600 h hr hrs hour hours|time 86400 d day days|time 604800 week weeks|"
    "time 2629800 month months|time 31557600 y yr yrs year years|length2 1e4 ha hectare hectares|"
    "length2 4047 acre acres|length3 3.785e-3 gal gallon gallons|length3 4.546e-3 gal gallon gallons|"
    "length2 1 sqm|length2 0.0929 sqft|data 1 b byte bytes|data 1 octet octets|data 0.125 bit bits|"
    "dollars 1 $ usd dollar dollars|euros 1 € eur euro euros|pounds 1 £ gbp pound pounds|"
    "francs 1 chf franc francs|share 0.01 % percent pct|length/time 0.44704 mph|"
    "length/time 0.27778 kph kmh|length/time 0.51444 kn knot knots|revolution/time 0.0166667 rpm|"
    "pressure 6895 psi|angle 1 rad radian radians|angle 0.0174533 °|"
    "power 735.5 hp ps|temperature 1 °c °f k kelvin °"
)
_DEGREES: Final = {"°c": ((1.0, 273.15),), "°f": ((5 / 9, 255.372),), "°": ((1.0, 273.15), (5 / 9, 255.372))}
"""Scales of temperature other than kelvin: the factor and what is added."""

_CONVERTED: Final = 0.05
"""The share by which a value in another unit may differ at most, if its digits are rounded so much."""

_ABOUT: Final = 0.1
"""The same for a value that is given as about so much."""

_ROUNDED: Final = 1e-4
_DEGREE: Final = 1.0
"""By how much a temperature of another scale may differ."""

_AMOUNT: Final = re.compile(
    r"(?:(?P<low>over|at least|more than|above)|(?P<high>under|at most|up to|less than|below))? ?"
    r"(?P<about>about|around|approximately|roughly|nearly|almost|~)? ?(?:exactly |only )?(?P<sign>[$€£])? ?"
    r"(?P<number>[-−]?(?:\d+/\d+|\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)*(?:e[+-]?\d+)?))"
    r"(?!\d|[.:]\d)(?P<tail>.*)"
)
_MAGNITUDES: Final = {
    "k": 1e3,
    "thousand": 1e3,
    **dict.fromkeys(("m", "mn", "mio", "million", "millions"), 1e6),
    **dict.fromkeys(("b", "bn", "billion"), 1e9),
}
_UNIT: Final = re.compile(
    r" ?(?P<unit>[%$€£]|°?[a-zµ]+[23]?|°)?(?P<per>/[a-z]+)?(?P<rest>(?![a-zµ]).*)", re.DOTALL
)
_SPELLED: Final = (
    (re.compile(r"\bsq(?:uare|\.)? ?([a-z]+)"), r"\g<1>2"),
    (re.compile(r"\bcubic ([a-z]+)"), r"\g<1>3"),
    (re.compile(r"(?:° ?|\b(?:degrees?|deg\.?) ?)(?:celsius|centigrade|c\b)|\bcelsius\b|(?<=\d) ?c\b"), "°c"),
    (re.compile(r"(?:° ?|\b(?:degrees?|deg\.?) ?)(?:fahrenheit|f\b)|\bfahrenheit\b|(?<=\d) ?f\b"), "°f"),
    (re.compile(r" ?\bdegrees?\b"), "°"),
    (re.compile(r" ?(?:/|\b(?:per|an?)\b) ?(?=[a-z])(?:1 )?"), "/"),
    (re.compile(r"(?<=\d) ?['′](?!\d{3}\b)"), " ft "),
    (re.compile(r'(?<=\d) ?["″]'), " in "),
    (re.compile(r"(?<=\d) ?h ?(\d\d)\b(?! ?m)"), r" h \g<1> min"),
    (re.compile(r"(?<=[kmgt])(?:bps|bit/s)\b"), "bits/s"),
)


def _units() -> dict[str, list[tuple[str, float]]]:
    table: dict[str, list[tuple[str, float]]] = {}

    def add(name: str, kind: str, factor: float) -> None:
        if (kind, factor) not in table.setdefault(name, []):
            table[name].append((kind, factor))

    for unit in _SCALED.split("|"):
        kind, symbol, name, *prefixes = unit.split(" ")
        kind, base = kind.replace("volume", "length3"), _BASES.get(symbol, 1.0)
        for one in (symbol, name, f"{name}s"):
            add(one, kind, base)
        for prefix in "".join(prefixes):
            scale = _SI_BIG[prefix.lower()] if prefix in "kMGT" else _SI[prefix]
            add(prefix.lower() + symbol, kind, base * scale)
        for prefix, scale in _SI_NAMES.items():
            for one in (name, f"{name}s"):
                add(prefix + one, kind, base * scale)
    for unit in _OTHERS.split("|"):
        kind, factor, *names = unit.split(" ")
        for name in names:
            add(name, kind, float(factor))
    for power, (prefix, long) in enumerate(zip("kmgtp", "kilo mega giga tera peta".split(), strict=True), 1):
        for name in (f"{prefix}b", f"{prefix}ib", f"{long}byte", f"{long}bytes"):
            add(name, "data", 1024.0**power)
            if name != f"{prefix}ib":
                add(name, "data", 1000.0**power)
        for name in (f"{prefix}bit", f"{prefix}bits", f"{long}bit", f"{long}bits"):
            add(name, "data", 1000.0**power / 8)
    return table


_UNITS: Final = _units()


class Amount(NamedTuple):
    """A number in the base unit of its kind, with its unit and what follows.

    ``raw`` is the number as it is written, ``rounding`` half of its last digit in the base unit. ``slack``
    is the share by which it may be another one; ``side`` is 1 for "at least", -1 for "at most".
    """

    number: float
    raw: float
    kind: str
    unit: str
    rest: str
    rounding: float
    slack: float
    side: int


def in_digits(text: str) -> str:
    """A text in lower case with numbers in words as digits: "twenty-five" is 25."""
    return _PART.sub(_fraction, _IN_WORDS.sub(_digits, text)).rstrip()


def _fraction(found: re.Match[str]) -> str:
    return "0.5 " if found["half"] else "0.3333 " if found["third"] else "0.25 "


def _digits(found: re.Match[str]) -> str:
    total = part = 0
    for word in re.findall(r"[a-z]+", found[0]):
        power = _POWERS.get(word)
        if power is None:
            part += _WORDS.get(word, 0)
        elif power < 1000:
            part = max(part, 1) * power
        else:
            total, part = total + max(part, 1) * power, 0
    return str(total + part)


@lru_cache(maxsize=4096)
def amounts(value: str) -> tuple[Amount, ...]:
    """Every amount that a value in lower case may be; none if it is no amount."""
    text = in_digits(value).replace("²", "2").replace("³", "3")
    for pattern, plain in _SPELLED:
        text = pattern.sub(plain, text)
    match = _AMOUNT.fullmatch(text)
    if match is None:
        return ()
    slack = _ABOUT if match["about"] else 0.0
    side = 1 if match["low"] else -1 if match["high"] else 0
    found: list[Amount] = []
    tails = list(_tails(match["tail"], match["sign"]))
    for (number, step), (factor, kind, unit, rest) in product(_numbers(match["number"]), tails):
        for scale, shift in _DEGREES.get(unit if kind == "temperature" else "", ((factor, 0.0),)):
            found.append(
                Amount(number * scale + shift, number, kind, unit, rest, step / 2 * scale, slack, side)
            )
    return (*_whole(found),)


def _numbers(text: str) -> set[tuple[float, float]]:
    """The numbers that digits with separators may mean, each with the step of its last digit.

    "1.500" is one and a half or one thousand five hundred.
    """
    text = re.sub(r"[ '’]", "", text.replace("−", "-"))
    if "/" in text:
        above, below = map(float, text.split("/"))
        return {(above / below, 0.0)} if below else set()
    last = max(text.rfind("."), text.rfind(","))
    if last < 0:
        return {(float(text), 1.0)}
    point, whole = text[last], text[:last].replace(",", "").replace(".", "")
    decimal = (float(f"{whole}.{text[last + 1 :]}"), 0.1 ** (len(text) - last - 1))
    thousands = (float(whole + text[last + 1 :]), 1.0)
    grouped = re.fullmatch(rf"-?[1-9]\d{{0,2}}(?:\{point}\d{{3}})+", text) is not None
    if text.count(point) > 1 or (grouped and point == ","):
        return {thousands} if grouped else set()
    return {decimal, thousands} if grouped else {decimal}


def _tails(tail: str, sign: str | None) -> Iterator[tuple[float, str, str, str]]:
    """The factor, kind, unit and rest of what may follow a number."""
    word = re.match(r" ?([a-z]+)\b(?P<rest>.*)", tail)
    power = _MAGNITUDES.get(word[1]) if word is not None else None
    if word is not None and power is not None:
        for factor, kind, unit, rest in _units_of(word["rest"], sign):
            yield power * factor, kind, f"{word[1]} {unit}", rest
    if power is None or not sign:
        yield from _units_of(tail, sign)


def _units_of(tail: str, sign: str | None) -> Iterator[tuple[float, str, str, str]]:
    match = _UNIT.fullmatch(f" {sign}{tail}" if sign else tail)
    if match is None:
        return
    unit, per, rest = match["unit"] or "", (match["per"] or "/")[1:], match["rest"].strip()
    below = _UNITS.get(per, [("", 1.0)] if not per else [(per, 1.0)])
    readings = _UNITS.get(unit) or _powered(unit) or [("", 1.0)]
    known = unit in _UNITS or _powered(unit)
    if per and not known:
        readings, known = [(unit.removesuffix("s"), 1.0)], True
    if per and unit in {f"{prefix}b" for prefix in "kmgt"}:
        readings = [*readings, *_UNITS[f"{unit}it"]]
    for (kind, factor), (kind2, factor2) in product(readings, below):
        if not known:
            yield 1.0, "", "", f"{unit} {rest}".strip()
        else:
            yield factor / factor2, f"{kind}/{kind2}" if per else kind, f"{unit}/{per}" if per else unit, rest


def _powered(unit: str) -> list[tuple[str, float]]:
    """Squares and cubes of lengths."""
    base, power = unit[:-1], int(unit[-1]) if unit[-1:] in {"2", "3"} else 0
    return [
        (f"length{power}", factor**power)
        for kind, factor in _UNITS.get(base, ())
        if power and kind == "length"
    ]


def _whole(found: list[Amount]) -> Iterator[Amount]:
    """The amounts with what follows them added, as in "1 h 30 min" and "6 ft 2 in"."""
    for one in found:
        rest = one.rest.removeprefix("and ")
        parts = amounts(rest) if rest[:1].isdigit() else ()
        same = [part for part in parts if part.kind == one.kind and one.kind and part.unit != one.unit]
        if same:
            yield from (
                part._replace(number=one.number + part.number, unit=f"{one.unit} {part.unit}")
                for part in same
            )
        else:
            yield one


def can_be_same(one: tuple[Amount, ...], other: tuple[Amount, ...]) -> bool:
    """Whether two amounts, each in all its readings, can be the same; of different kinds they can."""
    pairs = list(product(one, other))
    alike = [pair for pair in pairs if pair[0].kind == pair[1].kind and pair[0].kind]
    plain = [pair for pair in pairs if not pair[0].kind and not pair[1].kind]
    mixed = [pair for pair in pairs if not pair[0].kind or not pair[1].kind]
    compared = alike or plain or mixed
    return not compared or any(_close(a, b) for a, b in compared)


def _close(one: Amount, other: Amount) -> bool:
    if one.rest and other.rest and one.rest != other.rest:
        return True
    if not one.kind and other.kind:
        one, other = other, one
    if one.kind and not other.kind and other.rest:
        return True  # a unit that is not in the table
    if one.kind and not other.kind:  # any unit of the kind may be meant
        factors = {factor for units in _UNITS.values() for kind, factor in units if kind == one.kind}
        meant = [other.number * factor for factor in {*factors, 1.0}]
        return _near(one._replace(number=one.raw), other) or any(
            _near(one, other._replace(number=n), converted=one.kind == "share") for n in meant
        )
    return _near(one, other, converted=one.unit != other.unit)


def _near(one: Amount, other: Amount, *, converted: bool = False) -> bool:
    """Whether two numbers are the same, or one is the other rounded to its digits, in a bound or about it."""
    largest = max(abs(one.number), abs(other.number))
    slack = max(one.slack, other.slack, _ROUNDED) * largest
    if converted:
        rounded = min(one.rounding + other.rounding, _CONVERTED * largest)
        slack = max(slack, _DEGREE if one.kind == "temperature" else rounded)
    lowest = max(-math.inf if amount.side < 0 else amount.number for amount in (one, other))
    highest = min(math.inf if amount.side > 0 else amount.number for amount in (one, other))
    return lowest <= highest + slack
