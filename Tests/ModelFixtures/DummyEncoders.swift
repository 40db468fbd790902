package import Graph
package import Inputs
import TestSupport
import Weights

/// One encoder of a model of two: images of 2 × 2 pixels by the mean of their red and of their green,
/// texts by the sum of two numbers for each word; both brought to length 1.
package struct DummyEncoder: Architecture {
  package static let name = "dummy"

  package let encoder: EncoderKind?
  package var describingFiles: [String] {
    encoder == .image ? imageFiles : ["tokenizer.json"]
  }
  package var imageFiles = ["preprocessor_config.json"]
  package var width = 2
  package var vocabulary = DummyEncoders.words.count
  package var hasMask = false
  package var endToken: Int32?
  package var shapes = GraphShapes.any
  package var float16Values: Set<String> = []
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
package enum DummyEncoders {
  /// Every token; those in brackets are worth nothing.
  package static let words = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "bottle", "cup", "water", "tea", "red", "green", "a", "of",
  ]

  /// How red and how green each word is, by default.
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

  /// The image encoder: how red and how green a picture is, but for its drift.
  package static func image(
    _ drift: ImageDrift = .none, origin: String = "model", digest: String? = nil,
    _ change: (inout DummyEncoder) -> Void = { _ in }
  ) throws -> Model {
    let (red, green) = (drift.red, drift.green)
    func row(_ red: Float, _ green: Float) -> [Float] {
      Array(repeating: red / 1020, count: 4) + Array(repeating: green / 1020, count: 4)
        + [0, 0, 0, 0]
    }
    var slot = DummyEncoder(encoder: .image)
    change(&slot)
    let rows = [row(red.0, green.0), row(red.1, green.1)]
    return try Model(
      origin: origin, architecture: slot,
      files: ModelFiles(carriedBy: origin, texts: ["preprocessor_config.json": processor()]),
      weights: MemoryWeights(
        tensors: [
          "visual": (
            [slot.width, 12],
            (0..<slot.width).flatMap { rows.indices.contains($0) ? rows[$0] : row(1, 1) }
          )
        ],
        label: digest))
  }

  /// The text encoder: words come out as said, others as by default.
  package static func text(
    _ changes: [String: (Float, Float)] = [:], origin: String = "model", digest: String? = nil,
    _ change: (inout DummyEncoder) -> Void = { _ in }
  ) throws -> Model {
    var slot = DummyEncoder(encoder: .text)
    change(&slot)
    let all = values.merging(changes) { $1 }
    let table = words.flatMap { word in
      let pair = all[word] ?? (0, 0)
      return [pair.0, pair.1] + Array(repeating: pair.0, count: slot.width - 2)
    }
    return try Model(
      origin: origin, architecture: slot,
      files: ModelFiles(carriedBy: origin, texts: ["tokenizer.json": tokenizer]),
      weights: MemoryWeights(
        tensors: ["table": ([words.count, slot.width], table)], label: digest))
  }
}

/// How an image encoder differs from one that sees a red picture as 1 red and 0 green, and a green
/// picture the other way round.
package enum ImageDrift {
  case none
  /// A red picture shows a little green as well.
  case greenInRed(Float)
  /// A red picture looks like "tea", or nearly.
  case redLikeTea
  /// Every picture turns by a right angle, so that no two of them move against each other.
  case rightAngle
  /// Everything is that much stronger, until it is brought to length 1.
  case stronger(Float)
  case infiniteRed

  /// How red and how green a red picture comes out.
  package var red: (Float, Float) {
    switch self {
    case .none: (1, 0)
    case .greenInRed(let green): (1, green)
    case .redLikeTea: (0.6, 0.8)
    case .rightAngle: (0, 1)
    case .stronger(let factor): (factor, 0)
    case .infiniteRed: (.infinity, 0)
    }
  }

  /// How red and how green a green picture comes out.
  package var green: (Float, Float) {
    switch self {
    case .none, .greenInRed, .redLikeTea, .infiniteRed: (0, 1)
    case .rightAngle: (-1, 0)
    case .stronger(let factor): (0, factor)
    }
  }
}

/// PNG files of one colour.
package enum Picture {
  package static func bytes(red: UInt8, green: UInt8, blue: UInt8 = 0, edge: Int = 2) -> [UInt8] {
    PNGBytes.rgb(edge, edge) { _, _ in [red, green, blue] }.bytes
  }
}

/// A folder with pictures and reference sets beside them.
package struct PictureFolder {
  private let folder: TemporaryFolder
  package var path: String { folder.path }

  /// With `bottle.png` all red, `leaf.png` all green, `cup.png` and `tea/pot.png` between.
  package init() throws {
    folder = try TemporaryFolder()
    try write(Picture.bytes(red: 255, green: 0), "bottle.png")
    try write(Picture.bytes(red: 0, green: 255), "leaf.png")
    try write(Picture.bytes(red: 200, green: 100), "cup.png")
    try write(Picture.bytes(red: 90, green: 220), "tea/pot.png")
  }

  package func write(_ bytes: [UInt8], _ name: String) throws { try folder.write(name, bytes) }

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
