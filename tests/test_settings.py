"""One table of settings; the environment over the file over the defaults."""

from dataclasses import fields
from pathlib import Path
from typing import Any, cast

import pytest

from legacymind.errors import ConfigurationError
from legacymind.settings import Settings, load_settings

FIELDS = {f.name: f for f in fields(Settings)}
SECTIONS = {"system", "engine", "runtime", "retrieval"}
EMPTY = Path("/dev/null")

# For every type a value that no default has, as TOML and the environment write it.
SAMPLES: dict[Any, tuple[str, str, Any]] = {
    str: ('"some text"', "some text", "some text"),
    int: ("4321", "4321", 4321),
    float: ("0.125", "0.125", 0.125),
    bool: ("false", "no", False),
    float | None: ("0.125", "0.125", 0.125),
}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder without a configuration file."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_setting_has_a_section_a_variable_of_its_own_and_help() -> None:
    variables = [f.metadata["variable"] for f in FIELDS.values()]
    assert len(set(variables)) == len(variables)
    for f in FIELDS.values():
        assert f.metadata["section"] in SECTIONS
        assert f.metadata["help"].endswith(".")
        standard = {"NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE"}
        standard |= {"OPENAI_API_KEY", "OPENAI_BASE_URL"}
        assert f.metadata["variable"].startswith("LEGACYMIND_") or f.metadata["variable"] in standard


def test_nothing_set_gives_the_defaults() -> None:
    assert load_settings({}) == Settings()
    assert load_settings({"LEGACYMIND_TAGS": "", "NEO4J_URI": ""}) == Settings()


@pytest.mark.parametrize("name", FIELDS)
def test_a_setting_comes_from_its_variable(name: str) -> None:
    _, text, value = SAMPLES[FIELDS[name].type]
    settings = load_settings({FIELDS[name].metadata["variable"]: text})
    assert getattr(settings, name) == value
    assert value != FIELDS[name].default


@pytest.mark.parametrize("name", FIELDS)
def test_a_setting_comes_from_its_section_of_the_file(name: str, elsewhere: Path) -> None:
    written, _, value = SAMPLES[FIELDS[name].type]
    file = elsewhere / "legacymind.toml"
    file.write_text(f"[{FIELDS[name].metadata['section']}]\n{name} = {written}\n", encoding="utf-8")
    assert getattr(load_settings({}), name) == value


def test_the_environment_wins_over_the_file(elsewhere: Path) -> None:
    (elsewhere / "legacymind.toml").write_text('[system]\nnamespace = "file"\nhome = "h"\n', encoding="utf-8")
    settings = load_settings({"LEGACYMIND_NAMESPACE": "environment"})
    assert (settings.namespace, settings.home) == ("environment", "h")


def test_the_file_may_be_named_and_must_then_exist(elsewhere: Path) -> None:
    named = elsewhere / "other.toml"
    named.write_text('[system]\nnamespace = "named"\n', encoding="utf-8")
    assert load_settings({"LEGACYMIND_CONFIG": str(named)}).namespace == "named"
    assert load_settings({}, named).namespace == "named"
    with pytest.raises(ConfigurationError, match=r"nowhere\.toml"):
        load_settings({"LEGACYMIND_CONFIG": str(elsewhere / "nowhere.toml")})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[system\n", "cannot be read"),
        (b"[system]\nhome = '\xff'\n", "cannot be read"),
        ('namespace = "x"\n', "'namespace' outside a section"),
        ('[system]\nnamespac = "x"\n', r"unknown key \[system\] namespac"),
        ('[runtime]\nnamespace = "x"\n', r"unknown key \[runtime\] namespace"),
        ('[more]\nnamespace = "x"\n', r"unknown key \[more\] namespace"),
        ("[engine]\nbolt_port = 1.5\n", "bolt_port cannot be '1.5'"),
        ("[engine]\nbolt_port = true\n", "bolt_port cannot be 'True'"),
        ('[engine]\nheap_mb = "much"\n', "heap_mb cannot be 'much'"),
        ('[retrieval]\nsubmode_tuning = "perhaps"\n', "submode_tuning cannot be 'perhaps'"),
        ('[retrieval]\nt1 = "high"\n', "t1 cannot be 'high'"),
        ("[retrieval]\nt1 = nan\n", "t1 cannot be 'nan'"),
        ("[runtime]\nquery_timeout = inf\n", "query_timeout cannot be 'inf'"),
        ('[runtime]\ntags = ["plan", "idea"]\n', "tags cannot be"),
        ("[system]\nnamespace = true\n", "namespace cannot be 'True'"),
        ("[system]\nhome = 2026-01-01\n", "home cannot be"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(text: str | bytes, told: str, elsewhere: Path) -> None:
    raw = text if isinstance(text, bytes) else text.encode()
    (elsewhere / "legacymind.toml").write_bytes(raw)
    with pytest.raises(ConfigurationError, match=told) as raised:
        load_settings({})
    assert raised.value.effect
    assert raised.value.hint


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("LEGACYMIND_BOLT_PORT", "seven"),
        ("LEGACYMIND_BOLT_PORT", "7687.5"),
        ("LEGACYMIND_QUERY_TIMEOUT", "soon"),
        ("LEGACYMIND_QUERY_TIMEOUT", "nan"),
        ("LEGACYMIND_INJECT_T1", "inf"),
        ("LEGACYMIND_SUBMODE_RETRIEVAL", "maybe"),
    ],
)
def test_a_variable_that_cannot_be_used_is_named(variable: str, value: str) -> None:
    with pytest.raises(ConfigurationError, match=variable) as raised:
        load_settings({variable: value})
    assert raised.value.hint


