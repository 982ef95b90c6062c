"""A signed statement of what was verified, for an auditor: in-toto Statement v1 in a DSSE envelope."""

import base64
import json
from collections.abc import Mapping
from importlib import metadata
from typing import Any, Final

from legacymind.model.chain import Audit
from legacymind.operations.results import camelized
from legacymind.services.chain.signing import SigningKey

_PAYLOAD: Final = "application/vnd.in-toto+json"
_STATEMENT: Final = "https://in-toto.io/Statement/v1"
_PREDICATE: Final = "https://legacymind.example/chain-verification/v1"


def signed(audit: Audit, key: SigningKey) -> Mapping[str, Any]:
    """The envelope. The subjects are the sessions that have a head, each with its hash."""
    statement = {
        "_type": _STATEMENT,
        "subject": [
            {"name": f"{report.namespace}/{report.session_id}", "digest": {"chainHash": report.head_hash}}
            for report in audit.reports
            if report.head_hash is not None
        ],
        "predicateType": _PREDICATE,
        "predicate": {
            "verifier": f"legacymind {metadata.version('legacymind')}",
            "verdict": audit.verdict,
            **camelized(audit),
        },
    }
    payload = json.dumps(statement, ensure_ascii=False).encode()
    encoded = b"DSSEv1 %d %s %d %s" % (len(_PAYLOAD), _PAYLOAD.encode(), len(payload), payload)
    return {
        "payloadType": _PAYLOAD,
        "payload": base64.b64encode(payload).decode(),
        "signatures": [
            {"keyid": key.public.fingerprint, "sig": base64.b64encode(key.sign(encoded)).decode()}
        ],
    }
