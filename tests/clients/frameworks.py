"""Runs the tests of the adapters and of `ogm` with the newest release of each framework, and the oldest.

Run ``python -m tests.clients.frameworks``, or name some of the extras in ``FRAMEWORKS``. Each gets two
environments in ``--packages FOLDER``, a temporary one if it is left out. The oldest release is the lower
bound of the extra in ``pyproject.toml``. All share the engine of
``LEGACYMIND_TEST_HOME``, or one in a temporary home.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]

FRAMEWORKS: Final[Mapping[str, tuple[str, ...]]] = {
    "agent-framework": ("Microsoft Agent Framework",),
    "crewai": ("CrewAI",),
    "google-adk": ("Google ADK",),
    "hermes": ("Hermes Agent",),
    "langchain": ("LangChain", "langchain-tests"),
    "langgraph": ("LangGraph", "deepagents"),
    "llama-index": ("LlamaIndex",),
    "ogm": ("",),
    "openai-agents": ("OpenAI Agents SDK",),
    "pydantic-ai": ("Pydantic AI",),
    "strands": ("Strands Agents",),
}
"""The heading of each extra's example, if it has one, and packages for tests with its newest release."""

_TESTS: Final = ("pytest", "pytest-xdist", "hypothesis")
_OPTIONS: Final = ("-p", "no:asyncio", "-W", "ignore::ResourceWarning")
"""LlamaIndex leaves the connections of its own SQLite open."""
_EXAMPLES: Final = "tests/docs/test_frameworks_for_agents.py::test_an_example_runs_in_at_most_ten_lines"


def bounds(extra: str) -> list[str]:
    """The requirements of an extra, such as ``langgraph>=1.0``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["optional-dependencies"][extra]


def run(*command: str | Path, env: Mapping[str, str] | None = None) -> bool:
    """Run a command in the repository; whether it succeeds."""
    return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode == 0


def attempt(extra: str, folder: Path, env: Mapping[str, str], *, oldest: bool) -> bool:
    """Install a framework beside LegacyMind, and run the tests of its adapter and its example."""
    heading, *packages = FRAMEWORKS[extra]
    python, own = folder / "bin" / "python", extra.replace("-", "_")
    wanted = [each.replace(">=", "==") if oldest else each for each in bounds(extra)]
    beside = () if oldest else packages
    uv = (sys.executable, "-m", "uv")
    example = [f"{_EXAMPLES}[{heading}]"] if heading else []
    files = (*(ROOT / "tests").glob(f"test_{own}.py"), *(ROOT / "tests" / "adapters").glob(f"test_{own}*.py"))
    tests = [str(file) for file in sorted(files)]
    return (
        run(*uv, "venv", "--quiet", "--clear", folder)
        and run(*uv, "pip", "install", "--quiet", "--python", python, "-e", ".", *_TESTS, *beside, *wanted)
        and run(python, "-m", "pytest", "-q", "-rs", *_OPTIONS, *tests, *example, env=env)
    )


def main() -> None:
    """Run all attempts; the exit code is 1 if one fails."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", choices=[[], *FRAMEWORKS], metavar="NAME")
    parser.add_argument("--packages", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        packages: Path = given.packages or Path(temporary)
        home = Path(os.environ.get("LEGACYMIND_TEST_HOME") or Path(temporary) / "home")
        env = os.environ | {"LEGACYMIND_TEST_HOME": str(home), "LEGACYMIND_HOME": str(home)}
        results = {
            f"{name}, {'oldest' if oldest else 'newest'}": attempt(
                name, packages / f"{name}-{'oldest' if oldest else 'newest'}", env, oldest=oldest
            )
            for name in given.names or FRAMEWORKS
            for oldest in (False, True)
        }
        if home.is_relative_to(temporary):
            run(sys.executable, "-m", "legacymind", "down", env=env)
    for name, passed in results.items():
        print(f"{'✓' if passed else '✗'} {name}")
    sys.exit(not all(results.values()))


if __name__ == "__main__":
    main()
