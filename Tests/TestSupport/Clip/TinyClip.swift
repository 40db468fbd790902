package import Foundation

/// A CLIP model of a few thousand random weights in Hugging Face's layout, made in code: two
/// encoders of one layer, images of 16 × 16 pixels, texts of at most 16 tokens, and a tokenizer whose
/// tokens are single bytes.
package enum TinyClip {
  /// Texts of the model; image `i` belongs to text `i`.
  package static let colors = ["red", "green", "blue", "white", "black", "yellow"]

  private static let (width, embedding, positions, vocabulary) = (16, 8, 16, 514)

  /// Writes a model: configuration, preprocessing, tokenizer and weights, among them an infinite mask
  /// that no encoder uses.
  ///
  /// - Parameter change: changes the weights by their names before they are written.
  package static func write(
    to folder: String, seed: UInt64 = 1,
    change: (inout [String: [Float]]) -> Void = { _ in }
  ) throws {
    try put("\(folder)/config.json", config)
    try put("\(folder)/preprocessor_config.json", preprocessing)
    try put("\(folder)/tokenizer.json", tokenizer)
    var numbers = SeededGenerator(seed: seed)
    var shapes: [String: [Int]] = [:]
    var values: [String: [Float]] = [:]
    for (name, shape) in self.shapes {
      shapes[name] = shape
      let count = shape.reduce(1, *)
      let isNorm = name.contains("norm") || name.contains("layrnorm")
      let scale: Float = shape.count == 1 ? 0.05 : 1 / Float(count / shape[0]).squareRoot()
      values[name] = (0..<count).map { _ in
        (isNorm && name.hasSuffix("weight") ? 1 : 0) + scale * numbers.float()
      }
    }
    shapes["text_model.attn_mask"] = [positions, positions]
    values["text_model.attn_mask"] = (0..<positions * positions).map {
      $0 % positions > $0 / positions ? -.infinity : 0
    }
    shapes["logit_scale"] = []
    values["logit_scale"] = [2.6592]
    change(&values)
    try put("\(folder)/model.safetensors", safetensors(shapes, values))
  }

  /// Writes images, one for each color, and a reference set in which each meets its own word and the
  /// next one.
  ///
  /// - Returns: the reference set's path.
  @discardableResult
  package static func writePairs(to folder: String, name: String = "pairs.jsonl") throws -> String {
    var lines = ""
    for (index, color) in colors.enumerated() {
      try put("\(folder)/images/\(color).png", image(index))
      for text in [color, colors[(index + 1) % colors.count]] {
        lines +=
          #"{"a": {"image": "images/\#(color).png"}, "b": {"anyOf": [{"text": "\#(text)"}, "#
          + #"{"text": "a \#(text) one"}]}}"# + "\n"
      }
    }
    try put("\(folder)/\(name)", Data(lines.utf8))
    return "\(folder)/\(name)"
  }

  private static func put(_ path: String, _ data: Data) throws {
    let url = URL(filePath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  /// A picture whose colours change from corner to corner.
  private static func image(_ index: Int) -> Data {
    let file = PNGBytes.rgb(16, 16) { x, y in
      let level = UInt8((x * 8 + y * 7 + index * 40) % 256)
      return [
        index % 2 == 0 ? 250 : level, index % 3 == 0 ? level : 20, index > 2 ? 220 : level / 2,
      ]
    }
    return Data(file.bytes)
  }

  // MARK: Weights

  /// Rows of a weight; 0 of one without axes.
  package static func rows(of name: String) -> Int {
    shapes.first { $0.0 == name }?.1.first ?? 0
  }

  private static var shapes: [(String, [Int])] {
    var shapes: [(String, [Int])] = []
    for root in ["vision_model", "text_model"] {
      let layer = "\(root).encoder.layers.0"
      for norm in ["\(layer).layer_norm1", "\(layer).layer_norm2"] {
        shapes += [("\(norm).weight", [width]), ("\(norm).bias", [width])]
      }
      for part in ["q_proj", "k_proj", "v_proj", "out_proj"] {
        shapes += [
          ("\(layer).self_attn.\(part).weight", [width, width]),
          ("\(layer).self_attn.\(part).bias", [width]),
        ]
      }
      shapes += [
        ("\(layer).mlp.fc1.weight", [2 * width, width]), ("\(layer).mlp.fc1.bias", [2 * width]),
        ("\(layer).mlp.fc2.weight", [width, 2 * width]), ("\(layer).mlp.fc2.bias", [width]),
      ]
    }
    for norm in [
      "vision_model.pre_layrnorm", "vision_model.post_layernorm", "text_model.final_layer_norm",
    ] {
      shapes += [("\(norm).weight", [width]), ("\(norm).bias", [width])]
    }
    return shapes + [
      ("vision_model.embeddings.class_embedding", [width]),
      ("vision_model.embeddings.patch_embedding.weight", [width, 3, 8, 8]),
      ("vision_model.embeddings.position_embedding.weight", [5, width]),
      ("text_model.embeddings.token_embedding.weight", [vocabulary, width]),
      ("text_model.embeddings.position_embedding.weight", [positions, width]),
      ("visual_projection.weight", [embedding, width]),
      ("text_projection.weight", [embedding, width]),
    ]
  }

  /// A weight file of float32 tensors.
  package static func safetensors(_ shapes: [String: [Int]], _ values: [String: [Float]]) -> Data {
    var header: [String: Any] = [:]
    var content = Data()
    for name in shapes.keys.sorted() {
      let start = content.count
      for value in values[name] ?? [] {
        withUnsafeBytes(of: value.bitPattern.littleEndian) { content += Data($0) }
      }
      header[name] = [
        "dtype": "F32", "shape": shapes[name] ?? [], "data_offsets": [start, content.count],
      ]
    }
    var text =
      (try? JSONSerialization.data(withJSONObject: header, options: [.sortedKeys])) ?? Data()
    text += Data(repeating: 0x20, count: (8 - text.count % 8) % 8)
    return withUnsafeBytes(of: UInt64(text.count).littleEndian) { Data($0) } + text + content
  }

  // MARK: Texts

  private static var config: Data {
    Data(
      """
      {"model_type": "clip", "transformers_version": "4.57.6", "projection_dim": \(embedding),
       "vision_config": {"hidden_size": \(width), "num_hidden_layers": 1,
         "num_attention_heads": 2, "intermediate_size": \(2 * width), "image_size": 16,
         "patch_size": 8, "hidden_act": "quick_gelu"},
       "text_config": {"hidden_size": \(width), "num_hidden_layers": 1, "num_attention_heads": 2,
         "intermediate_size": \(2 * width), "vocab_size": \(vocabulary),
         "max_position_embeddings": \(positions), "eos_token_id": \(vocabulary - 1),
         "hidden_act": "gelu"}}
      """.utf8)
  }

  private static let preprocessing = Data(
    """
    {"do_resize": true, "size": {"shortest_edge": 16}, "resample": 3, "do_center_crop": true,
     "crop_size": {"height": 16, "width": 16}, "do_rescale": true,
     "rescale_factor": 0.00392156862745098, "do_normalize": true, "image_mean": [0.5, 0.5, 0.5],
     "image_std": [0.25, 0.25, 0.25], "do_convert_rgb": true}
    """.utf8)

  /// Bytes as GPT-2 writes them: those that are visible as themselves, the others from 256 on.
  private static var byteTokens: [String] {
    var next: UInt32 = 256
    return (0..<256).map { byte in
      let isVisible =
        (0x21...0x7E).contains(byte) || (0xA1...0xAC).contains(byte) || (0xAE...0xFF).contains(byte)
      if !isVisible { next += 1 }
      return Unicode.Scalar(isVisible ? UInt32(byte) : next - 1).map { String($0) } ?? ""
    }
  }

  private static var tokenizer: Data {
    let tokens = byteTokens
    let names = tokens + tokens.map { $0 + "</w>" } + ["<|startoftext|>", "<|endoftext|>"]
    let ids = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    func special(_ name: String) -> [String: Any] {
      [
        "id": ids[name] ?? 0, "content": name, "single_word": false, "lstrip": false,
        "rstrip": false, "normalized": false, "special": true,
      ]
    }
    let file: [String: Any] = [
      "version": "1.0", "truncation": NSNull(), "padding": NSNull(),
      "added_tokens": [special("<|startoftext|>"), special("<|endoftext|>")],
      "normalizer": ["type": "Lowercase"],
      "pre_tokenizer": [
        "type": "Sequence",
        "pretokenizers": [
          [
            "type": "Split",
            "pattern": [
              "Regex": #"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"#
            ], "behavior": "Removed", "invert": true,
          ] as [String: Any],
          ["type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true],
        ],
      ] as [String: Any],
      "post_processor": [
        "type": "RobertaProcessing", "sep": ["<|endoftext|>", vocabulary - 1],
        "cls": ["<|startoftext|>", vocabulary - 2], "trim_offsets": false,
        "add_prefix_space": false,
      ] as [String: Any],
      "decoder": NSNull(),
      "model": [
        "type": "BPE", "dropout": NSNull(), "unk_token": "<|endoftext|>",
        "continuing_subword_prefix": "", "end_of_word_suffix": "</w>", "fuse_unk": false,
        "vocab": ids, "merges": [String](),
      ] as [String: Any],
    ]
    return (try? JSONSerialization.data(withJSONObject: file, options: [.sortedKeys])) ?? Data()
  }
}
