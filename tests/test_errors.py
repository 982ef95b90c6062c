"""Errors: one tree, one shape, and messages that say what to do."""

import inspect

import pytest

from legacymind import errors
from legacymind.errors import ConfigurationError, InvalidInput, LegacyMindError, NotFound

EVERY = [
    member for _, member in inspect.getmembers(errors, inspect.isclass) if issubclass(member, LegacyMindError)
]


def test_every_class_hangs_in_the_one_tree_that_the_module_draws() -> None:
    assert len(EVERY) > 10
    drawn = errors.__doc__ or ""
    for kind in EVERY:
        assert kind.__module__ == "legacymind.errors"
        assert kind.__name__ in drawn
        assert inspect.getdoc(kind)


def test_every_class_has_a_code_of_its_own() -> None:
    codes = [kind.code for kind in EVERY]
    assert len(set(codes)) == len(codes)
    assert all(code.replace("_", "").isalpha() and code == code.lower() for code in codes)


@pytest.mark.parametrize("kind", EVERY, ids=lambda kind: kind.__name__)
def test_a_message_has_what_happened_what_it_means_and_what_to_do(kind: type[LegacyMindError]) -> None:
    error = kind("It rained.", hint="Take an umbrella.")
    assert error.what == "It rained."
    assert error.effect
    assert error.hint == "Take an umbrella."
    assert str(error) == f"It rained. {kind.effect} Take an umbrella."
    assert kind("It rained.", effect="All is wet.").effect == "All is wet."
    assert str(kind("It rained.", effect="")) == "It rained."


@pytest.mark.parametrize("kind", EVERY, ids=lambda kind: kind.__name__)
def test_the_envelope_has_the_one_shape_that_every_door_answers_with(kind: type[LegacyMindError]) -> None:
    error = kind("It rained.", hint="Take an umbrella.")
    assert error.envelope() == {"error": {"code": kind.code, "message": str(error)}}


def test_codes_are_frozen() -> None:
    """Clients compare them: a changed code is a broken client."""
    assert {kind.__name__: kind.code for kind in EVERY} == {
        "LegacyMindError": "error",
        "InvalidInput": "invalid_input",
        "NotFound": "not_found",
        "Conflict": "conflict",
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
        "EngineError": "engine_error",
        "DownloadFailed": "download_failed",
        "PortTaken": "port_taken",
        "EngineNotRunning": "engine_not_running",
    }


def test_an_error_is_caught_by_its_kin_only() -> None:
    with pytest.raises(LegacyMindError):
        raise NotFound("gone")
    assert not issubclass(InvalidInput, ConfigurationError)
    assert issubclass(errors.EmbeddingMismatch, errors.EmbeddingError)
    assert issubclass(errors.DatabaseUnreachable, errors.DatabaseError)
    assert issubclass(errors.DownloadFailed, errors.EngineError)
