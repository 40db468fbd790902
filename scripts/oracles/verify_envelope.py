"""Verifies a DSSE envelope as securesystemslib does.

usage: verify_envelope.py ENVELOPE.intoto.jsonl KEY.pub

KEY.pub is an OpenSSH public key file of an Ed25519 key. Prints the payload when the signature is
good; exits 1 and says why when it is not. Every line of the file must be an envelope.
"""

import base64
import json
import sys

from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey


def public_key(path):
    """The key under the name that the envelope gives it, which is a mere hint."""
    kind, text = open(path, encoding="ascii").read().split()[:2]
    if kind != "ssh-ed25519":
        sys.exit(f"{path}: holds a key of type {kind}")
    raw = base64.b64decode(text)[-32:]
    return lambda keyid: SSlibKey(keyid, "ed25519", "ed25519", {"public": raw.hex()})


def main():
    path, key_path = sys.argv[1:]
    key = public_key(key_path)
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            envelope = Envelope.from_dict(json.loads(line))
            if envelope.payload_type != "application/vnd.in-toto+json":
                sys.exit(f"{path}: payload of type {envelope.payload_type}")
            keyid = next(iter(envelope.signatures), "")
            try:
                envelope.verify([key(keyid)], 1)
            except VerificationError as error:
                sys.exit(f"{path}: {error}")
            print(envelope.payload.decode("utf-8"))


if __name__ == "__main__":
    main()
