import Files
package import Graph
package import Inputs

/// One encoder of a model of two: images of 2 × 2 pixels by the mean of their red and of their green,
/// texts by the sum of two numbers for each word; both brought to length 1.
package struct DummyTower: Architecture {
  package static let name = "towers"

  package let encoder: EncoderKind?
  package var describingFiles: [String] {
    encoder == .image ? imageFiles : ["tokenizer.json"]
  }
  package var imageFiles = ["preprocessor_config.json"]
  package var width = 2
  package var vocabulary = Towers.words.count
  package var hasMask = false
  package var endToken: Int32?
  package var shapes = GraphShapes.any
  package var halfValues: Set<String> = []
  package var isEmbedding = true

  package var input: ModelInput {
    encoder == .image
      ? .image(width: 2, height: 2) : .tokens(maximumLength: 8, vocabulary: vocabulary)
  }
  package var output: ModelOutput {
    isEmbedding ? .embedding(width: width) : .numbers(width: width)
  }
  package var outputName: String { "embedding" }

  package func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    var graph = GraphBuilder()
    let sums: Operand
    if encoder == .image {
      let image = graph.input("image", ValueType(.float32, [batch, 3, 2, 2]))
      let flat = try graph.append("flat", Reshape(image, shape: [batch, 12]))
      let matrix = WeightReference("visual", [width, 12], role: .matrix(outputAxis: 0))
      sums = try graph.append("sums", Linear(flat, weight: .weight(matrix), bias: nil))
    } else {
      let ids = graph.input("input_ids", ValueType(.int32, [batch, length]))
      if hasMask { _ = graph.input("attention_mask", ValueType(.int32, [batch, length])) }
      let table = WeightReference("table", [vocabulary, width], role: .tokenTable)
      let rows = try graph.append("rows", Gather(.weight(table), indices: ids))
      sums = try graph.append("sums", Reduce(.sum, rows, axis: 1, keepsAxis: false))
    }
    let size = try graph.append("size", Reduce(.l2Norm, sums, axis: 1, keepsAxis: true))
    let unit = try graph.append("unit", ElementwiseBinary(.realDivision, sums, size))
    return try graph.finish(output: unit)
  }
}

/// A model of two encoders.
package enum Towers {
  /// Every token; those in brackets are worth nothing.
  package static let words = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "bottle", "cup", "water", "tea", "red", "green", "a", "of",
  ]

  /// What words are worth, by default.
  package static let values: [String: (Float, Float)] = [
    "water": (0.29, 0.957), "tea": (0.8, 0.6), "red": (1, 0), "green": (0, 1),
    "bottle": (0.3, 0.1), "cup": (0.1, 0.4),
  ]

  package static let tokenizer = wordPieceFile(words)

  /// Images are made 2 pixels wide and high, whatever they are.
  package static func processor(size: Int = 2) -> [UInt8] {
    Array(
      """
      {"image_processor_type": "CLIPImageProcessor", "do_resize": true,
       "size": {"shortest_edge": \(size)}, "do_center_crop": true,
       "crop_size": {"height": \(size), "width": \(size)}, "resample": 3, "do_rescale": true,
       "rescale_factor": 0.00392156862745098, "do_normalize": true,
       "image_mean": [0.5, 0.5, 0.5], "image_std": [0.5, 0.5, 0.5], "do_convert_rgb": true}
      """.utf8)
  }

  /// The image encoder: red and green of a picture come out as `red` and `green` say.
  package static func image(
    red: (Float, Float) = (1, 0), green: (Float, Float) = (0, 1), origin: String = "model",
    digest: String? = nil, _ change: (inout DummyTower) -> Void = { _ in }
  ) throws -> Model {
    func row(_ red: Float, _ green: Float) -> [Float] {
      Array(repeating: red / 1020, count: 4) + Array(repeating: green / 1020, count: 4)
        + [0, 0, 0, 0]
    }
    var tower = DummyTower(encoder: .image)
    change(&tower)
    let rows = [row(red.0, green.0), row(red.1, green.1)]
    return try Model(
      origin: origin, architecture: tower,
      files: ModelFiles(carriedBy: origin, texts: ["preprocessor_config.json": processor()]),
      weights: MemoryWeights(
        tensors: [
          "visual": (
            [tower.width, 12],
            (0..<tower.width).flatMap { rows.indices.contains($0) ? rows[$0] : row(1, 1) }
          )
        ],
        label: digest))
  }

  /// The text encoder: words come out as said, others as by default.
  package static func text(
    _ changes: [String: (Float, Float)] = [:], origin: String = "model", digest: String? = nil,
    _ change: (inout DummyTower) -> Void = { _ in }
  ) throws -> Model {
    var tower = DummyTower(encoder: .text)
    change(&tower)
    let all = values.merging(changes) { $1 }
    let table = words.flatMap { word in
      let pair = all[word] ?? (0, 0)
      return [pair.0, pair.1] + Array(repeating: pair.0, count: tower.width - 2)
    }
    return try Model(
      origin: origin, architecture: tower,
      files: ModelFiles(carriedBy: origin, texts: ["tokenizer.json": tokenizer]),
      weights: MemoryWeights(
        tensors: ["table": ([words.count, tower.width], table)], label: digest))
  }
}

