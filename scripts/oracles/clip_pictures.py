"""Draws the pictures of the CLIP oracles and says what is said of them; imported by make_clip.py.

Smooth, photo-like scenes of many sizes, and every mode that Pillow writes: RGB, gray, palette, alpha, 16 bits, CMYK,
progressive, one bit. Drawn from a seed: the same on every run of one Pillow.
"""
import json
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

# file: (width, height, mode, how it is saved, phrase, sky, ground, shapes); shapes in parts of width and height.
PICTURES = {
    "bottle.jpg": (320, 480, "RGB", {"quality": 90}, "a water bottle", "#dfe8ef", "#8d6b4a", [
        ("rectangle", (.36, .30, .64, .92), "#2f7fc1"), ("rectangle", (.44, .12, .56, .32), "#4aa3e0"),
        ("rectangle", (.36, .52, .64, .70), "#f4f4f4")]),
    "apple.png": (200, 200, "RGB", {}, "a red apple", "#f7f1de", "#c9a76a", [
        ("ellipse", (.20, .25, .80, .88), "#c41e22"), ("polygon", (.50, .28, .66, .08, .72, .20), "#3d8b37")]),
    "sunset.jpg": (640, 360, "RGB", {"quality": 85}, "a sunset over the sea", "#f08030", "#1b2c4f", [
        ("ellipse", (.40, .30, .60, .66), "#ffe27a"), ("rectangle", (.0, .62, 1., 1.), "#25406e")]),
    "boat.png": (333, 251, "RGB", {}, "a boat with a white sail", "#8fc3ea", "#1f5e8c", [
        ("polygon", (.48, .10, .48, .66, .78, .66), "#fbfbf7"),
        ("polygon", (.25, .70, .85, .70, .74, .86, .34, .86), "#7a3b1d")]),
    "house.jpg": (157, 211, "RGB", {"quality": 95, "subsampling": 0}, "a house with a red roof", "#b6d7f2", "#5c9244", [
        ("rectangle", (.20, .45, .80, .90), "#efe3c4"), ("polygon", (.12, .46, .50, .14, .88, .46), "#b5342a"),
        ("rectangle", (.44, .64, .58, .90), "#5a3c22")]),
    "tree.png": (97, 131, "RGB", {}, "a green tree", "#cfe8ff", "#7fae4f", [
        ("rectangle", (.45, .55, .56, .95), "#6b4526"), ("ellipse", (.16, .08, .84, .66), "#2e7d32")]),
    "cup.jpg": (48, 40, "RGB", {"quality": 92}, "a cup of coffee", "#e9dcc9", "#7b5a3a", [
        ("rectangle", (.28, .34, .68, .86), "#ffffff"), ("ellipse", (.28, .24, .68, .44), "#3b2417")]),
    "moon.png": (31, 29, "RGB", {}, "the moon at night", "#0b1030", "#05070f", [
        ("ellipse", (.30, .20, .74, .68), "#f3f0d2")]),
    "road.jpg": (500, 120, "RGB", {"quality": 80}, "a road through the desert", "#a9cfee", "#c79a5b", [
        ("polygon", (.46, .42, .54, .42, .80, 1., .20, 1.), "#474747"),
        ("polygon", (.495, .45, .505, .45, .53, 1., .47, 1.), "#f1e05a")]),
    "tower.png": (90, 400, "RGB", {}, "a stone tower", "#c4d9e8", "#6f7a5c", [
        ("rectangle", (.30, .18, .70, .94), "#8b8378"), ("rectangle", (.42, .34, .58, .44), "#2b2b2b")]),
    "ball.jpg": (224, 224, "RGB", {"quality": 90}, "a football on the grass", "#77b255", "#3f7d2c", [
        ("ellipse", (.30, .34, .72, .76), "#f6f6f6"),
        ("polygon", (.51, .44, .60, .52, .55, .62, .47, .62, .42, .52), "#1d1d1d")]),
    "flower.png": (64, 64, "RGB", {}, "a yellow flower", "#d7efd0", "#4f8a3c", [
        ("ellipse", (.22, .16, .78, .70), "#f5c518"), ("ellipse", (.40, .33, .60, .53), "#7a4a12")]),
    "leaf-gray.png": (150, 110, "L", {}, "a leaf, black and white", "#eeeeee", "#bbbbbb", [
        ("polygon", (.10, .55, .45, .15, .90, .40, .55, .85), "#4d4d4d")]),
    "lamp-gray.jpg": (130, 190, "L", {"quality": 88}, "an old street lamp", "#303030", "#101010", [
        ("ellipse", (.36, .10, .64, .34), "#ffffff"), ("rectangle", (.47, .34, .53, 1.), "#777777")]),
    "fish-palette.png": (180, 120, "P", {}, "an orange fish", "#5fb7d6", "#1f6f8f", [
        ("ellipse", (.20, .28, .72, .74), "#f57c1f"), ("polygon", (.68, .50, .92, .26, .92, .76), "#f5a01f")]),
    "kite-alpha.png": (210, 210, "RGBA", {}, "a kite in the sky", "#9bd0f5", "#eaf6ff", [
        ("polygon", (.50, .10, .78, .42, .50, .80, .22, .42), "#d4307c")]),
    "star-gray-alpha.png": (99, 99, "LA", {}, "a bright star", "#222222", "#080808", [
        ("polygon", (.5, .05, .6, .4, .95, .5, .6, .6, .5, .95, .4, .6, .05, .5, .4, .4), "#f8f8f8")]),
    "book-16bit.png": (160, 140, "I;16", {}, "an open book", "#cccccc", "#666666", [
        ("polygon", (.06, .30, .50, .38, .94, .30, .94, .80, .50, .88, .06, .80), "#fafafa"),
        ("rectangle", (.49, .38, .51, .88), "#333333")]),
    "bird-cmyk.jpg": (240, 180, "CMYK", {"quality": 92}, "a blue bird", "#f0ead6", "#9db57a", [
        ("ellipse", (.28, .34, .70, .72), "#2255aa"), ("polygon", (.66, .46, .84, .52, .66, .58), "#e0a020")]),
    "hill-progressive.jpg": (400, 300, "RGB", {"quality": 82, "progressive": True}, "green hills", "#bfe0ff",
                             "#4c8f3a", [
        ("ellipse", (-.20, .45, .60, 1.4), "#3c7a2f"), ("ellipse", (.40, .55, 1.3, 1.5), "#63a848")]),
    "door-palette-alpha.png": (120, 230, "PA", {}, "a wooden door", "#d8cbb6", "#a08a6c", [
        ("rectangle", (.22, .12, .78, .96), "#6e3f1c"), ("ellipse", (.66, .52, .74, .57), "#e7c64a")]),
    "cloud-1bit.png": (140, 100, "1", {}, "a cloud", "#6fa8dc", "#3d6fa5", [
        ("ellipse", (.15, .35, .60, .80), "#ffffff"), ("ellipse", (.40, .22, .85, .75), "#ffffff")]),
}
# Texts that are no picture's: every length, over-long ones, and what the two libraries clean in different ways.
OTHER_TEXTS = [
    "", "a", "A PHOTO OF A DOG", "a photo of a cat", "two people talking about the weather in front of a shop",
    "a close-up photograph of a bicycle's rusty chain, 1972", "it's what they've said: we'll see, I'm sure you'd go",
    "caf\u00e9 cr\u00e8me \u00e0 Z\u00fcrich", "\u6c34\u74f6 \u6c34\u306e\u30dc\u30c8\u30eb",
    "\U0001f9f4 bottle \u2764\ufe0f",
    "fish &amp; chips &lt;3", "schÃ¶n", "  spaces\tand\n\nlines  ", "<|startoftext|> no special token <|endoftext|> here",
    " ".join(["a very long description of a mountain lake with many, many reflections,"] * 9),
    "word " * 74 + "last", "word " * 75 + "last", "word " * 76 + "last",
]
TEMPLATES = ["a photo of {}", "a drawing of {}", "{} in the distance"]


