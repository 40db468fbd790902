import Files
import Graph
import StrictJSON
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Formats

/// Compressed safetensors: what their metadata says, and the files as a whole.
extension FuzzTests {
  private static let errors: [any Error.Type] = [
    EmissionError.self, JSONError.self, WeightsError.self, CompressionError.self, FileError.self,
  ]

  /// The entry of a table in two parts.
  private static let split =
    #""s":{"scheme":"split","shape":[4,4],"rows":2,"first":{"scheme":"int8"},"#
    + #""rest":{"scheme":"palette","bits":1,"axis":0}},"#

  private static let entries = bytes([
    #"{"w":{"scheme":"int8","shape":[4,3]},"b":{"scheme":"kept","shape":[4]},"#
      + #""p":{"scheme":"palette","shape":[4,2],"bits":2,"axis":0},"# + split
      + #""none":{"scheme":"kept","shape":[0,7]}}"#,
    #"{"w":{"scheme":"int8","shape":[4,3]},"b":{"shape":[4],"scheme":"kept"},"#
      + #""p":{"scheme":"palette","shape":[2,4],"bits":2,"axis":1},"# + split
      + #""none":{"scheme":"int8","shape":[0,7]},"none:scale":{"scheme":"kept","shape":[1,1]}}"#,
  ])

  private static let model =
    #"{"architecture":"dense","inputs":[{"name":"a"},{"name":"b"},{"name":"c"}],"#
    + #""layers":[{"weight":"w","bias":"b"}],"output":{"kind":"embedding"}}"#

  /// A file with the parts of the first entries (or, with scales for `none`, of the second).
  private static func file(_ entries: [UInt8], hasScales: Bool = false) -> [UInt8] {
    let tensors: [(name: String, type: String, shape: [Int], size: Int)] =
      [
        ("b", "F32", [4], 16), ("p:palette", "F32", [2, 4], 32), ("w:scale", "F32", [4, 1], 16),
        ("s:first:scale", "F32", [2, 1], 8), ("s:rest:palette", "F32", [1, 2], 8),
      ] + (hasScales ? [("none:scale", "F32", [1, 1], 4)] : []) + [
        ("none", hasScales ? "I8" : "F32", [0, 7], 0), ("w", "I8", [4, 3], 12),
        ("s:first", "I8", [2, 4], 8), ("p:indices", "U8", [2], 2),
        ("s:rest:indices", "U8", [1], 1),
      ]
    var place = 0
    var members: [String: JSONValue] = [
      "__metadata__": [
        "ingot.format": "1", "ingot.architecture": "dense", "ingot.source": "0",
        "ingot.recipe": "int8 per-channel",
        "ingot.tensors": .string(String(decoding: entries, as: UTF8.self)),
        "ingot.files": .string(JSONValue.object(["model.json": .string(model)]).compact),
      ]
    ]
    for tensor in tensors {
      members[tensor.name] = [
        "dtype": .string(tensor.type), "shape": .array(tensor.shape.map(JSONValue.integer)),
        "data_offsets": [.integer(place), .integer(place + tensor.size)],
      ]
      place += tensor.size
    }
    return SafetensorsBytes.file(JSONValue.object(members).compact, data: place)
  }

  /// A whole model in one file.
  static let compressedModel = file(entries[0])

  /// Mutations of the text that says how each tensor is stored.
  @Test func compressedEntries() throws {
    let scratch = try ScratchFile("m.safetensors")
    run("compressed entries", FuzzTests.entries) { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      return check(FuzzTests.file(bytes, hasScales: text.contains("none:scale")), scratch)
    }
  }

  /// Mutations of the whole file.
  @Test func compressedFiles() throws {
    let scratch = try ScratchFile("m.safetensors")
    let seeds = [
      FuzzTests.file(FuzzTests.entries[0]), FuzzTests.file(FuzzTests.entries[1], hasScales: true),
    ]
    run("compressed files", seeds, mend: withHeaderLength) { check($0, scratch) }
  }

  private func check(_ bytes: [UInt8], _ scratch: ScratchFile) -> Bool? {
    parsing(FuzzTests.errors + [ModelError.self, GraphError.self]) {
      try scratch.write(bytes)
      let file = try WeightCollection.open(scratch.path)
      let weights = try CompressedWeightFile(file, path: "m")
      for name in weights.names {
        guard let shape = weights.shape(of: name) else { return false }
        // Sizes that do not fit are found when a tensor is asked for, with an error of their own.
        guard try weights.floats(of: name).count == shape.reduce(1, *) else { return false }
      }
      return try CompressedSafetensors.model(of: file).architecture.output.width > 0
    }
  }
}
