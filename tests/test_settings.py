"""The table of settings, the precedence of its sources, and errors about invalid values."""

import json
import os
import re
import traceback
from pathlib import Path
from typing import Any, cast

import pytest
from pydantic import ValidationError

from legacymind import trust
from legacymind.doors.cli.hooks import prompt
from legacymind.errors import ConfigurationError
from legacymind.settings import TABLE, Settings, load_settings
from legacymind.settings.describe import ranges

FIELDS = TABLE
SECTIONS = {"system", "engine", "runtime", "retrieval"}
EMPTY = Path("/dev/null")

# For every setting a valid value other than its default: as TOML, as an environment variable, and as read.
NUMBERS = ("321", "321", 321)
COUNTS = "five whole numbers from 0 to 100, for scales 1 to 5"
WEIGHTS = "four numbers from 0 to 1 and a number of days, for each mode"

SAMPLES: dict[Any, tuple[str, str, Any]] = {
    str: ('"some text"', "some text", "some text"),
    bool: ("false", "no", False),
    **dict.fromkeys(("namespace_fixed", "chain_key_required"), ("true", "yes", True)),
    "prompts": ('"private"', "private", "private"),
    "leave_out": ('"import"', "import", "import"),
    "embedding_provider": ('"openai"', "openai", "openai"),
    "recall": ('"thresholds"', "thresholds", "thresholds"),
    "on_embedder_down": ('"defer"', "defer", "defer"),
    **dict.fromkeys(("thoughts_k", "knowledge_k"), ('"3,3,4,5,6"', "3,3,4,5,6", "3,3,4,5,6")),
    "weights": ('"plan=1,0,0,0,2"', "plan=1,0,0,0,2", "plan=1,0,0,0,2"),
    **dict.fromkeys(("t1", "t2", "t3", "floor", "verify_min_sim"), ("0.125", "0.125", 0.125)),
}


def sample(name: str) -> tuple[str, str, Any]:
    return SAMPLES.get(name) or SAMPLES.get(type(FIELDS[name].default), NUMBERS)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder without a configuration file, which the user trusts."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    trust.trust(folder)
    return folder


def test_a_user_without_a_home_folder_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", dict[int, Any]().__getitem__)
    with pytest.raises(ConfigurationError, match="set HOME, or LEGACYMIND_HOME and _CACHE"):
        Settings()
    assert Settings(home="/memory", cache="/downloads").home_path == Path("/memory")


def test_every_setting_has_a_section_a_variable_of_its_own_and_help() -> None:
    variables = [f.variable for f in FIELDS.values()]
    assert len(set(variables)) == len(variables)
    for f in FIELDS.values():
        assert f.section in SECTIONS
        assert f.help.endswith(".")
        standard = {"NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE"}
        standard |= {"OPENAI_API_KEY", "OPENAI_BASE_URL"}
        assert f.variable.startswith("LEGACYMIND_") or f.variable in standard


def test_without_any_setting_the_defaults_apply() -> None:
    assert load_settings({}) == Settings()
    assert load_settings({"LEGACYMIND_TAGS": "", "NEO4J_URI": ""}) == Settings()


def test_a_variable_that_is_no_setting_is_named_once_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(2):
        load_settings(
            {
                "LEGACYMIND_NAMESPCE": "x",
                "LEGACYMIND_012345678901234567890123456789": "",
                "LEGACYMIND_TEST_X": "x",
            }
        )
    assert caplog.messages == [
        "The variable LEGACYMIND_012345678901234567890123456789 has no effect.",
        "The variable LEGACYMIND_NAMESPCE has no effect. Do you mean LEGACYMIND_NAMESPACE?",
    ]


@pytest.mark.parametrize("blank", ["", " "])
def test_a_blank_namespace_is_an_error(blank: str) -> None:
    with pytest.raises(ConfigurationError, match="`LEGACYMIND_NAMESPACE` must be 1 to 512 bytes of text"):
        load_settings({"LEGACYMIND_NAMESPACE": blank})


@pytest.mark.parametrize("name", FIELDS)
def test_a_setting_comes_from_its_variable(name: str) -> None:
    _, text, value = sample(name)
    settings = load_settings({FIELDS[name].variable: text})
    assert getattr(settings, name) == value
    assert value != FIELDS[name].default


