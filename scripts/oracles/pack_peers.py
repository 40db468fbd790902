"""Packs unpacked packages again with tar and zstd, and with Python's zipfile, beside Ingot's own time:
pack_peers.py OUTPUT SCRATCH OURS

OUTPUT is a folder of archives, OURS what measure.py said of packing them. The peers get the files unpacked and hash
each archive; they check nothing, sign nothing, and know nothing of manifests. All get as many threads as there are
processors. Prints seconds and ratios.
"""
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

output, scratch, ours = Path(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3])


def files_below(folder: Path) -> list[Path]:
    """Every file of a package, the manifest first."""
    return sorted((path for path in folder.rglob("*") if path.is_file()),
                  key=lambda path: (path.name != "manifest.json", str(path)))


def settle(target: Path) -> None:
    """Makes an archive durable and hashes it, as a release must."""
    with open(target, "rb") as file:
        hashlib.sha256(file.read())
        os.fsync(file.fileno())


def tar_zstd(folder: Path, target: Path) -> Path:
    """GNU tar and zstd -3 in a pipe."""
    names = "\n".join(str(path.relative_to(folder)) for path in files_below(folder))
    subprocess.run(
        ["bash", "-c", 'set -o pipefail; tar -C "$0" --format=ustar --mtime=@0 --owner=0 --group=0 --numeric-owner '
         '-cf - -T - | zstd -q -3 -f -o "$1"', folder, target], input=names.encode(), check=True)
    return target


def python_zip(folder: Path, target: Path) -> Path:
    """zipfile with deflate at its own level."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
        for path in files_below(folder):
            archive.write(path, path.relative_to(folder))
    return target


shutil.rmtree(scratch, ignore_errors=True)
folders = []
for archive in sorted(output.glob("*/*.tar.zst")):
    folder = scratch / "unpacked" / archive.name
    folder.mkdir(parents=True)
    subprocess.run(["tar", "-C", folder, "-xf", archive], check=True)
    folders.append(folder)
target = scratch / "packed"
target.mkdir()
print(f"ingot, from the store, proofs checked, signed  {ours['seconds']:8.3f}")
for name, pack in [("tar | zstd -3", tar_zstd), ("python zipfile", python_zip)]:
    start = time.perf_counter()
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        list(threads.map(lambda folder: settle(pack(folder, target / folder.name)), folders))
    seconds = time.perf_counter() - start
    print(f"{name:<46} {seconds:8.3f}  {name} / ingot: {seconds / ours['seconds']:.2f}")
