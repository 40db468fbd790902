"""Makes images of every kind that is read, and the pixels the references make of them.

usage: images_pillow.py OUT [--seed N] [--count N]

Writes into the folder OUT
  NAME.png, NAME.jpg   the images, made by Pillow, by a PNG writer of this file, and by changing
                       bytes of Pillow's JPEGs where Pillow does not write a kind
  hf.json, …           configurations: preprocessor_config.json by the names hf*, open_clip_config
                       by the names oc*
  expected.safetensors for every configuration and image a uint8 tensor CONFIG/NAME of [3, h, w]:
                       what transformers' CLIPImageProcessor or OpenCLIP's image_transform gives
                       before it rescales and normalises
The same arguments give the same files. --count adds so many images of random kind and size.
"""
import base64
import io
import json
import os
import struct
import sys
import warnings
import zlib

import numpy as np
import torch
from PIL import Image
from safetensors.numpy import save_file

try:
    import torchvision  # noqa: F401
except RuntimeError:
    # PyPI's torchvision does not find its operators in a torch built for CPUs; none is used here.
    _library = torch.library.Library("torchvision", "FRAGMENT")
    _library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    for _name in [name for name in sys.modules if name.split(".")[0] == "torchvision"]:
        del sys.modules[_name]

from open_clip.transform import PreprocessCfg, image_transform_v2  # noqa: E402
from torchvision.transforms import Normalize, ToTensor  # noqa: E402
from transformers import CLIPImageProcessor  # noqa: E402

HUGGING_FACE = {
    "hf": {"size": {"shortest_edge": 224}, "crop_size": {"height": 224, "width": 224},
           "resample": 3, "image_processor_type": "CLIPImageProcessor"},
    "hf-old": {"size": 96, "crop_size": 96, "resample": 3,
               "feature_extractor_type": "CLIPFeatureExtractor"},
    "hf-linear": {"size": {"shortest_edge": 65}, "crop_size": {"height": 50, "width": 65},
                  "resample": 2},
    "hf-lanczos": {"size": {"shortest_edge": 40}, "crop_size": 40, "resample": 1},
    "hf-padding": {"size": {"shortest_edge": 31}, "crop_size": {"height": 64, "width": 45}},
    "hf-squash": {"size": {"height": 48, "width": 33}, "do_center_crop": False},
    "hf-crop": {"do_resize": False, "crop_size": 41},
}
OPEN_CLIP = {
    "oc": (224, {}),
    "oc-small": (37, {"interpolation": "bicubic", "resize_mode": "shortest"}),
    "oc-linear": (64, {"interpolation": "bilinear"}),
    "oc-squash": (56, {"resize_mode": "squash", "interpolation": "bilinear"}),
    "oc-oblong": ([48, 80], {"interpolation": "bilinear"}),
}


# Pictures

def picture(width, height, channels, rng):
    """A smooth picture with edges and some noise, [height, width, channels] uint8."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    planes = []
    for _ in range(channels):
        a, b, c, d = rng.uniform(-0.2, 0.2, 4)
        plane = 127 + 70 * np.sin(a * x + b * y + d * 9) + 50 * np.cos(c * x - d * y)
        plane += 60 * (((x // 7 + y // 5) % 2) * (x > width / 2))
        planes.append(plane + rng.normal(0, 12, plane.shape))
    return np.clip(np.stack(planes, -1), 0, 255).astype(np.uint8)


def png(width, height, bits, color, rows, before=b"", interlaced=False):
    """A PNG of packed rows of bytes; `rows(x0, y0, dx, dy)` gives those of a pass."""
    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
              (0, 1, 1, 2)] if interlaced else [(0, 0, 1, 1)]
    data = b"".join(b"\0" + row for step in passes for row in rows(*step) if row)
    head = struct.pack(">IIBBBBB", width, height, bits, color, 0, 0, int(interlaced))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + before
            + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b""))


def chunk(kind, data):
    """A chunk of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def packed(samples, bits):
    """A function that gives a pass's rows of `samples` [height, width, channels] for `png`."""
    def rows(x0, y0, dx, dy):
        for line in samples[y0::dy, x0::dx]:
            flat = line.reshape(-1).astype(np.uint16)
            if bits == 16:
                yield flat.astype(">u2").tobytes()
            else:
                width = np.unpackbits(flat.astype(np.uint8)[:, None], axis=1)[:, 8 - bits:]
                yield np.packbits(width.reshape(-1)).tobytes()
    return rows