@pytest.mark.parametrize("name", FIELDS)
def test_a_setting_comes_from_its_section_of_the_file(name: str, elsewhere: Path) -> None:
    written, _, value = sample(name)
    file = elsewhere / "legacymind.toml"
    file.write_text(f"[{FIELDS[name].section}]\n{name} = {written}\n", encoding="utf-8")
    assert getattr(load_settings({}), name) == value


def test_the_environment_overrides_the_file(elsewhere: Path) -> None:
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
    ("text", "message"),
    [
        ("[system\n", "cannot be read"),
        (b"[system]\nhome = '\xff'\n", "cannot be read"),
        ('namespace = "x"\n', "`namespace` must be inside a section"),
        ('[system]\nnamespac = "x"\n', "`system.namespac` is not a setting."),
        ('[runtime]\nnamespace = "x"\n', "`runtime.namespace` must be in the section [system]."),
        ('[more]\nnamespace = "x"\n', "`more.namespace` must be in the section [system]."),
        (
            "[engine]\nbolt_port = 1.5\n",
            "`engine.bolt_port` must be a whole number between 0 and 65,535",
        ),
        (
            "[engine]\nbolt_port = true\n",
            "must be a whole number between 0 and 65,535; it is true.",
        ),
        ('[engine]\nheap_mb = "much"\n', "`engine.heap_mb` must be a whole number, 0 or more; it is 'much'."),
        ('[retrieval]\nsubmode_tuning = "perhaps"\n', "must be `true` or `false`; it is 'perhaps'."),
        ('[retrieval]\nt1 = "high"\n', "`retrieval.t1` must be a number between 0 and 1; it is 'high'."),
        ("[retrieval]\nt1 = nan\n", "`retrieval.t1` must be a number between 0 and 1; it is nan."),
        ("[runtime]\nquery_timeout = inf\n", "must be a number greater than 0; it is inf."),
        ('[runtime]\ntags = ["plan", "idea"]\n', '`runtime.tags` must be text; it is ["plan", "idea"].'),
        ("[system]\nneo4j_uri = true\n", "`system.neo4j_uri` must be text; it is true."),
        ('[system]\nneo4j_uri = "a\\u0000b"\n', "`system.neo4j_uri` must be text."),
        ("[system]\nhome = 2026-01-01\n", "`system.home` must be the path of a folder"),
        ('[system]\nhome = "~nobody-at-all/x"\n', "must be the path of a folder; it is '~nobody-at-all/x'."),
        (
            '[system]\nnamespace = ""\n',
            "`system.namespace` must be 1 to 512 bytes of text",
        ),
    ],
)
def test_an_error_about_the_file_names_the_key_and_the_requirement(
    text: str | bytes, message: str, elsewhere: Path
) -> None:
    raw = text if isinstance(text, bytes) else text.encode()
    (elsewhere / "legacymind.toml").write_bytes(raw)
    with pytest.raises(ConfigurationError) as raised:
        load_settings({})
    assert message in raised.value.what
    assert not raised.value.effect  # nothing was written
    assert raised.value.hint


