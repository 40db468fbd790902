import Foundation
import TestSupport

/// Models whose weights can be stored in several ways, and references that are enough for a search.
extension TemporaryFolder {
  /// Writes a network of 24 features and two matrices.
  ///
  /// - Parameter kind: of the output, `embedding` or another that `model.json` takes.
  func writeSearchModel(_ name: String = "model", kind: String = #""kind": "embedding""#) throws {
    var numbers = SeededGenerator(seed: 7)
    func floats(_ count: Int, _ scale: Float) -> [Float] {
      (0..<count).map { _ in scale * numbers.float() }
    }
    try write("\(name)/w0.npy", Npy.bytes([96, 24], floats(2304, 0.4)))
    try write("\(name)/b0.npy", Npy.bytes([96], floats(96, 0.1)))
    try write("\(name)/w1.npy", Npy.bytes([64, 96], floats(6144, 0.2)))
    let features = (0..<24).map { "{\"name\": \"f\($0)\"}" }.joined(separator: ", ")
    try write(
      "\(name)/model.json",
      """
      {"architecture": "dense", "inputs": [\(features)],
       "layers": [{"weight": "w0.npy", "bias": "b0.npy", "activation": "tanh"},
                  {"weight": "w1.npy"}],
       "output": {"name": "vector", \(kind)}}
      """)
  }

  /// Lines of one input for that model.
  func searchLines(_ count: Int, seed: UInt64) -> [String] {
    var numbers = SeededGenerator(seed: seed)
    return (0..<count).map { _ in "{\"values\": \((0..<24).map { _ in numbers.float() })}" }
  }

  /// Writes pairs for that model; no two lines share an input.
  func writeSearchPairs(_ name: String = "pairs.jsonl", count: Int = 160, seed: UInt64 = 2) throws {
    let sides = searchLines(2 * count, seed: seed)
    let pairs = (0..<count).map { "{\"a\": \(sides[2 * $0]), \"b\": \(sides[2 * $0 + 1])}\n" }
    try write(name, pairs.joined())
  }

  /// Writes inputs for that model.
  func writeSearchInputs(_ name: String = "inputs.jsonl", count: Int = 200) throws {
    try write(name, searchLines(count, seed: 9).map { $0 + "\n" }.joined())
  }

  /// Writes a tiny CLIP model, and pairs of an image and a text that share nothing.
  func writeSearchClip(_ name: String = "clip", pairs: String = "photos.jsonl") throws {
    try TinyClip.write(to: path(name))
    var lines = ""
    for index in 0..<48 {
      var numbers = SeededGenerator(seed: UInt64(100 + index))
      let image = PNGBytes.rgb(16, 16) { _, _ in
        (0..<3).map { _ in UInt8(truncatingIfNeeded: Int(128 + 100 * numbers.float())) }
      }
      try write("photos/\(index).png", image.bytes)
      lines +=
        #"{"a": {"image": "photos/\#(index).png"}, "b": {"text": "thing \#(index)"}}"# + "\n"
    }
    try write(pairs, lines)
  }
}
