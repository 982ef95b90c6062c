"""``legacymind`` exports what most callers need; ``legacymind.model`` has the types of all results."""

import subprocess
import sys

import pytest

import legacymind
from legacymind.model.about import unwrap


@pytest.mark.parametrize("name", legacymind.__all__)
def test_every_exported_name_is_found(name: str) -> None:
    assert getattr(legacymind, name) == getattr(legacymind, name)
    assert name in dir(legacymind)


def test_the_result_of_every_operation_is_in_the_model() -> None:
    mind = legacymind.Mind(legacymind.Settings())
    homes = {unwrap(operation.returns)[0].__module__ for operation in mind.operations.values()}
    assert {home for home in homes if not home.startswith("legacymind.model.")} == set()


def test_the_version_is_that_of_the_distribution() -> None:
    assert legacymind.__version__.count(".") >= 2


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="Brain"):
        _ = legacymind.Brain  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType]


def test_importing_the_package_imports_none_of_its_modules() -> None:
    script = "import sys, legacymind; print([name for name in sys.modules if name.startswith('legacymind.')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
