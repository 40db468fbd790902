import Graph
import TestSupport
import Weights

@testable import WeightCompression

/// A tensor and what there is to say of it.
struct DiagnosisCase: CustomStringConvertible {
  let name: String
  let use: DiagnosedTensor.Use
  let shape: [Int]
  /// Nil for a type that Ingot does not read.
  let values: [Float]?
  var type = "F32"
  var isInteger = false
  /// `severity id: fact → action`, in order.
  var expected: [String] = []

  var description: String { name }

  var findings: [Finding] {
    let tensor = DiagnosedTensor("w", shape, use, type: type, isInteger: isInteger)
    return TensorDiagnosis.findings(of: tensor, values.map(tensor.statistics), floats: .two)
  }
}

extension FloatStorage {
  /// One format of each kind.
  static let two = FloatStorage(halving: ["an mlpackage"], keeping: ["safetensors"])
}

extension DiagnosisCase {
  static let matrix = DiagnosedTensor.Use.weight(.matrix(outputAxis: 0))
  static let leftOut = DiagnosedTensor.Use.unused("causal mask, built anew")

  /// So many numbers without anything odd.
  static func plain(_ count: Int) -> [Float] {
    var random = SeededGenerator(seed: UInt64(count))
    return (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
  }

  /// Plain numbers with some replaced.
  static func plain(_ count: Int, _ changed: [Int: Float]) -> [Float] {
    var values = plain(count)
    for (index, value) in changed { values[index] = value }
    return values
  }

  /// Plain numbers [rows, columns] with rows and columns of one value each.
  static func plain(
    _ shape: [Int], rows: [Int: Float] = [:], columns: [Int: Float] = [:]
  ) -> [Float] {
    var values = plain(shape[0] * shape[1])
    for index in values.indices {
      if let value = rows[index / shape[1]] ?? columns[index % shape[1]] { values[index] = value }
    }
    return values
  }

  static func causal(_ side: Int, _ hidden: Float, shown: Float = 0) -> [Float] {
    (0..<side * side).map { $0 % side > $0 / side ? hidden : shown }
  }

  static let faults = [
    DiagnosisCase(
      name: "NaN at the last place", use: matrix, shape: [4, 4], values: plain(16, [15: .nan]),
      expected: [
        "refused nan: 1 of 16 values is NaN, the first at flat index 15 → "
          + "nothing is compressed until it is mended; Ingot replaces no value"
      ]),
    DiagnosisCase(
      name: "NaN and infinities of a kept weight", use: .weight(.bias), shape: [6],
      values: [1, .nan, .infinity, .nan, -.infinity, 7e4],
      expected: [
        "refused nan: 2 of 6 values are NaN, the first at flat index 1 → "
          + "nothing is compressed until it is mended; Ingot replaces no value",
        "refused infinity: 2 of 6 values are infinite, the first at flat index 2 → "
          + "nothing is compressed until it is mended; Ingot replaces no value",
        "refused half-overflow: 1 of 6 values does not fit float16, the largest is 70000 at flat "
          + "index 5 → not stored in an mlpackage, whose float16 ends at 65504; "
          + "safetensors keeps float32",
      ]),
    DiagnosisCase(
      name: "NaN of nobody", use: .unknown, shape: [2], values: [.nan, 1],
      expected: [
        "warning nan: 1 of 2 values is NaN, the first at flat index 0 → "
          + "a model that uses it is not compressed; Ingot replaces no value"
      ]),
    DiagnosisCase(
      name: "NaN of a tensor left out", use: leftOut, shape: [2], values: [.nan, 1],
      expected: [
        "note nan: 1 of 2 values is NaN, the first at flat index 0 → "
          + "left out: causal mask, built anew"
      ]),
    DiagnosisCase(
      name: "infinity in a compressed model", use: .stored, shape: [2], values: [.infinity, 1],
      expected: [
        "refused infinity: 1 of 2 values is infinite, the first at flat index 0 → "
          + "the gate passes no model with such a weight"
      ]),
    DiagnosisCase(
      name: "one infinity is no mask", use: matrix, shape: [2, 2], values: [0, .infinity, 0, 0],
      expected: [
        "refused infinity: 1 of 4 values is infinite, the first at flat index 1 → "
          + "nothing is compressed until it is mended; Ingot replaces no value"
      ]),
    DiagnosisCase(
      name: "a type without numbers", use: matrix, shape: [2], values: nil, type: "F8_E4M3",
      expected: [
        "refused unreadable-type: stored as F8_E4M3, which Ingot does not read → "
          + "nothing is compressed; convert it to F32, F16 or BF16"
      ]),
    DiagnosisCase(
      name: "a type without numbers, of nobody", use: .unknown, shape: [2], values: nil,
      type: "C64",
      expected: [
        "warning unreadable-type: stored as C64, which Ingot does not read → "
          + "a model that uses it is not compressed; convert it to F32, F16 or BF16"
      ]),
    DiagnosisCase(
      name: "a type without numbers, left out", use: leftOut, shape: [2], values: nil, type: "F4",
      expected: [
        "note unreadable-type: stored as F4, which Ingot does not read → "
          + "left out: causal mask, built anew"
      ]),
  ]

  static let masks = [
    DiagnosisCase(
      name: "a mask left out", use: leftOut, shape: [3, 3], values: causal(3, -.infinity),
      expected: [
        "note mask: a causal mask, 3 places of it are -inf → left out: causal mask, built anew"
      ]),
    DiagnosisCase(
      name: "a mask as a weight", use: matrix, shape: [2, 2], values: causal(2, -.infinity),
      expected: [
        "refused mask: a causal mask, 1 place of it is -inf → "
          + "nothing is compressed: a weight must be finite; -10000 hides as well and fits float16"
      ]),
    DiagnosisCase(
      name: "a finite mask as a weight", use: .weight(.bias), shape: [2, 2],
      values: [-1e4, 0, 0, 0],
      expected: [
        "warning mask: a mask, 1 place of it is -10000 → left uncompressed, like any weight"
      ]),
    DiagnosisCase(
      name: "a mask of nobody", use: .unknown, shape: [2, 2], values: causal(2, -.infinity),
      expected: [
        "note mask: a causal mask, 1 place of it is -inf → "
          + "a model that uses it as a weight is not compressed"
      ]),
    DiagnosisCase(
      name: "a mask of truth values", use: .unknown, shape: [1, 1, 4, 4],
      values: causal(4, 0, shown: 1), type: "BOOL", isInteger: true,
      expected: [
        "note mask: a causal mask, 6 places of it are 0 → "
          + "compressed as asked where a model uses it, like any weight"
      ]),
  ]

  static let float16s = [
    DiagnosisCase(
      name: "the greatest halves", use: matrix, shape: [2, 2],
      values: [65504, -65504, (65520 as Float).nextDown, 1]),
    DiagnosisCase(
      name: "past the greatest half", use: matrix, shape: [2, 2],
      values: [65520, -65504.5, 0.5, 1],
      expected: [
        "refused half-overflow: 1 of 4 values does not fit float16, the largest is 65520 at flat "
          + "index 0 → not stored in an mlpackage, whose float16 ends at 65504; "
          + "safetensors keeps float32"
      ]),
    DiagnosisCase(
      name: "large values of nobody", use: .unknown, shape: [2], values: [-1e6, 7e4],
      expected: [
        "warning half-overflow: 2 of 2 values do not fit float16, the largest is -1000000 at flat "
          + "index 0 → not stored in an mlpackage, whose float16 ends at 65504; "
          + "safetensors keeps float32"
      ]),
    DiagnosisCase(
      name: "a statistic stays float32", use: .weight(.statistic), shape: [3],
      values: [1e6, 1e-9, 1]),
    DiagnosisCase(
      name: "one in a hundred vanishes", use: .weight(.norm), shape: [100],
      values: plain(100, [3: 0x1p-25]),
      expected: [
        "warning half-underflow: 1.0 % of the values that are not zero become so in float16 → "
          + "left uncompressed; an mlpackage holds zeros in their place, safetensors keeps float32"
      ]),
    DiagnosisCase(
      name: "one in 101 does not matter", use: .weight(.norm), shape: [101],
      values: plain(101, [3: 0x1p-25])),
    DiagnosisCase(
      name: "zeros are no underflow", use: .weight(.norm), shape: [100],
      values: plain(100, [3: 0, 4: -0.0])),
    DiagnosisCase(
      name: "float32's own subnormals", use: .weight(.bias), shape: [2],
      values: [1, .leastNonzeroMagnitude],
      expected: [
        "warning half-underflow: 50.0 % of the values that are not zero become so in float16 → "
          + "left uncompressed; an mlpackage holds zeros in their place, safetensors keeps float32"
      ]),
    DiagnosisCase(
      name: "a quarter subnormal", use: matrix, shape: [1, 4], values: [1, 0.5, 0.7, 0x1p-15],
      expected: [
        "note half-subnormal: 25.0 % of the values that are not zero are subnormal in float16 → "
          + "compressed as asked; an mlpackage holds them with fewer digits, "
          + "safetensors keeps float32"
      ]),
    DiagnosisCase(
      name: "less than a quarter", use: matrix, shape: [1, 5], values: [1, 0.5, 0.7, 0.6, 0x1p-15]),
    DiagnosisCase(
      name: "just normal", use: matrix, shape: [1, 2], values: [1, 0x1p-14]),
    DiagnosisCase(
      name: "a constant that vanishes", use: .weight(.bias), shape: [2], values: [1e-9, 1e-9],
      expected: [
        "warning half-underflow: 100.0 % of the values that are not zero become so in float16 → "
          + "left uncompressed; an mlpackage holds zeros in their place, safetensors keeps float32"
      ]),
  ]

  static let shapes = [[], [0], [0, 4], [4, 0], [1], [1, 1], [1, 2, 1, 3, 1, 2]].map { shape in
    DiagnosisCase(
      name: "the shape \(shape)", use: matrix, shape: shape, values: plain(shape.reduce(1, *)))
  }
}