def texts() -> list[str]:
    """The phrase of every picture, in their order, then every template of the first eight, then the other texts."""
    phrases = [entry[4] for entry in PICTURES.values()]
    return phrases + [template.format(phrase) for phrase in phrases[:8] for template in TEMPLATES] + OTHER_TEXTS


def draw(width: int, height: int, sky: str, ground: str, shapes: list, seed: int) -> Image.Image:
    """A scene: a gradient, shapes with soft edges, and a slow change of brightness over all of it."""
    generator, large = np.random.default_rng(seed), (width * 2, height * 2)
    ramp = Image.linear_gradient("L").resize(large)
    picture = Image.composite(Image.new("RGB", large, ground), Image.new("RGB", large, sky), ramp)
    pen = ImageDraw.Draw(picture)
    for kind, corners, colour in shapes:
        getattr(pen, kind)([part * large[place % 2] for place, part in enumerate(corners)], fill=colour)
    picture = picture.filter(ImageFilter.GaussianBlur(max(1, width / 80)))
    picture = picture.resize((width, height), Image.Resampling.LANCZOS)
    coarse = generator.normal(0, 18, (7, 7, 3)) + generator.normal(0, 10, (7, 7, 1))
    light = np.stack([np.asarray(Image.fromarray(coarse[..., plane].astype(np.float32)).resize(
        (width, height), Image.Resampling.BICUBIC)) for plane in range(3)], axis=-1)
    grain = generator.normal(0, 2, (height, width, 1))
    return Image.fromarray(np.clip(np.asarray(picture) + light + grain, 0, 255).round().astype(np.uint8))


def in_mode(picture: Image.Image, mode: str) -> Image.Image:
    """The picture as `mode`; alpha fades towards the right."""
    fade = Image.linear_gradient("L").rotate(90).resize(picture.size)
    if mode in ("RGBA", "LA"):
        picture = picture.convert(mode[:-1])
        picture.putalpha(fade)
        return picture
    if mode == "I;16":
        gray = np.asarray(picture.convert("L")).astype(np.uint16) * 257
        return Image.fromarray(gray)
    if mode in ("P", "PA"):
        return picture.quantize(64)
    return picture if mode == "RGB" else picture.convert(mode)


def write(folder: Path) -> None:
    """folder/images/… and folder/inputs.jsonl: the images, then the texts."""
    (folder / "images").mkdir(parents=True, exist_ok=True)
    lines = []
    for seed, (name, (width, height, mode, options, _, sky, ground, shapes)) in enumerate(PICTURES.items()):
        if mode == "PA":
            options = {"transparency": 0}
        in_mode(draw(width, height, sky, ground, shapes, seed), mode).save(folder / "images" / name, **options)
        lines.append({"image": f"images/{name}"})
    lines += [{"text": text} for text in texts()]
    (folder / "inputs.jsonl").write_text(
        "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
