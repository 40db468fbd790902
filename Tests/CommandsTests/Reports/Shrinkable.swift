import TestSupport

extension TemporaryFolder {
  /// Writes a network of 24 features whose two matrices can be stored in several ways, pairs to
  /// judge it by, and inputs to fit it to.
  func writeShrinkable() throws {
    var numbers = SeededGenerator(seed: 7)
    func floats(_ count: Int, _ scale: Float) -> [Float] {
      (0..<count).map { _ in scale * numbers.float() }
    }
    try write("model/w0.npy", Npy.bytes([96, 24], floats(2304, 0.4)))
    try write("model/b0.npy", Npy.bytes([96], floats(96, 0.1)))
    try write("model/w1.npy", Npy.bytes([64, 96], floats(6144, 0.2)))
    let features = (0..<24).map { "{\"name\": \"f\($0)\"}" }.joined(separator: ", ")
    try write(
      "model/model.json",
      """
      {"architecture": "dense", "inputs": [\(features)],
       "layers": [{"weight": "w0.npy", "bias": "b0.npy", "activation": "tanh"},
                  {"weight": "w1.npy"}],
       "output": {"name": "vector", "kind": "embedding"}}
      """)
    func lines(_ count: Int, seed: UInt64) -> [String] {
      var numbers = SeededGenerator(seed: seed)
      return (0..<count).map { _ in "{\"values\": \((0..<24).map { _ in numbers.float() })}" }
    }
    let sides = lines(320, seed: 2)
    try write(
      "pairs.jsonl",
      (0..<160).map { "{\"a\": \(sides[2 * $0]), \"b\": \(sides[2 * $0 + 1])}\n" }.joined())
    try write("inputs.jsonl", lines(200, seed: 9).map { $0 + "\n" }.joined())
  }
}
