"""A calibration as text: every measurement fits and reads."""

import math
from dataclasses import replace

import pytest

from legacymind.doors.cli.commands import calibrate as calibration_text
from legacymind.services.maintain.calibration import REFERENCE, Calibration, Distribution, Proposal

NAMES = ["t1", "t2", "t3", "s1", "s2", "s3", "s4", "s5", "floor"]


def bell(middle: float, width: float, pairs: int) -> Distribution:
    """About a normal distribution."""
    heights = [math.exp(-(((n / 100 - 0.995 - middle) / width) ** 2) / 2) for n in range(200)]
    counts = [round(pairs * height / sum(heights)) for height in heights]
    return Distribution(pairs=sum(counts), counts=counts)


def calibration(*, present: float = 0.5, proposed: float = 0.6, namespace: str | None = "n") -> Calibration:
    return Calibration(
        namespace=namespace,
        fingerprint="provider/model@1/384/words/l2",
        thoughts=1000,
        knowledge=1000,
        thresholds=[
            Proposal(
                name=name,
                kind="thoughts" if name.startswith("s") else "knowledge",
                present=present,
                source="model",
                present_share=0.01234,
                proposed=proposed,
                share=0.0,
                reference_share=share,
                estimated=name == "s1",
            )
            for name, share in zip(NAMES, REFERENCE.values, strict=True)
        ],
        among_thoughts=bell(0.2, 0.15, 499_500),
        with_knowledge=bell(0.1, 0.1, 1_000_000),
    )


SINGLE = Distribution(pairs=5_000, counts=[0] * 199 + [5_000])
LOWEST = Distribution(pairs=5_000, counts=[4_999, *[0] * 198, 1])
CASES = [
    calibration(),
    calibration(present=-1.0, proposed=0.99),
    calibration(present=1.0, proposed=-0.2, namespace=None),
    replace(calibration(), among_thoughts=SINGLE, with_knowledge=LOWEST),
    calibration(namespace='<a & "b">'),
]


@pytest.mark.parametrize("found", CASES)
def test_the_text_fits_80_columns_and_names_every_threshold(found: Calibration) -> None:
    title, legend, *lines = calibration_text.plot(found)
    assert str(title).startswith("Cosines of 1,000 thoughts and 1,000 pieces of knowledge of ")
    assert [str(line) for line in [legend, *lines] if line.cell_len > 80] == []
    table = [str(line).split()[0] for line in lines[-9:]]
    assert table == NAMES
    assert all(character.isprintable() for line in lines for character in str(line))
    assert "~ marks an estimate" in "\n".join(calibration_text.notes(found))


def test_a_threshold_is_marked_in_the_row_of_its_cosine_and_a_bar_is_longer_for_more() -> None:
    found = calibration(present=0.35, proposed=0.4)
    rows = {str(line)[:6].strip(): str(line) for line in calibration_text.plot(found)}
    assert "○t1 t2 t3" in rows["0.35"].split("│")[2]
    assert "●t1 t2 t3" in rows["0.40"].split("│")[2]
    assert "●s1 s2" in rows["0.40"].split("│")[1]
    assert "t1" not in rows["0.45"] + rows["0.30"]
    assert rows["0.20"].count("█") > rows["0.45"].count("█") > rows["0.80"].count("█")


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0.606, "60.6 %"),
        (1, "100 %"),
        (0.0301, "3.01 %"),
        (0.000183, "0.0183 %"),
        (4e-7, "0.0000 %"),
        (0, "0 %"),
    ],
)
def test_a_share_is_shown_to_three_digits(share: float, shown: str) -> None:
    assert calibration_text.percent(share) == shown
