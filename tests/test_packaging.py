"""The wheel is complete: it has queries, seed and schema, and no tests."""

import os
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.limit(600)]

ROOT = Path(__file__).parents[1]
TRAVELLING = ("cypher", "explorer", "graphql", "seed")


def run(*command: str | Path, cwd: Path, **variables: str | Path) -> str:
    """Run a command without this checkout on the path; returns its output."""
    kept = {n: v for n, v in os.environ.items() if not n.startswith(("PYTHON", "LEGACYMIND_", "NEO4J_"))}
    ran = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=kept | {name: str(value) for name, value in variables.items()},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, f"{ran.stdout[-2000:]}\n{ran.stderr[-3000:]}"
    return ran.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built by the installed backend without downloads."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT, cwd=out)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of a new environment with the wheel, which uses this environment's dependencies."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    run(*pip, "install", "--no-deps", "--no-index", "--quiet", wheel, cwd=folder)
    (site,) = folder.glob("lib/python*/site-packages")
    # A .pth file adds a folder without running its .pth files: an editable install of the checkout stays out.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return folder / "bin"


@pytest.fixture(scope="module")
def uv(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str | Path]:
    """Variables with which uv works offline: a tool gets no dependencies, but uses this environment's."""
    folder = tmp_path_factory.mktemp("uv")
    left_out = folder / "left-out.txt"
    required = {re.split(r"[^\w.-]", line)[0] for line in metadata.requires("legacymind") or ()}
    left_out.write_text("".join(f"{name}; python_version < '0'\n" for name in required), encoding="utf-8")
    return {
        "UV_OFFLINE": "1",
        "UV_OVERRIDE": left_out,
        "UV_PYTHON": sys.executable,
        "UV_CACHE_DIR": folder / "cache",
        "UV_TOOL_DIR": folder / "tools",
        "UV_TOOL_BIN_DIR": folder / "bin",
        "PYTHONPATH": sysconfig.get_path("purelib"),
    }


def test_the_wheel_has_the_licence_and_no_tests(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (licence,) = [name for name in names if name.endswith(".dist-info/licenses/LICENSE")]
        assert b"Apache License" in archive.read(licence)
        (described,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        told = archive.read(described).decode()
    assert "License-Expression: Apache-2.0" in told
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"legacymind"}
    assert [
        name
        for name in names
        if "__pycache__" in name or any(part.startswith("test") for part in name.split("/"))
    ] == []
    assert "legacymind/py.typed" in names


def test_the_wheel_has_every_data_file_unchanged(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        carried = {
            name.removeprefix("legacymind/_files/"): archive.read(name)
            for name in archive.namelist()
            if name.startswith("legacymind/_files/")
        }
    here = {
        file.relative_to(ROOT).as_posix(): file.read_bytes()
        for folder in TRAVELLING
        for file in (ROOT / folder).rglob("*")
        if file.is_file()
    }
    assert carried.keys() == here.keys()
    assert carried == here
    assert {name.split("/")[0] for name in carried} >= {"cypher", "seed"}


PROBE = """
import importlib, pkgutil, sys
import legacymind, legacymind.db, legacymind.services
from legacymind import files
from legacymind.db.query import LOADED
assert legacymind.__file__.startswith(sys.prefix), legacymind.__file__
for package in (legacymind.db, legacymind.services):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
print(len(LOADED))
for folder in ("cypher", "explorer", "graphql", "seed"):
    for file in sorted(files.path(folder).rglob("*")):
        if file.is_file():
            file.read_text(encoding="utf-8")
            print(file.relative_to(files.path()).as_posix())
"""


def test_outside_the_checkout_every_query_and_file_loads(installed: Path, tmp_path: Path) -> None:
    count, *found = run(installed / "python", "-c", PROBE, cwd=tmp_path).splitlines()
    here = [
        file.relative_to(ROOT).as_posix()
        for folder in TRAVELLING
        for file in sorted((ROOT / folder).rglob("*"))
        if file.is_file()
    ]
    assert found == here
    assert int(count) == len(
        [
            file
            for file in here
            if file.endswith(".cypher") and not file.startswith(("cypher/browser/", "cypher/_parts/"))
        ]
    )


def test_outside_the_checkout_the_command_runs(installed: Path, tmp_path: Path) -> None:
    told = run(installed / "legacymind", "--help", cwd=tmp_path)
    for command in ("demo", "up", "doctor", "think", "search", "verify", "remember", "import"):
        assert f" {command} " in told
    assert "think" in run(installed / "python", "-m", "legacymind", "think", "--help", cwd=tmp_path)


def test_uv_installs_the_wheel_as_a_tool_and_uvx_runs_it(
    wheel: Path, uv: dict[str, str | Path], tmp_path: Path
) -> None:
    page = (ROOT / "docs" / "begin/install.md").read_text(encoding="utf-8")
    assert "`uv tool install legacymind`" in page
    assert "`uvx legacymind mcp`" in page
    called = (sys.executable, "-m", "uv", "tool")
    run(*called, "install", "--quiet", wheel, cwd=tmp_path, **uv)
    installed = run(Path(uv["UV_TOOL_BIN_DIR"]) / "legacymind", "mcp", "--help", cwd=tmp_path, **uv)
    assert "Serve MCP on standard input and output" in installed
    once = ("run", "--isolated", "--from", wheel, "legacymind", "install", "cursor", "--print")  # uvx
    shown = " ".join(run(*called, *once, cwd=tmp_path, HOME=tmp_path, **uv).split())
    assert f'"--from", "{wheel.as_uri()}", "legacymind", "mcp"' in shown
    assert "archive-v" not in shown
    (tool,) = Path(uv["UV_TOOL_DIR"]).glob("legacymind/lib/python*/site-packages")
    probed = run(tool.parents[2] / "bin" / "python", "-c", PROBE, cwd=tmp_path, **uv)
    assert len(probed.splitlines()) > 1
