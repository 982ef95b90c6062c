"""The commands of chain.md that prove a time, with an authority of our own in place of a remote one."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.docs.pages import DOCS

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="needs OpenSSL")

CONFIGURATION: Final = """
[tsa]
default_tsa = own
[own]
serial = serial
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
[signer]
extendedKeyUsage = critical, timeStamping
"""

AUTHORITY: Final = """
openssl req -x509 -newkey ed25519 -nodes -subj /CN=authority -keyout ca.key -out authority.pem -days 2 \\
  -addext basicConstraints=critical,CA:true
openssl req -newkey rsa:2048 -nodes -subj /CN=signer -keyout signer.key -out signer.csr
openssl x509 -req -in signer.csr -CA authority.pem -CAkey ca.key -out signer.pem -days 2 \\
  -extfile tsa.cnf -extensions signer
"""

ANSWER: Final = (
    "openssl ts -reply -config tsa.cnf -queryfile heads.tsq -signer signer.pem -inkey signer.key -out"
)


def shell(commands: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-euc", commands], cwd=folder, capture_output=True, text=True, check=False)


def test_an_authority_proves_the_time_of_a_file_and_of_no_other(tmp_path: Path) -> None:
    (block,) = re.findall(
        r"```sh\n(openssl ts -query.*?)```", (DOCS / "trust/chain.md").read_text("utf-8"), re.S
    )
    query, asked, *verification = block.splitlines()
    assert asked.startswith("curl ")
    (tmp_path / "tsa.cnf").write_text(CONFIGURATION, encoding="utf-8")
    file = tmp_path / "heads.json"
    file.write_text('{"heads": []}', encoding="utf-8")
    answered = asked.replace(asked.rpartition(">")[0] + ">", ANSWER)
    done = shell("\n".join((AUTHORITY, query, answered, *verification)), tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Verification: OK" in done.stdout
    assert "Time stamp:" in done.stdout
    file.write_text('{"heads": [1]}', encoding="utf-8")
    changed = shell("\n".join(verification), tmp_path)
    assert (changed.returncode, "message imprint mismatch" in changed.stderr) == (1, True)
