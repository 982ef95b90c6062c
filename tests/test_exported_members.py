"""``legacymind`` exports every public type, and its four lists of names agree."""

import ast
import importlib
import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Literal, get_origin

import pytest

import legacymind
from legacymind import errors
from legacymind.model import base, chain, frameworks, think, trails
from legacymind.operations.introspection import unwrap

TREE = ast.parse(Path(legacymind.__file__).read_text(encoding="utf-8"))
INTERNAL = {"Answer", "Camel"}


def imported_for_type_checkers() -> dict[str, str]:
    """The names that type checkers see, with their modules."""
    (block,) = [node for node in TREE.body if isinstance(node, ast.If)]
    return {
        alias.name: str(node.module)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def public(module: ModuleType) -> set[str]:
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and ((inspect.isclass(value) and value.__module__ == module.__name__) or get_origin(value) is Literal)
    }


def test_type_checkers_and_callers_see_the_same_names() -> None:
    assert {*imported_for_type_checkers(), "__version__"} == set(legacymind.__all__)
    assert len(set(legacymind.__all__)) == len(legacymind.__all__)
    assert set(legacymind.__all__) <= set(dir(legacymind))


@pytest.mark.parametrize("name", sorted(imported_for_type_checkers()))
def test_an_exported_name_is_that_of_its_module(name: str) -> None:
    module = importlib.import_module(imported_for_type_checkers()[name])
    assert getattr(legacymind, name) is getattr(module, name)


@pytest.mark.parametrize("module", [errors, base, chain, frameworks, think, trails])
def test_every_error_input_and_result_is_exported(module: ModuleType) -> None:
    assert public(module) - INTERNAL <= set(legacymind.__all__)


def test_every_type_of_an_operation_is_exported() -> None:
    mind = legacymind.Mind(legacymind.Settings())
    for operation in mind.operations.values():
        assert unwrap(operation.returns)[0].__name__ in legacymind.__all__


def test_the_version_is_that_of_the_distribution() -> None:
    assert legacymind.__version__.count(".") >= 2


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="Brain"):
        _ = legacymind.Brain  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType]


def test_importing_the_package_imports_none_of_its_modules() -> None:
    script = "import sys, legacymind; print([name for name in sys.modules if name.startswith('legacymind.')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