@pytest.mark.parametrize(
    ("name", "value", "requirement"),
    [
        ("LEGACYMIND_BOLT_PORT", "seven", "a whole number between 0 and 65,535"),
        ("LEGACYMIND_BOLT_PORT", "7687.5", "a whole number between 0 and 65,535"),
        ("LEGACYMIND_HTTP_PORT", "65536", "a whole number between 0 and 65,535"),
        ("LEGACYMIND_SERVE_PORT", "-1", "a whole number between 0 and 65,535"),
        ("LEGACYMIND_EMBED_DIM", "4097", "a whole number between 0 and 4,096"),
        ("LEGACYMIND_EMBED_WINDOW", "63", "a whole number, 64 or more"),
        ("LEGACYMIND_KG_CANDIDATES", "0", "a whole number, 1 or more"),
        ("LEGACYMIND_QUERY_TIMEOUT", "soon", "a number greater than 0"),
        ("LEGACYMIND_QUERY_TIMEOUT", "nan", "a number greater than 0"),
        ("LEGACYMIND_QUERY_TIMEOUT", "0", "a number greater than 0"),
        ("LEGACYMIND_RETRY_TIME", "-0.5", "a number, 0 or more"),
        ("LEGACYMIND_INJECT_T1", "inf", "a number between 0 and 1"),
        ("LEGACYMIND_INJECT_FLOOR", "1.01", "a number between 0 and 1"),
        ("LEGACYMIND_VERIFY_MIN_SIM", "-1.01", "a number between -1 and 1"),
        ("LEGACYMIND_RECALL_THOUGHTS", "2,5,8,12", COUNTS),
        ("LEGACYMIND_RECALL_THOUGHTS", "2,5,8,12,101", COUNTS),
        (
            "LEGACYMIND_RECALL_KNOWLEDGE",
            "2,5,8,12,1.5",
            "five whole numbers from 0 to 100, for scales 1 to 5",
        ),
        ("LEGACYMIND_RECALL_WEIGHTS", "plans=1,0,0,0,2", WEIGHTS),
        ("LEGACYMIND_RECALL_WEIGHTS", "plan=1,0,0,0,2; plan=1,0,0,0,2", WEIGHTS),
        ("LEGACYMIND_SUBMODE_RETRIEVAL", "maybe", "`true` or `false`"),
        ("LEGACYMIND_ON_EMBEDDER_DOWN", "shrug", "`error` or `defer`"),
        (
            "LEGACYMIND_EMBEDDING_PROVIDER",
            "telepathy",
            "`minilm`, `e5`, `use`, `minilm+use`, `fastembed` or `openai`",
        ),
        ("LEGACYMIND_NAMESPACE", "two\nlines", "1 to 512 bytes of text without control characters"),
        ("LEGACYMIND_NAMESPACE", "é" * 257, "1 to 512 bytes of text without control characters"),
    ],
)
def test_an_error_about_a_variable_names_it_the_requirement_and_the_value(
    name: str, value: str, requirement: str
) -> None:
    with pytest.raises(ConfigurationError) as raised:
        load_settings({name: value})
    assert raised.value.what == f"`{name}` must be {requirement}; it is {repr(value)[:80]}."
    assert raised.value.hint


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("bolt_port", 0, 65_535), ("t1", 0, 1), ("verify_min_sim", -1, 1), ("embedding_dimensions", 0, 4096)],
)
def test_both_ends_of_a_range_are_valid(name: str, least: float, most: float) -> None:
    own = FIELDS[name].variable
    assert [getattr(load_settings({own: str(end)}), name) for end in (least, most)] == [least, most]


def test_one_error_lists_every_problem_of_the_file_and_the_environment(elsewhere: Path) -> None:
    (elsewhere / "legacymind.toml").write_text(
        "[engine]\nbolt_port = 70000\nheap_mb = -1\n[retrieval]\nt4 = 0.5\n", encoding="utf-8"
    )
    with pytest.raises(ConfigurationError) as raised:
        load_settings({"LEGACYMIND_INJECT_T1": "high", "LEGACYMIND_HEAP_MB": "512"})
    assert raised.value.what == (
        "`retrieval.t4` is not a setting. "
        "`engine.bolt_port` must be a whole number between 0 and 65,535; it is 70000. "
        "`LEGACYMIND_INJECT_T1` must be a number between 0 and 1; it is 'high'."
    )


def test_settings_created_in_python_are_checked_and_do_not_read_the_environment(
    monkeypatch: pytest.MonkeyPatch, elsewhere: Path
) -> None:
    monkeypatch.setenv("LEGACYMIND_NAMESPACE", "environment")
    (elsewhere / "legacymind.toml").write_text('[system]\nnamespace = "file"\n', encoding="utf-8")
    assert Settings().namespace == "default"
    assert Settings(home="h").changed(t1=0.5) == Settings(home="h", t1=0.5)
    with pytest.raises(ConfigurationError, match="`t1` must be a number between 0 and 1; it is 9"):
        Settings(t1=9)
    with pytest.raises(ConfigurationError, match="`on_embedder_down` must be `error` or `defer`"):
        Settings().changed(on_embedder_down="shrug")
    with pytest.raises(ConfigurationError, match="`namespac` is not a setting"):
        cast("Any", Settings)(namespac="x")


