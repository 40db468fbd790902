"""Draws photos with captions for a search over CLIP: FOLDER REFERENCES CALIBRATION.

Writes FOLDER/photos/*.jpg, pairs.jsonl of REFERENCES photos with their captions, and calibration.jsonl of CALIBRATION
other photos and as many captions. Smooth scenes of coloured shapes with noise, from a seed: the same on every run of one
Pillow.
"""
import json
import pathlib
import sys

import numpy
from PIL import Image, ImageDraw, ImageFilter

COLOURS = {
    "red": "#c41e22", "orange": "#f08030", "yellow": "#f5c518", "green": "#3d8b37", "blue": "#2f7fc1",
    "purple": "#7d3c98", "white": "#f6f6f6", "black": "#1d1d1d", "brown": "#7a4a12", "gray": "#8b8378",
}
SHAPES = ("ball", "box", "kite", "tower", "road", "tree")
PLACES = ("on the grass", "by the sea", "at night", "in the snow", "in a room", "under a cloud", "on a table", "far away")


def draw(generator: numpy.random.Generator, path: pathlib.Path) -> str:
    width, height = (int(side) for side in generator.integers(120, 480, 2))
    names = list(COLOURS)
    sky, ground, colour, other = (names[index] for index in generator.choice(len(names), 4, replace=False))
    image = Image.new("RGB", (width, height), COLOURS[sky])
    pen = ImageDraw.Draw(image)
    horizon = generator.uniform(.3, .8) * height
    pen.rectangle((0, horizon, width, height), fill=COLOURS[ground])
    kinds = generator.choice(SHAPES, 2, replace=False)
    for kind, fill in zip(kinds, (colour, other)):
        x, y = generator.uniform(.2, .8) * width, generator.uniform(.2, .8) * height
        w, h = generator.uniform(.05, .3, 2) * (width, height)
        corners = {"kite": [(x, y - h), (x + w, y), (x, y + h), (x - w, y)],
                   "road": [(x - w / 8, horizon), (x + w / 8, horizon), (x + w, height), (x - w, height)],
                   "tree": [(x, y - h), (x + w, y + h), (x - w, y + h)],
                   "tower": [(x - w / 3, y - 2 * h), (x + w / 3, y - 2 * h), (x + w / 3, height), (x - w / 3, height)]}
        if kind == "ball":
            pen.ellipse((x - w, y - h, x + w, y + h), fill=COLOURS[fill])
        elif kind == "box":
            pen.rectangle((x - w, y - h, x + w, y + h), fill=COLOURS[fill])
        else:
            pen.polygon(corners[kind], fill=COLOURS[fill])
    image = image.filter(ImageFilter.GaussianBlur(float(generator.uniform(0, 3))))
    noise = generator.normal(0, generator.uniform(1, 12), (height, width, 3))
    Image.fromarray(numpy.clip(numpy.asarray(image) + noise, 0, 255).astype(numpy.uint8)).save(path, quality=90)
    return f"a {colour} {kinds[0]} and a {other} {kinds[1]} {generator.choice(PLACES)}"


def main(folder: pathlib.Path, references: int, calibration: int) -> None:
    (folder / "photos").mkdir(parents=True, exist_ok=True)
    generator = numpy.random.default_rng(17)
    names = [f"photos/{index:04}.jpg" for index in range(references + calibration)]
    captions = {}
    for name in names:
        # An input that is in both sets proves nothing.
        while (caption := draw(generator, folder / name)) in captions:
            pass
        captions[caption] = name
    rows = [(name, caption) for caption, name in captions.items()]
    with open(folder / "pairs.jsonl", "w") as lines:
        for name, caption in rows[:references]:
            lines.write(json.dumps({"a": {"image": name}, "b": {"text": caption}}) + "\n")
    with open(folder / "calibration.jsonl", "w") as lines:
        for name, caption in rows[references:]:
            lines.write(json.dumps({"image": name}) + "\n")
            lines.write(json.dumps({"text": caption}) + "\n")


main(pathlib.Path(sys.argv[1]), *map(int, sys.argv[2:]))