def test_a_secret_is_in_no_representation() -> None:
    secrets = {name: f for name, f in FIELDS.items() if f.metadata["secret"]}
    assert "neo4j_password" in secrets
    for name, f in secrets.items():
        settings = load_settings({f.metadata["variable"]: "s3cret"})
        assert getattr(settings, name) == "s3cret"
        assert "s3cret" not in f"{settings!r} {settings}"
    for name in FIELDS:
        assert (name in secrets) == name.endswith(("password", "key", "keys", "token", "secret"))


def test_a_bad_value_of_a_secret_is_not_repeated(elsewhere: Path) -> None:
    (elsewhere / "legacymind.toml").write_text('[system]\nneo4j_password = ["s3cret"]\n', encoding="utf-8")
    with pytest.raises(ConfigurationError, match="neo4j_password") as raised:
        load_settings({})
    assert "s3cret" not in str(raised.value)


def test_settings_cannot_be_changed_after_they_were_read() -> None:
    with pytest.raises(AttributeError):
        cast("Any", Settings()).home = "x"


def test_folders_are_the_users_own_unless_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Settings().home_path.is_absolute()
    assert Settings().cache_path.is_absolute()
    assert Settings(home="~/mind").home_path == tmp_path / "mind"
    assert Settings(cache="/c").cache_path == Path("/c")


def test_the_file_and_the_variables_of_the_think_flows_document_go_by_our_names(elsewhere: Path) -> None:
    (elsewhere / "legacymind.toml").write_text(
        """
        [system]
        embedding_provider = "openai"
        embedding_model = "text-embedding-3-small"
        embedding_dimensions = 1536
        neo4j_uri = "neo4j://localhost:7687"
        neo4j_database = "consciousness"
        namespace = "surreal_mind"
        neo4j_username = "root"
        neo4j_password = "password"

        [runtime]
        openai_api_key = "sk-..."
        verify_topk = 50
        verify_min_sim = 0.60
        verify_evidence_limit = 10
        persist_verification = true

        [retrieval]
        t1 = 0.50
        t2 = 0.60
        t3 = 0.70
        floor = 0.15
        candidates = 500
        submode_tuning = true
        """,
        encoding="utf-8",
    )
    read = load_settings({})
    assert (read.embedding_model, read.embedding_dimensions) == ("text-embedding-3-small", 1536)
    assert (read.verify_topk, read.verify_min_sim, read.verify_evidence_limit) == (50, 0.6, 10)
    assert (read.t1, read.t2, read.t3, read.floor, read.candidates) == (0.5, 0.6, 0.7, 0.15, 500)
    over = load_settings(
        {
            "LEGACYMIND_INJECT_T1": "0.45",
            "LEGACYMIND_INJECT_T2": "0.55",
            "LEGACYMIND_INJECT_T3": "0.75",
            "LEGACYMIND_INJECT_FLOOR": "0.10",
            "LEGACYMIND_KG_CANDIDATES": "1000",
            "LEGACYMIND_SUBMODE_RETRIEVAL": "true",
            "LEGACYMIND_THINK_ENHANCE": "1",
            "LEGACYMIND_EMBED_RPS": "2.0",
            "LEGACYMIND_EMBED_DIM": "384",
            "LEGACYMIND_CACHE_MAX": "5000",
        }
    )
    assert (over.t1, over.t2, over.t3, over.floor, over.candidates) == (0.45, 0.55, 0.75, 0.1, 1000)
    assert (over.submode_tuning, over.think_enhance) == (True, True)
    assert (over.embed_rps, over.embedding_dimensions, over.cache_max) == (2.0, 384, 5000)
