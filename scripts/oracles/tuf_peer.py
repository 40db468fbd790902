"""python-tuf as the other side of an update repository.

  update ROOT METADATA_URL TARGETS_URL TARGET   updates as a device does, and prints the target's SHA-256
  write FOLDER APP TARGET FILE CUSTOM           writes the metadata of APP below FOLDER for one target, whose bytes are in
                                                FILE, with CUSTOM (JSON); prints nothing
"""
import hashlib
import json
import pathlib
import sys
import tempfile
from datetime import UTC, datetime, timedelta

from securesystemslib.signer import CryptoSigner
from tuf.api.metadata import Metadata, MetaFile, Root, Snapshot, TargetFile, Targets, Timestamp
from tuf.ngclient import Updater


def update(root: str, metadata_url: str, targets_url: str, name: str) -> None:
    with tempfile.TemporaryDirectory() as own:
        updater = Updater(own, metadata_url, own, targets_url, bootstrap=pathlib.Path(root).read_bytes())
        target = updater.get_targetinfo(name)
        if target is None:
            sys.exit(f"{name} is not listed")
        content = pathlib.Path(updater.download_target(target, own + "/target")).read_bytes()
    print(hashlib.sha256(content).hexdigest())


def write(folder: str, app: str, name: str, path: str, custom: str) -> None:
    """Keys of ECDSA for the root and of Ed25519 for the rest."""
    metadata = pathlib.Path(folder) / "apps" / app / "metadata"
    metadata.mkdir(parents=True)
    signers = {"root": CryptoSigner.generate_ecdsa(), "timestamp": CryptoSigner.generate_ed25519(),
               "snapshot": CryptoSigner.generate_ed25519(), "targets": CryptoSigner.generate_ed25519()}
    expires = datetime.now(UTC).replace(microsecond=0) + timedelta(days=10)
    mark = {"x-app-id": app}

    root = Root(expires=expires, unrecognized_fields=mark)
    for role, signer in signers.items():
        root.add_key(signer.public_key, role)
    target = TargetFile.from_file(name, path)
    target.unrecognized_fields["custom"] = json.loads(custom)
    targets = Targets(expires=expires, targets={name: target}, unrecognized_fields=mark)
    snapshot = Snapshot(expires=expires, meta={"targets.json": MetaFile(1)}, unrecognized_fields=mark)
    timestamp = Timestamp(expires=expires, snapshot_meta=MetaFile(1), unrecognized_fields=mark)

    names = {"root": "1.root.json", "targets": "1.targets.json", "snapshot": "1.snapshot.json", "timestamp": "timestamp.json"}
    for role, signed in [("root", root), ("targets", targets), ("snapshot", snapshot), ("timestamp", timestamp)]:
        file = Metadata(signed)
        file.sign(signers[role])
        file.to_file(str(metadata / names[role]))

    digest = target.hashes["sha256"]
    place = pathlib.Path(folder) / "apps" / app / "targets" / pathlib.Path(name).parent
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{digest}.{pathlib.Path(name).name}").write_bytes(pathlib.Path(path).read_bytes())


{"update": update, "write": write}[sys.argv[1]](*sys.argv[2:])