def test_every_default_is_valid_and_every_number_and_choice_has_a_range() -> None:
    values: dict[str, Any] = {f.name: f.default for f in FIELDS.values()}
    assert Settings(**values) == Settings()
    free = {name for name, allowed in ranges(Settings).items() if not allowed}
    assert all(isinstance(values[name], str) for name in free)


def test_a_secret_is_in_no_representation() -> None:
    secrets = {name: f for name, f in FIELDS.items() if f.secret}
    assert "neo4j_password" in secrets
    for name, f in secrets.items():
        settings = load_settings({f.variable: "s3cret"})
        assert getattr(settings, name) == "s3cret"
        assert "s3cret" not in f"{settings!r} {settings}"
    for name in FIELDS:
        assert (name in secrets) == name.endswith(("password", "key", "keys", "token", "secret"))


@pytest.mark.parametrize("value", ['["s3cret"]', '"s3cret\\u0000"'])
def test_an_invalid_secret_is_not_quoted(value: str, elsewhere: Path) -> None:
    (elsewhere / "legacymind.toml").write_text(f"[system]\nneo4j_password = {value}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError) as raised:
        load_settings({})
    assert raised.value.what == "`system.neo4j_password` must be text."
    shown = "".join(traceback.format_exception(raised.value))
    assert "s3cret" not in shown


def test_settings_cannot_be_changed_after_they_were_read() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        cast("Any", Settings()).home = "x"


def test_folders_are_those_of_the_user_unless_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Settings().home_path.is_absolute()
    assert Settings().cache_path.is_absolute()
    assert Settings(home="~/mind").home_path == tmp_path / "mind"
    assert Settings(cache="/c").cache_path == Path("/c")


OWNERS = re.compile(
    r"uri|host|origin|port|user|pass|key|token|url|file|path|home|cache|database|provider|model|issuer|resource"
    r"|endpoint|rate|format|timeout|required|persist|embed"
)
"""What a name has that says where something is, who may do what, or what is stored."""


def test_what_a_project_may_set_is_no_place_no_key_and_no_program() -> None:
    allowed = {name for name, f in FIELDS.items() if f.project}
    assert {"namespace", "t1", "recall", "weights"} <= allowed
    assert not {name for name in allowed if OWNERS.search(name)}
    assert not {name for name in allowed if FIELDS[name].secret}
    assert not {name for name in allowed if FIELDS[name].section == "engine"}
    assert allowed >= prompt.OPEN


@pytest.mark.parametrize("name", [name for name in FIELDS if not FIELDS[name].project])
def test_a_project_that_is_not_trusted_sets_nothing_of_the_users(
    name: str, elsewhere: Path, caplog: pytest.LogCaptureFixture
) -> None:
    trust.trust(elsewhere, on=False)
    written, text, value = sample(name)
    section, own = FIELDS[name].section, FIELDS[name].variable
    file = elsewhere / "legacymind.toml"
    file.write_text(
        f'[{section}]\n{name} = {written}\n[retrieval]\nrecall = "thresholds"\n', encoding="utf-8"
    )
    settings = load_settings({})
    assert getattr(settings, name) == FIELDS[name].default
    assert settings.recall == "thresholds"
    assert f"{file} sets what a project may set only if you trust it: {section}.{name}." in caplog.text
    file.unlink()
    entry = elsewhere / ".mcp.json"
    entry.write_text(json.dumps({"mcpServers": {"x": {"env": {own: text}}}}), encoding="utf-8")
    assert getattr(load_settings({own: text}), name) == FIELDS[name].default
    assert f"{entry} sets what a project may set only if you trust it: {own}." in caplog.text
    trust.trust(elsewhere)
    assert getattr(load_settings({own: text}), name) == value


@pytest.mark.parametrize("source", [".env", ".envrc", ".claude/settings.json", "../.vscode/mcp.json"])
def test_a_variable_counts_as_unset_if_a_file_of_the_project_gives_it(source: str, elsewhere: Path) -> None:
    trust.trust(elsewhere, on=False)
    file = elsewhere / source
    file.parent.mkdir(exist_ok=True)
    file.write_text("NEO4J_URI=bolt://elsewhere:7687\nLEGACYMIND_CONFIG=theirs.toml", encoding="utf-8")
    (elsewhere / "theirs.toml").write_text('[system]\nhome = "here"\n', encoding="utf-8")
    given = {"NEO4J_URI": "bolt://elsewhere:7687", "LEGACYMIND_CONFIG": "theirs.toml"}
    settings = load_settings(given)
    assert (settings.neo4j_uri, settings.home) == ("", "")
    # The user's own value is another.
    assert load_settings({"NEO4J_URI": "bolt://mine:7687"}).neo4j_uri == "bolt://mine:7687"


@pytest.mark.parametrize(
    "written",
    [
        '{"env": {"NEO4J_URI": "bolt://\\u0065lsewhere:7687"}}',
        '{"env": {"NEO4J\\u005fURI": "bolt://elsewhere:7687"}}',
        "export NEO4J_URI=bolt://else''where:7687",
        "NEO4J_URI=bolt://$(echo else)where:7687",
        '{"env": {"NEO4J_URI": "bolt://${NONE:-elsewhere}${X}:7687"}}',
    ],
)
def test_no_spelling_of_a_value_makes_it_the_users(written: str, elsewhere: Path) -> None:
    trust.trust(elsewhere, on=False)
    (elsewhere / ".mcp.json").write_text(written, encoding="utf-8")
    assert load_settings({"NEO4J_URI": "bolt://elsewhere:7687"}).neo4j_uri == ""
    (elsewhere / ".mcp.json").write_text('{"env": {"NEO4J_URI": "${NEO4J_URI}"}}', encoding="utf-8")
    assert load_settings({"NEO4J_URI": "bolt://elsewhere:7687"}).neo4j_uri == "bolt://elsewhere:7687"


def test_a_project_does_not_say_where_the_users_folders_are(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trust.trust(elsewhere, on=False)
    given = {"HOME": ".", "XDG_CONFIG_HOME": "theirs", "LEGACYMIND_USER": "1", "NEO4J_URI": "bolt://theirs"}
    (elsewhere / ".claude").mkdir()
    (elsewhere / ".claude/settings.json").write_text(json.dumps({"env": given}), encoding="utf-8")
    (elsewhere / "legacymind.toml").write_text('[system]\nhome = "here"\n', encoding="utf-8")
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    trust.keep_users_own()
    assert not os.environ.keys() & (given.keys() - {"NEO4J_URI"})
    settings = load_settings()
    assert (settings.home, settings.neo4j_uri) == ("", "")


def test_trust_is_for_one_folder_and_ends(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    below = elsewhere / "below"
    below.mkdir()
    (below / "legacymind.toml").write_text('[system]\nhome = "h"\n', encoding="utf-8")
    monkeypatch.chdir(below)
    assert load_settings({}).home == ""
    trust.trust(below)
    assert load_settings({}).home == "h"
    trust.trust(below, on=False)
    assert trust.trusted() == [str(elsewhere)]
    monkeypatch.setenv("HOME", str(below))
    assert load_settings({}).home == "h"  # the user's own folder


SPECIFIED = """
system: embedding_provider embedding_model embedding_dimensions=LEGACYMIND_EMBED_DIM neo4j_uri=NEO4J_URI
  neo4j_database=NEO4J_DATABASE neo4j_username=NEO4J_USERNAME neo4j_password=NEO4J_PASSWORD namespace
runtime: openai_api_key=OPENAI_API_KEY verify_topk verify_min_sim verify_evidence_limit persist_verification
  think_enhance embed_rps cache_max
retrieval: t1=LEGACYMIND_INJECT_T1 t2=LEGACYMIND_INJECT_T2 t3=LEGACYMIND_INJECT_T3
  floor=LEGACYMIND_INJECT_FLOOR candidates=LEGACYMIND_KG_CANDIDATES
  submode_tuning=LEGACYMIND_SUBMODE_RETRIEVAL
"""


def test_the_settings_of_the_specification_have_its_sections_and_variables() -> None:
    section = ""
    for word in SPECIFIED.split():
        if word.endswith(":"):
            section = word.removesuffix(":")
            continue
        name, _, own = word.partition("=")
        assert FIELDS[name].section == section
        assert FIELDS[name].variable == (own or f"LEGACYMIND_{name.upper()}")
