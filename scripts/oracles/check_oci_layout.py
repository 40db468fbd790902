"""Judges an OCI image layout of packages by the rules of the image specification and of ModelPack.

  check_oci_layout.py FOLDER      prints, as JSON, what each tag holds: its files with their digests, its annotations

Nothing of Ingot is used: blobs are read and hashed here, media types are the specification's own words.
"""
import hashlib
import json
import re
import sys
from pathlib import Path

DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
TAG = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}")
INDEX = "application/vnd.oci.image.index.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
MODEL = "application/vnd.cncf.model.manifest.v1+json"
CONFIG = "application/vnd.cncf.model.config.v1+json"
LAYER = re.compile(r"application/vnd\.cncf\.model\.(weight|weight\.config|doc|code|dataset)\.v1\.raw")
FILE = "org.cncf.model.filepath"


def read_blob(folder: Path, descriptor: dict) -> bytes:
    """The bytes of a descriptor, which have its size and digest."""
    digest, size = descriptor["digest"], descriptor["size"]
    assert DIGEST.fullmatch(digest), digest
    content = (folder / "blobs" / "sha256" / digest[7:]).read_bytes()
    assert len(content) == size, f"{digest} has {len(content)} bytes, not {size}"
    assert hashlib.sha256(content).hexdigest() == digest[7:], f"{digest} has other bytes"
    return content


def read_manifest(folder: Path, descriptor: dict, used: set[str]) -> dict:
    """What one entry of the index holds."""
    assert descriptor["mediaType"] == MANIFEST, descriptor
    assert descriptor["artifactType"] == MODEL, descriptor
    manifest = json.loads(read_blob(folder, descriptor))
    assert manifest["schemaVersion"] == 2 and manifest["mediaType"] == MANIFEST
    assert manifest["artifactType"] == MODEL
    assert manifest["config"]["mediaType"] == CONFIG
    config = json.loads(read_blob(folder, manifest["config"]))
    assert set(config) == {"descriptor", "config", "modelfs"}, list(config)
    assert all(isinstance(config["descriptor"].get(key), str) for key in ("name", "version")), config["descriptor"]
    assert isinstance(config["config"], dict)
    assert config["modelfs"]["type"] == "layers"
    # Raw layers are what they hold: the digest of a layer is its diff id.
    assert config["modelfs"]["diffIds"] == [layer["digest"] for layer in manifest["layers"]]
    files = {}
    for layer in manifest["layers"]:
        assert LAYER.fullmatch(layer["mediaType"]), layer["mediaType"]
        read_blob(folder, layer)
        path = layer["annotations"][FILE]
        assert path not in files and not path.startswith("/") and ".." not in path.split("/"), path
        files[path] = {"sha256": layer["digest"][7:], "size": layer["size"], "mediaType": layer["mediaType"]}
    assert list(files) == sorted(files, key=str.encode), "layers are not in the order of their paths"
    used |= {descriptor["digest"], manifest["config"]["digest"]} | {layer["digest"] for layer in manifest["layers"]}
    return {"files": files, "annotations": manifest.get("annotations", {}), "config": config["config"]}


def main(folder: Path) -> None:
    assert json.loads((folder / "oci-layout").read_text()) == {"imageLayoutVersion": "1.0.0"}
    index = json.loads((folder / "index.json").read_text())
    assert index["schemaVersion"] == 2 and index["mediaType"] == INDEX
    tags, used = {}, set()
    for descriptor in index["manifests"]:
        tag = descriptor["annotations"]["org.opencontainers.image.ref.name"]
        assert TAG.fullmatch(tag) and tag not in tags, tag
        tags[tag] = read_manifest(folder, descriptor, used)
    assert list(tags) == sorted(tags), "the index is not in the order of its tags"
    stored = {"sha256:" + path.name for path in (folder / "blobs" / "sha256").iterdir()}
    assert used <= stored
    names = {path.name for path in folder.iterdir()}
    assert names == {"oci-layout", "index.json", "blobs"}, names
    print(json.dumps({"tags": tags, "unused": sorted(stored - used)}))


main(Path(sys.argv[1]))
