"""The text of the verdicts on many chains, after a restoration or an import."""

from legacymind.doors.cli import output
from legacymind.model.chain import Survey
from legacymind.text.numbers import counted


def report(survey: Survey) -> None:
    """Print the chains that are not intact, and the counts."""
    for chain in survey.faulty:
        output.message(f"✗ {chain.namespace}, {chain.session_id}: {chain.message}")
    verified = f"{counted(survey.sessions, 'session')}, {counted(survey.thoughts, 'thought')}"
    output.message(f"{verified}: {survey.intact} intact, {survey.sessions - survey.intact} not.")
