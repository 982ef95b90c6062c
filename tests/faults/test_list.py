"""The list of faults names tests that exist."""

from pathlib import Path

import pytest

from tests.faults import faults


@pytest.mark.parametrize("fault", faults.FAULTS)
def test_each_fault_has_tests(fault: str) -> None:
    assert faults.FAULTS[fault]
    for test in faults.FAULTS[fault]:
        file, _, name = test.partition("::")
        code = (Path(__file__).parents[2] / file).read_text(encoding="utf-8")
        assert f"def {name}(" in code if name else "def test_" in code, test
