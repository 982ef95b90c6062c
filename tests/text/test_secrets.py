"""Keys, tokens and passwords are removed from a text, and everything else stays."""

import pytest

from legacymind.text.secrets import HIDDEN, without_secrets

SECRET = "hunter2hunter2hunter2"


@pytest.mark.parametrize(
    "text",
    [
        f"curl -H 'Authorization: Bearer {SECRET}' https://api.example.com",
        f"DB_PASSWORD={SECRET} psql",
        f'{{"apiKey": "{SECRET}", "port": 5432}}',
        f"deploy --token {SECRET} --region eu",
        f"psql postgres://admin:{SECRET}@db.example.com/app",
        f"key sk-ant-{SECRET} refused",
        f"git clone https://ghp_{SECRET}@github.com/o/r",
        f"-----BEGIN RSA PRIVATE KEY-----\n{SECRET}\n-----END RSA PRIVATE KEY-----",
        f"eyJhbGciOiJIUzI1NiJ9.{SECRET}.{SECRET}",
    ],
)
def test_secrets_in_known_forms_are_removed(text: str) -> None:
    hidden = without_secrets(text)
    assert SECRET not in hidden
    assert HIDDEN in hidden
    assert without_secrets(hidden) == hidden


@pytest.mark.parametrize(
    "text",
    [
        "KeyError: 'token' in line 12 of auth.py",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 fails",
        "http://localhost:8787/mcp answers 500; the secret is missing",
        "no password was given to psql --host db",
        "sk-learn 1.5 is too old",
    ],
)
def test_other_text_stays(text: str) -> None:
    assert without_secrets(text) == text
