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
        f"a proxy of OpenAI: sk-sp-x.{SECRET}",
        f"gsk_{SECRET}",
        f"hf_{SECRET} and r8_{SECRET}",
        f"ntn_{SECRET}, sbp_{SECRET}, figd_{SECRET}, lin_api_{SECRET}",
        f"dop_v1_{SECRET} shpat_{SECRET} dckr_pat_{SECRET} lsv2_pt_{SECRET}",
        f"xai-{SECRET} pplx-{SECRET} nvapi-{SECRET} tvly-dev-{SECRET} m0-{SECRET} GOCSPX-{SECRET}",
        f"ya29.{SECRET} SG.{SECRET}.{SECRET}",
        f"123456789:AA{SECRET}{SECRET}",
        f"https://hooks.slack.com/services/T00000000/B00000000/{SECRET}",
        f"https://discord.com/api/webhooks/123456789012345678/{SECRET}",
        f"AccountName=acc;AccountKey={SECRET}==",
        f"https://acc.blob.core.windows.net/c?sv=2024&sig={SECRET}%2F",
        f"curl -u admin:{SECRET} https://x",
        f"Cookie: session={SECRET}",
        f"machine x login ada password {SECRET}",
        f'"auth": "{SECRET}"',
        f"passphrase: {SECRET}",
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
        "The secret: never deploy on Friday.",
        "constraint pk_users_organisation_id_fkey is violated",
        "docker run -u 1000:1000 image",
        '{"auth": true, "signature": "v1"}',
    ],
)
def test_other_text_stays(text: str) -> None:
    assert without_secrets(text) == text