def gray_png(rng, bits, width, height, interlaced=False, channels=1, color=0, before=b""):
    """Samples of any depth as a PNG."""
    samples = picture(width, height, channels, rng).astype(np.uint32)
    if bits == 16:
        samples = samples * 257 + rng.integers(0, 200, samples.shape)
        samples = np.minimum(samples, 65535)
        if color == 0:  # half of them dark, where I;16 is not clipped
            samples[:, : width // 2] //= 256
    else:
        samples >>= 8 - bits
    return png(width, height, bits, color, packed(samples, bits), before, interlaced)


def palette_png(rng, bits, width, height, transparency=b"", colors=None, interlaced=False):
    """A palette PNG; its colours may be fewer than the indices name."""
    count = colors or 1 << bits
    table = rng.integers(0, 256, 3 * count, dtype=np.uint8).tobytes()
    before = chunk(b"PLTE", table) + (chunk(b"tRNS", transparency) if transparency else b"")
    return gray_png(rng, bits, width, height, interlaced, color=3, before=before)


def jpeg(array, mode=None, **options):
    """Pillow's JPEG of an array."""
    out = io.BytesIO()
    image = Image.fromarray(array.squeeze(), mode) if mode else Image.fromarray(array.squeeze())
    image.save(out, "JPEG", **{"quality": 90, **options})
    return out.getvalue()


def without(data, marker):
    """A JPEG without its segments of one marker ahead of the first scan."""
    out, at = data[:2], 2
    while True:
        kind, length = data[at + 1], struct.unpack(">H", data[at + 2:at + 4])[0]
        if kind == 0xDA:
            return out + data[at:]
        if kind != marker:
            out += data[at:at + 2 + length]
        at += 2 + length


def resampled_frame(data, factors, width, height):
    """A JPEG whose luma is said to be sampled otherwise; as many blocks lie in the new frame."""
    at = next(i for i in range(2, len(data)) if data[i] == 0xFF and data[i + 1] in (0xC0, 0xC2))
    out = bytearray(data)
    out[at + 5:at + 9] = struct.pack(">HH", height, width)
    out[at + 11] = factors
    return bytes(out)


def with_transform(data, transform):
    """A JPEG whose Adobe marker says another colour transform."""
    at = data.index(b"Adobe")
    return data[:at + 11] + bytes([transform]) + data[at + 12:]


# 24 x 16 pixels, arithmetic coding, sequential and progressive, made with libjpeg-turbo 2.1.5.
ARITHMETIC = (
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYW"
    "ICwgIyYnKSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgo"
    "KCgoKCgoKCgoKCgoKCgoKCgoKCj/yQARCAAQABgDASIAAhEBAxEB/8wACgAQEAUBEBEF/9oADAMBAAIRAxEAPwD/ANI3"
    "Y8N5ONgJMUL5m1oD4r5Yv0gO/kJoBqluGHC/AXXd8O69kcXLbKNBSOK5ZLvzhTiuuVtylxdd6mP7KemJN3LQQhqVqnWP"
    "pPKbcWYgc2aGU+L/2Q==")
ARITHMETIC_PROGRESSIVE = (
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYW"
    "ICwgIyYnKSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgo"
    "KCgoKCgoKCgoKCgoKCgoKCgoKCj/ygARCAAQABgDASIAAhEBAxEB/8wABgAQARD/2gAMAwEAAhADEAAAAf8ApFyBKeay"
    "EFH5eXR8YP/MAAQQBf/aAAgBAQABBQIYGvbMPAQEtLD/zAAEEQX/2gAIAQMBAT8BFfZ+Pl27QZL/zAAEEQX/2gAIAQIB"
    "AT8BQ2xSsOqMJXGPls4D0v/MAAQQBf/aAAgBAQAGPwLA/8wABBAF/9oACAEBAAE/IdNAXdD/2gAMAwEAAgADAAAAEM9w"
    "/8wABBEF/9oACAEDAQE/EDmVPP/MAAQRBf/aAAgBAgEBPxCmScmbK+Aej95cgjufEP/MAAQQBf/aAAgBAQABPxBUkt2a"
    "jlKY1LbYQP/Z")


def animation(rng, default):
    """An animated PNG whose first picture is a frame, or stands for viewers that show no frames."""
    frames = [Image.fromarray(picture(50, 40, 3, rng)) for _ in range(3)]
    out = io.BytesIO()
    frames[0].save(out, "PNG", save_all=True, append_images=frames[1:], default_image=default)
    return out.getvalue()


def rotated(rng):
    """A JPEG whose EXIF data ask for a turn, which the references do not make."""
    exif = Image.Exif()
    exif[0x0112] = 6
    return jpeg(picture(90, 60, 3, rng), exif=exif)


def images(rng):
    """Name and bytes of every image."""
    for bits in (1, 2, 4, 8, 16):
        yield f"gray{bits}.png", gray_png(rng, bits, 83, 61)
    for bits in (1, 2, 4, 8):
        yield f"palette{bits}.png", palette_png(rng, bits, 70, 91)
    yield "palette8-alpha.png", palette_png(rng, 8, 91, 70, bytes(range(256)))
    yield "palette4-clear.png", palette_png(rng, 4, 45, 52, b"\xff\0\xff")
    yield "palette8-short.png", palette_png(rng, 8, 45, 52, colors=100)
    yield "gray8-clear.png", gray_png(rng, 8, 60, 44, before=chunk(b"tRNS", b"\0\x20"))
    yield "gray-alpha8.png", gray_png(rng, 8, 120, 77, channels=2, color=4)
    yield "gray-alpha16.png", gray_png(rng, 16, 77, 120, channels=2, color=4)
    yield "rgb8.png", gray_png(rng, 8, 301, 203, channels=3, color=2)
    yield "rgb8-clear.png", gray_png(
        rng, 8, 50, 50, channels=3, color=2, before=chunk(b"tRNS", b"\0\1\0\2\0\3"))
    yield "rgb16.png", gray_png(rng, 16, 130, 250, channels=3, color=2)
    yield "rgba8.png", gray_png(rng, 8, 150, 111, channels=4, color=6)
    yield "rgba16.png", gray_png(rng, 16, 111, 150, channels=4, color=6)
    yield "rgba8-exact.png", gray_png(rng, 8, 224, 224, channels=4, color=6)
    for bits in (1, 4, 8, 16):
        yield f"interlaced-gray{bits}.png", gray_png(rng, bits, 45, 67, True)
    yield "interlaced-palette2.png", palette_png(rng, 2, 67, 45, interlaced=True)
    yield "interlaced-rgb8.png", gray_png(rng, 8, 67, 45, True, channels=3, color=2)
    yield "interlaced-rgba16.png", gray_png(rng, 16, 33, 45, True, channels=4, color=6)
    yield "interlaced-tiny.png", gray_png(rng, 8, 2, 5, True, channels=3, color=2)
    yield "one-pixel.png", gray_png(rng, 8, 2, 2, channels=3, color=2)
    yield "wide.png", gray_png(rng, 8, 900, 5, channels=3, color=2)
    yield "tall.png", gray_png(rng, 8, 5, 700, channels=3, color=2)
    yield "animated.png", animation(rng, False)
    yield "animated-default.png", animation(rng, True)
    yield "gray.jpg", jpeg(picture(201, 155, 1, rng))
    color = picture(333, 250, 3, rng)
    for name, sampling in (("444", 0), ("422", 1), ("420", 2)):
        yield f"ycc{name}.jpg", jpeg(color, subsampling=sampling)
        yield f"ycc{name}-progressive.jpg", jpeg(color, subsampling=sampling, progressive=True)
    # Two blocks of luma side by side become two on top of each other, or four in a row.
    yield "ycc440.jpg", resampled_frame(jpeg(color, subsampling=1), 0x12, 250, 333)
    yield "ycc411.jpg", resampled_frame(jpeg(color, subsampling=2), 0x41, 640, 125)
    yield "ycc420-odd.jpg", jpeg(picture(61, 45, 3, rng), subsampling=2, quality=40)
    yield "restarts.jpg", jpeg(color, restart_marker_blocks=3)
    yield "restarts-progressive.jpg", jpeg(color, restart_marker_rows=1, progressive=True)
    yield "rgb.jpg", jpeg(color, keep_rgb=True)
    yield "rgb-unmarked.jpg", without(jpeg(color, keep_rgb=True), 0xEE)
    yield "ycc-unmarked.jpg", without(jpeg(color), 0xE0)
    inks = picture(140, 101, 4, rng)
    cmyk = jpeg(inks, "CMYK")
    yield "cmyk.jpg", cmyk
    yield "cmyk-unmarked.jpg", without(cmyk, 0xEE)
    yield "cmyk-progressive.jpg", jpeg(inks, "CMYK", progressive=True)
    yield "ycck.jpg", with_transform(cmyk, 2)
    yield "arithmetic.jpg", base64.b64decode(ARITHMETIC)
    yield "arithmetic-progressive.jpg", base64.b64decode(ARITHMETIC_PROGRESSIVE)
    yield "rotated.jpg", rotated(rng)
    yield "large.jpg", jpeg(picture(1500, 1100, 3, rng))
    yield "jpeg-named.png", jpeg(color)


def random_images(rng, count):
    """Images of random kind and size."""
    kinds = [(1, 1, 0), (8, 1, 0), (16, 1, 0), (8, 2, 4), (8, 3, 2), (8, 4, 6), (16, 4, 6)]
    for index in range(count):
        width, height = (int(2 ** rng.uniform(2, 8.5)) for _ in range(2))
        height += height == 3
        if index % 3 == 2:
            yield f"random{index}.jpg", jpeg(
                picture(width, height, (1, 3)[index % 2], rng), quality=int(rng.integers(5, 100)),
                subsampling=int(rng.integers(0, 3)), progressive=bool(rng.integers(0, 2)))
        else:
            bits, channels, color = kinds[int(rng.integers(0, len(kinds)))]
            yield f"random{index}.png", gray_png(
                rng, bits, width, height, bool(rng.integers(0, 2)), channels, color)


# What the references make of them

def hugging_face(options):
    """A function from a Pillow image to [3, h, w] uint8."""
    processor = CLIPImageProcessor(**{**options, "do_rescale": False, "do_normalize": False})
    return lambda image: np.asarray(processor(images=image)["pixel_values"][0])


def open_clip(size, options):
    """The same with OpenCLIP's own transforms, all but the last two."""
    whole = image_transform_v2(PreprocessCfg(size=size, **options), is_train=False)
    steps = [step for step in whole.transforms
             if not isinstance(step, (Normalize, ToTensor))]

    def run(image):
        for step in steps:
            image = step(image)
        return np.asarray(image).transpose(2, 0, 1)
    return run


def main(folder, seed, count):
    """Writes everything."""
    warnings.simplefilter("ignore")
    os.makedirs(folder, exist_ok=True)
    processors = {}
    for name, options in HUGGING_FACE.items():
        processors[name] = hugging_face(options)
        write(folder, f"{name}.json", json.dumps(options).encode())
    for name, (size, options) in OPEN_CLIP.items():
        processors[name] = open_clip(size, options)
        config = {"model_cfg": {"vision_cfg": {"image_size": size}}, "preprocess_cfg": options}
        write(folder, f"{name}.json", json.dumps(config).encode())
    expected = {}
    rng = np.random.default_rng(seed)
    for name, data in [*images(rng), *random_images(rng, count)]:
        write(folder, name, data)
        for config, process in processors.items():
            with Image.open(io.BytesIO(data)) as image:
                pixels = process(image)
            expected[f"{config}/{name}"] = np.ascontiguousarray(pixels.astype(np.uint8))
    save_file(expected, os.path.join(folder, "expected.safetensors"))


def write(folder, name, data):
    """Writes one file."""
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if not arguments or len(arguments) % 2 == 0:
        sys.exit(__doc__)
    flags = dict(zip(arguments[1::2], arguments[2::2]))
    main(arguments[0], int(flags.pop("--seed", "7")), int(flags.pop("--count", "0")))