/// Uncompressed PNG files of one colour.
package enum Picture {
  package static func bytes(red: UInt8, green: UInt8, blue: UInt8 = 0, edge: Int = 2) -> [UInt8] {
    let row: [UInt8] = [0] + (0..<edge).flatMap { _ in [red, green, blue] }
    let pixels: [UInt8] = (0..<edge).flatMap { _ in row }
    let size = UInt16(pixels.count)
    var stored: [UInt8] = [0x78, 0x01, 0x01]
    stored += [UInt8(size & 255), UInt8(size >> 8), UInt8(~size & 255), UInt8(~size >> 8)]
    stored += pixels + bigEndian(adler(pixels))
    let side = bigEndian(UInt32(edge))
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", side + side + [8, 2, 0, 0, 0]) + chunk("IDAT", stored) + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + body
    return bigEndian(UInt32(body.count)) + named + bigEndian(cyclic(named))
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  private static func adler(_ bytes: [UInt8]) -> UInt32 {
    var a: UInt32 = 1, b: UInt32 = 0
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return b << 16 | a
  }

  private static func cyclic(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
    }
    return ~sum
  }
}

/// A folder with pictures and reference sets beside them.
package final class PictureFolder {
  package let path: String

  /// With `bottle.png` all red, `leaf.png` all green, `cup.png` and `tea/pot.png` between.
  package init() throws {
    path = try Files.Folder.createTemporary(in: "/tmp", prefix: "ingot-pictures-")
    try Files.Folder.create("\(path)/tea")
    try write(Picture.bytes(red: 255, green: 0), "bottle.png")
    try write(Picture.bytes(red: 0, green: 255), "leaf.png")
    try write(Picture.bytes(red: 200, green: 100), "cup.png")
    try write(Picture.bytes(red: 90, green: 220), "tea/pot.png")
  }

  deinit { try? Files.Folder.remove(path) }

  package func write(_ bytes: [UInt8], _ name: String) throws {
    try AtomicFile.write(bytes, to: "\(path)/\(name)")
  }

  /// A reference set beside the pictures, of whose lines a few are meant to be enough.
  package func references(_ lines: [String]) throws -> ReferenceSet {
    try ModelFixtures.references(lines, origin: "\(path)/refs.jsonl")
  }

  /// A message without the name of this folder.
  package func plain(_ text: String) -> String {
    text.split(separator: path, omittingEmptySubsequences: false).joined(separator: "DIR")
  }
}

/// A side of a pair that is an image.
package func image(_ path: String) -> String { #"{"image": "\#(path)"}"# }

/// A side of a pair that is a text.
package func text(_ text: String) -> String { #"{"text": "\#(text)"}"# }

/// A side of a pair that is the best of several.
package func anyOf(_ sides: String...) -> String {
  #"{"anyOf": [\#(sides.joined(separator: ", "))]}"#
}

/// A line of a pair of sides.
package func pair(_ a: String, _ b: String, _ more: String = "") -> String {
  #"{"a": \#(a), "b": \#(b)\#(more)}"#
}
