"""Whether a stored text states a hypothesis."""

import pytest

from legacymind.text.claims.contradiction import contradiction_regex
from legacymind.text.claims.stance import Stance, stance


@pytest.mark.parametrize(
    ("hypothesis", "text", "expected"),
    [
        ("Hydra runs Airflow 2.9", "Hydra runs Airflow 2.9.", "supports"),
        ("Hydra runs Airflow 2.9", "Since May, Hydra runs Airflow 2.9 on Kubernetes.", "supports"),
        ("Hydra runs Airflow 2.9", "Hydra's Airflow version is 3.1", "contradicts"),
        ("Hydra runs Airflow 2.9", "Hydra runs Airflow 3.1", "contradicts"),
        ("Hydra runs Airflow 2.9", "Hydra does not run Airflow 2.9", "contradicts"),
        ("Hydra runs Airflow 2.9", "Hydra's Slack channel is #hydra", "related"),
        ("Hydra runs Airflow 2.9", "Medusa's Airflow version is 3.1", "related"),
        ("Hydra runs Airflow 2.9", "Hydra: a data platform that schedules 2.9 million jobs", "related"),
        ("The lead of Hydra is Ada", "Hydra's lead is Bob", "contradicts"),
        ("The lead of Hydra is Ada", "Hydra's lead is Ada", "supports"),
        ("The build takes 10 minutes", "The build takes 25 minutes on CI.", "contradicts"),
        ("The build takes 10 minutes", "The build server has 25 cores.", "related"),
        ("The cache is enabled", "The cache is disabled", "contradicts"),
        ("The API is not rate limited", "The API is not rate limited", "supports"),
        ("The API is not rate limited", "The API is rate limited", "contradicts"),
        ("Deploys are safe on Fridays", "Ada never works on Fridays", "related"),
    ],
)
def test_only_a_text_about_the_same_statement_is_evidence(
    hypothesis: str, text: str, expected: Stance
) -> None:
    assert stance(hypothesis, text, contradiction_regex()) == expected
