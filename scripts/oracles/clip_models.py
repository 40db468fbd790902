"""Random CLIP models of both libraries behind one interface, and the weights they get; imported by make_clip.py."""
import json
from pathlib import Path

import numpy as np
import open_clip
import torch
from PIL import Image
from safetensors.torch import load_file, save_file
from transformers import CLIPConfig, CLIPImageProcessor, CLIPModel

from clip_vocabulary import tokenizer


class HuggingFace:
    """A model of transformers with its own processors."""

    def __init__(self, settings: dict):
        self.buffers = settings.get("buffers")
        config = {key: value for key, value in settings.items() if key not in ("image", "buffers", "like")}
        self.model = CLIPModel(CLIPConfig(**config)).eval()
        self.images, self.tokenizer = CLIPImageProcessor(**settings["image"]), tokenizer()
        self.legacy_sizes = settings["image"] if isinstance(settings["image"]["size"], int) else {}
        self.context = self.model.config.text_config.max_position_embeddings
        self.last_biases = [self.model.vision_model.post_layernorm.bias, self.model.text_model.final_layer_norm.bias]

    def crops(self, images: list[Image.Image]) -> np.ndarray:
        return np.stack(self.images(images, do_rescale=False, do_normalize=False).pixel_values)

    def pixel_values(self, images: list[Image.Image]) -> np.ndarray:
        return np.stack(self.images(images).pixel_values)

    def ids(self, texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
        found = self.tokenizer(texts, padding="max_length", truncation=True, max_length=self.context)
        return np.array(found.input_ids), np.array(found.attention_mask).sum(axis=1)

    def encode_image(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.model.get_image_features(pixel_values=pixels)

    def encode_text(self, ids: torch.Tensor) -> torch.Tensor:
        return self.model.get_text_features(input_ids=ids)

    def pooled_image(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.model.vision_model(pixel_values=pixels).pooler_output

    def pooled_text(self, ids: torch.Tensor) -> torch.Tensor:
        return self.model.text_model(input_ids=ids).pooler_output

    def text_projection(self) -> torch.Tensor:
        """A view of the weight: [width, dimensions]."""
        return self.model.text_projection.weight.T

    def save(self, folder: Path) -> None:
        self.model.save_pretrained(folder, safe_serialization=True)
        self.images.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)
        if self.legacy_sizes:  # older repositories say a number where newer ones say what of
            path = folder / "preprocessor_config.json"
            path.write_text(json.dumps({**json.loads(path.read_text()), **self.legacy_sizes}, indent=2) + "\n")
        if self.buffers:  # as openai's own checkpoints have them
            tensors = load_file(folder / "model.safetensors")
            positions = self.model.vision_model.embeddings.num_positions
            for tower, count in (("text_model", self.context), ("vision_model", positions)):
                tensors[f"{tower}.embeddings.position_ids"] = torch.arange(count).reshape(1, -1)
            save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})


