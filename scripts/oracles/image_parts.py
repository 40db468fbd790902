"""What the families of make_image_encoders.py share: pictures, levels of pixels, and the library's vectors."""
import functools
import json
import tempfile
from pathlib import Path

from encoder_parts import fill, texts  # first: it keeps the libraries off the network

import clip_pictures
import numpy as np
from PIL import Image

# One large picture is made smaller, so that all of them are small in the repository.
SMALLER = {"boat.png": (222, 167)}


def write_pictures(folder: Path) -> None:
    """folder/NAME for every picture of clip_pictures."""
    with tempfile.TemporaryDirectory() as place:
        clip_pictures.write(Path(place))
        for name in clip_pictures.PICTURES:
            image = Image.open(Path(place) / "images" / name)
            if name in SMALLER:
                image.resize(SMALLER[name]).save(folder / name)
            else:
                (folder / name).write_bytes((Path(place) / "images" / name).read_bytes())


@functools.cache
def pictures() -> list[Image.Image]:
    """The pictures as the fixtures have them."""
    found = []
    with tempfile.TemporaryDirectory() as place:
        write_pictures(Path(place))
        for name in clip_pictures.PICTURES:
            image = Image.open(Path(place) / name)
            image.load()
            found.append(image)
    return found


def rgb(picture: Image.Image) -> Image.Image:
    """The picture without opacity, which transformers 4 drops and 5 puts on white where a processor converts pictures itself."""
    return Image.fromarray(np.asarray(picture.convert("RGB")))


def crops(transform, images: list[Image.Image]) -> np.ndarray:
    """Levels that a transform of torchvision has before it makes a tensor: uint8 [pictures, 3, height, width]."""
    rows = []
    for image in images:
        for step in transform.transforms:
            if type(step).__name__ in ("MaybeToTensor", "ToTensor"):
                break
            image = step(image)
        rows.append(np.asarray(image).transpose(2, 0, 1))
    return np.stack(rows)


def train(module, pixels) -> None:
    """Gives the norms of a convolutional network random gains and shifts, and the means and variances that pictures have in them."""
    import torch
    from torch.nn.modules.batchnorm import _BatchNorm

    norms = [part for part in module.modules() if isinstance(part, _BatchNorm)]
    with torch.no_grad():
        for norm in norms:
            norm.momentum = 1.0
            norm.weight.copy_(1 + torch.randn(norm.weight.shape) * 0.2)
            norm.bias.copy_(torch.randn(norm.bias.shape) * 0.2)
        module.train()(pixels)
        for norm in norms:
            norm.running_var.clamp_(min=0.05)
    module.eval()


# Models of transformers.

def save_model(folder: Path, model, processor, dtype: str = "float32", number: int = 0, spread: float = 0.3,
               old_file: bool = False, **options) -> None:
    """A model of random weights with what prepares its images, as save_pretrained writes them.

    old_file: preprocessor_config.json instead of what transformers 5 writes.
    """
    import torch

    fill(model, number, spread)
    model.eval().to(getattr(torch, dtype)).save_pretrained(folder, **options)
    processor.save_pretrained(folder)
    wrapped = folder / "processor_config.json"
    if old_file and wrapped.exists():
        settings = json.loads(wrapped.read_text())["image_processor"]
        wrapped.unlink()
        (folder / "preprocessor_config.json").write_text(json.dumps(settings, indent=2) + "\n")


def pillow_processor(folder: Path):
    """The library's own processor of a folder, as it resizes with Pillow."""
    from transformers import AutoImageProcessor

    return AutoImageProcessor.from_pretrained(folder, backend="pil")


def levels(folder: Path) -> np.ndarray:
    """The picture levels that the library's processor makes before it scales them: uint8 [pictures, 3, height, width]."""
    processor = pillow_processor(folder)
    rows = [processor(rgb(picture), do_rescale=False, do_normalize=False)["pixel_values"][0]
            for picture in pictures()]
    rows = np.stack([np.asarray(row) for row in rows])
    assert (rows == rows.astype(np.uint8)).all()
    return rows.astype(np.uint8)


def pixel_values(folder: Path):
    """The library's input of the model: float32 [pictures, 3, height, width]."""
    import torch

    processor = pillow_processor(folder)
    return torch.from_numpy(np.stack([np.asarray(processor(rgb(picture))["pixel_values"][0], np.float32)
                                      for picture in pictures()]))


@functools.cache
def judge(folder: Path):
    """The model as transformers' AutoModel loads it, in float32."""
    import torch
    from transformers import AutoModel

    return AutoModel.from_pretrained(folder, dtype=torch.float32).eval()


def pooler_output(folder: Path) -> np.ndarray:
    """`pooler_output` of every picture: float32 [pictures, width]."""
    import torch

    with torch.no_grad():
        return judge(folder)(pixel_values=pixel_values(folder)).pooler_output.numpy()
