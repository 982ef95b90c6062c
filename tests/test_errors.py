"""Errors form one tree with one shape, and each message includes a hint."""

import ast
import inspect
import re
from pathlib import Path

import pytest

from legacymind import errors
from legacymind.errors import ConfigurationError, InvalidInput, LegacyMindError, NotFound

EVERY = [
    member for _, member in inspect.getmembers(errors, inspect.isclass) if issubclass(member, LegacyMindError)
]
ERROR_NAMES = {kind.__name__ for kind in EVERY}


def test_the_docstring_draws_every_class_with_its_code_under_its_parent() -> None:
    lines = re.findall(r"^    ([│ ]*)([├└]── )?(\w+) +([a-z_]+)", errors.__doc__ or "", re.MULTILINE)
    parents: dict[int, type[LegacyMindError]] = {}
    for bars, branch, name, code in lines:
        kind: type[LegacyMindError] = getattr(errors, name)
        depth = len(bars + branch) // 4
        assert kind.code == code
        assert depth == 0 or kind.__base__ is parents[depth - 1]
        parents[depth] = kind
    assert {name for _, _, name, _ in lines} == {kind.__name__ for kind in EVERY}
    assert len(lines) == len(EVERY) > 10
    assert all(inspect.getdoc(kind) for kind in EVERY)


def test_every_class_defines_a_code_of_its_own() -> None:
    assert all("code" in vars(kind) for kind in EVERY)
    codes = [kind.code for kind in EVERY]
    assert len(set(codes)) == len(codes)
    assert all(code.replace("_", "").isalpha() and code == code.lower() for code in codes)


def test_no_error_class_is_defined_outside_the_tree() -> None:
    package = Path(errors.__file__).parent
    defined = {
        node.name: path.relative_to(package)
        for path in package.rglob("*.py")
        if path.name != "errors.py" or path.parent != package
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
        and any(isinstance(base, ast.Name) and base.id in ERROR_NAMES for base in node.bases)
    }
    assert defined == {}


@pytest.mark.parametrize("kind", EVERY, ids=lambda kind: kind.__name__)
def test_a_message_has_the_event_its_effect_and_a_hint(kind: type[LegacyMindError]) -> None:
    error = kind("It rained.", hint="Take an umbrella.")
    assert error.what == "It rained."
    assert error.effect == kind.effect
    assert error.hint == "Take an umbrella."
    assert str(error) == " ".join(filter(None, ("It rained.", kind.effect, "Take an umbrella.")))
    error.of_write()
    assert kind.written
    assert str(error) == f"It rained. {kind.written} Take an umbrella."
    given = kind("It rained.", effect="All is wet.")
    given.of_write()
    assert given.effect == "All is wet."
    assert str(kind("It rained.", effect="")) == "It rained."


@pytest.mark.parametrize("kind", EVERY, ids=lambda kind: kind.__name__)
def test_the_error_envelope_has_one_shape(kind: type[LegacyMindError]) -> None:
    error = kind("It rained.", hint="Take an umbrella.")
    assert error.envelope() == {"error": {"code": kind.code, "message": str(error)}}


def test_codes_are_frozen() -> None:
    """Clients compare codes, so a changed code breaks clients."""
    assert {kind.__name__: kind.code for kind in EVERY} == {
        "LegacyMindError": "error",
        "InvalidInput": "invalid_input",
        "RequestRefused": "refused",
        "UserNeeded": "user_needed",
        "TokenMissing": "token_missing",
        "TooManyRequests": "rate_limited",
        "Busy": "busy",
        "NotFound": "not_found",
        "Conflict": "conflict",
        "ChainBroken": "chain_broken",
        "ImmutableThought": "immutable",
        "ConfigurationError": "configuration",
        "EmbeddingError": "embedding_failed",
        "EmbeddingMismatch": "embedding_mismatch",
        "DatabaseError": "database_error",
        "DatabaseUnreachable": "database_unreachable",
        "DatabaseBusy": "database_busy",
        "DatabaseRefused": "database_refused",
        "DatabaseTooOld": "database_too_old",
        "SchemaTooNew": "schema_too_new",
        "AlgorithmsMissing": "algorithms_missing",
        "EngineError": "engine_error",
        "DownloadFailed": "download_failed",
        "PortTaken": "port_taken",
        "EngineNotRunning": "engine_not_running",
        "Starting": "starting",
        "InternalError": "internal",
    }


def test_an_error_is_caught_by_its_own_classes_only() -> None:
    with pytest.raises(LegacyMindError):
        raise NotFound("gone")
    assert not issubclass(InvalidInput, ConfigurationError)
    assert issubclass(errors.EmbeddingMismatch, errors.EmbeddingError)
    assert issubclass(errors.DatabaseUnreachable, errors.DatabaseError)
    assert issubclass(errors.DownloadFailed, errors.EngineError)