class OpenCLIP:
    """A model of open_clip with its own transform and tokenizer."""

    def __init__(self, settings: dict):
        self.config = {key: settings[key] for key in ("model_cfg", "preprocess_cfg")}
        self.buffers = settings.get("buffers")
        arguments = {key: value for key, value in settings["model_cfg"].items() if key != "custom_text"}
        custom = settings["model_cfg"].get("custom_text")
        self.model = (open_clip.CustomTextCLIP if custom else open_clip.CLIP)(**arguments).eval()
        self.text = self.model.text if custom else self.model
        self.tokenizer = open_clip.SimpleTokenizer(context_length=self.model.context_length)
        # As the library merges it: what the file does not say is the default.
        options = {"interpolation": "bicubic", "resize_mode": "shortest", **settings["preprocess_cfg"]}
        self.transform = open_clip.image_transform(self.model.visual.image_size, is_train=False, **options)
        self.last_biases = [self.model.visual.ln_post.bias, self.text.ln_final.bias]

    def crops(self, images: list[Image.Image]) -> np.ndarray:
        results = []
        for image in images:
            for step in self.transform.transforms:
                if type(step).__name__ in ("MaybeToTensor", "ToTensor"):
                    break
                image = step(image)
            results.append(np.asarray(image).transpose(2, 0, 1))
        return np.stack(results)

    def pixel_values(self, images: list[Image.Image]) -> np.ndarray:
        return np.stack([self.transform(image).numpy() for image in images])

    def ids(self, texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
        ids = self.tokenizer(texts).numpy()
        return ids, (ids == self.tokenizer.eot_token_id).argmax(axis=1) + 1

    def encode_image(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.model.encode_image(pixels)

    def encode_text(self, ids: torch.Tensor) -> torch.Tensor:
        return self.model.encode_text(ids)

    def pooled_image(self, pixels: torch.Tensor) -> torch.Tensor:
        visual = self.model.visual
        projection, visual.proj = visual.proj, None
        result, visual.proj = visual(pixels), projection
        return result

    def pooled_text(self, ids: torch.Tensor) -> torch.Tensor:
        projection, self.text.text_projection = self.text.text_projection, None
        result, self.text.text_projection = self.model.encode_text(ids), projection
        return result

    def text_projection(self) -> torch.Tensor:
        """The weight: [width, dimensions]."""
        return self.text.text_projection

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        (folder / "open_clip_config.json").write_text(json.dumps(self.config, indent=2) + "\n")
        tensors = self.model.state_dict()
        if self.buffers:  # as checkpoints of before the mask was left out have it
            tensors["attn_mask"] = self.text.attn_mask
        save_file(tensors, folder / "open_clip_model.safetensors", metadata={"format": "pt"})
        tokenizer().save_pretrained(folder)


def randomise(model: torch.nn.Module, seed: int) -> None:
    """Weights by numpy's generator in the order of the model's names, so wide that inputs differ in the result."""
    generator = np.random.default_rng(seed)
    for name, parameter in model.named_parameters():
        if name == "logit_scale":
            continue
        value = generator.standard_normal(tuple(parameter.shape), dtype=np.float32)
        if parameter.ndim < 2:
            gain = "norm" in name or "ln_" in name
            value = 1 + value * 0.2 if gain and name.endswith("weight") else value * 0.05
        elif "token_embedding" in name:
            value *= 0.6
        elif "position" in name:
            value *= 0.2
        elif name.endswith(("proj", "text_projection")):  # OpenCLIP's own: [width, dimensions]
            value *= parameter.shape[0] ** -0.5
        else:
            value *= parameter[0].numel() ** -0.5
            if "q_proj" in name or "k_proj" in name:
                value *= 1.4
            elif "in_proj" in name:
                value[:len(value) * 2 // 3] *= 1.4
        parameter.copy_(torch.from_numpy(np.asarray(value)))


def unit(rows: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.normalize(rows.float(), dim=-1)


def settle(side, pixels: torch.Tensor, ids: torch.Tensor) -> None:
    """Takes most of what all inputs have in common out of both towers, and brings phrases near their pictures."""
    for bias, pooled in zip(side.last_biases, (side.pooled_image(pixels), side.pooled_text(ids)), strict=True):
        bias.sub_(pooled.mean(dim=0) * 0.9)
    count = len(pixels)
    wanted, phrases = unit(side.encode_image(pixels)), side.pooled_text(ids[:count]).double()
    start = side.text_projection().double()
    # Ridge regression from the random projection: enough to be seen, too little to be exact.
    missing = wanted.double() * (phrases @ start).norm(dim=1).mean() - phrases @ start
    gram = phrases.T @ phrases
    ridge = gram.diagonal().sum() / count * 0.3 * torch.eye(len(gram), dtype=torch.float64)
    side.text_projection().copy_(start + torch.linalg.solve(gram + ridge, phrases.T @ missing))
