"""Lets this environment's torchvision be imported beside a CPU build of torch; does nothing where it can be already.

usage: fit_torchvision.py

PyPI's torchvision is built for CUDA, so its compiled operators cannot be loaded beside a CPU build of torch of the same
version; it goes on without them, but for two that it mentions while it is imported. transformers and open_clip, which
import it, need none: for images they use Pillow. So the two are declared at the end of torchvision/extension.py.
"""
import importlib.util
import subprocess
import sys
from pathlib import Path

DECLARATIONS = '''

# Added by fit_torchvision.py: declared, not defined, where the compiled operators cannot be loaded.
if not _has_ops():
    _declared = torch.library.Library("torchvision", "DEF")
    for _name in ("nms", "qnms"):
        _declared.define(_name + "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
'''


def can_import() -> bool:
    """Whether a new interpreter can import torchvision."""
    return subprocess.run([sys.executable, "-c", "import torchvision"], stderr=subprocess.DEVNULL).returncode == 0


def main() -> None:
    """Declares the operators when torchvision cannot be imported without."""
    if can_import():
        return
    path = Path(importlib.util.find_spec("torchvision").origin).with_name("extension.py")
    text = path.read_text(encoding="utf-8")
    if DECLARATIONS not in text:
        path.write_text(text + DECLARATIONS, encoding="utf-8")
    if not can_import():
        sys.exit("torchvision cannot be imported; is it the version that belongs to this torch?")


if __name__ == "__main__":
    main()
