import Graph

@testable import WeightCompression

extension DiagnosisCase {
  static let channels = [
    DiagnosisCase(name: "nothing odd", use: matrix, shape: [40, 30], values: plain(1200)),
    DiagnosisCase(
      name: "all zero", use: matrix, shape: [3, 3], values: [Float](repeating: -0.0, count: 9),
      expected: [
        "warning constant: every value is 0 → compressed as asked; it tells the model nothing"
      ]),
    DiagnosisCase(
      name: "all equal", use: .weight(.positionTable), shape: [1, 3], values: [0.1, 0.1, 0.1],
      expected: [
        "warning constant: every value is 0.1 → left uncompressed; it tells the model nothing"
      ]),
    DiagnosisCase(
      name: "zeros where they are at home", use: .weight(.bias), shape: [4],
      values: [0, 0, 0, 0]),
    DiagnosisCase(
      name: "ones where they are at home", use: .weight(.norm), shape: [4], values: [1, 1, 1, 1]),
    DiagnosisCase(name: "a single value", use: matrix, shape: [1, 1], values: [3]),
    DiagnosisCase(
      name: "constant rows", use: matrix, shape: [5, 20],
      values: plain([5, 20], rows: [1: 0.25, 4: -2]),
      expected: [
        "warning constant-channels: 2 of 5 output channels hold one value each, the first is 1 → "
          + "compressed as asked; training has not told their values apart"
      ]),
    DiagnosisCase(
      name: "constant columns", use: .weight(.matrix(outputAxis: 1)), shape: [20, 5],
      values: plain([20, 5], columns: [3: 0.25]),
      expected: [
        "warning constant-channels: 1 of 5 output channels holds one value, the first is 3 → "
          + "compressed as asked; training has not told their values apart"
      ]),
    DiagnosisCase(
      name: "dead outputs and inputs", use: matrix, shape: [6, 20],
      values: plain([6, 20], rows: [2: 0, 5: -0.0], columns: [7: 0]),
      expected: [
        "warning dead-channels: 2 of 6 output channels are all zero, the first is 2 → "
          + "compressed as asked; int8 keeps zeros exactly, a palette shared with other channels "
          + "may not",
        "warning dead-inputs: 1 of 20 input channels is all zero, the first is 7 → "
          + "compressed as asked; int8 without calibration keeps zeros exactly, a palette may not",
      ]),
    DiagnosisCase(
      name: "an unused row of a table", use: .weight(.tokenTable), shape: [6, 20],
      values: plain([6, 20], rows: [1: 0]),
      expected: [
        "note dead-channels: 1 of 6 rows is all zero, the first is 1 → "
          + "compressed as asked; int8 keeps zeros exactly, a palette shared with other channels "
          + "may not"
      ]),
    DiagnosisCase(
      name: "zero rows of a kept table", use: .weight(.positionTable), shape: [6, 20],
      values: plain([6, 20], rows: [1: 0])),
    DiagnosisCase(
      name: "zero rows of nobody", use: .unknown, shape: [6, 20],
      values: plain([6, 20], rows: [1: 0]),
      expected: [
        "warning dead-channels: 1 of 6 rows is all zero, the first is 1 → "
          + "compressed as asked where a model uses it; int8 keeps zeros exactly, "
          + "a palette shared with other channels may not"
      ]),
  ]

  /// About plus and minus a half in turn, and one value that is far away.
  static func spike(_ count: Int, _ value: Float, at place: Int = 5) -> [Float] {
    var values = (0..<count).map { (index: Int) -> Float in
      let magnitude = 0.5 + Float(index % 1000) * 1e-6
      return index % 2 == 0 ? magnitude : -magnitude
    }
    values[place] = value
    return values
  }

  private static let tailAction =
    "compressed as asked; "
    + "at 8 bits take a scale per channel, at 4 or fewer blocks of 32 or palettes in groups"

  static let tails = [
    DiagnosisCase(
      name: "a heavy tail", use: matrix, shape: [2, 5000], values: spike(10000, 15),
      expected: [
        "warning heavy-tails: the farthest value is 28.7 standard deviations from the mean, "
          + "the excess kurtosis 65.8; channel 0 has one at 27.6 of its own → \(tailAction)"
      ]),
    DiagnosisCase(
      name: "just far enough", use: matrix, shape: [2, 5000], values: spike(10000, -10.25),
      expected: [
        "warning heavy-tails: the farthest value is 20.1 standard deviations from the mean, "
          + "the excess kurtosis 14.1; channel 0 has one at 19.7 of its own → \(tailAction)"
      ]),
    DiagnosisCase(
      name: "not far enough", use: matrix, shape: [2, 5000], values: spike(10000, 10.2),
      expected: [
        "note heavy-channels: 1 of 2 output channels has a value at least 12 standard deviations "
          + "from the mean, channel 0 one at 19.6 → \(tailAction)"
      ]),
    DiagnosisCase(
      name: "a column that is far", use: .weight(.matrix(outputAxis: 1)), shape: [7000, 2],
      values: spike(14000, 10.3),
      expected: [
        "warning heavy-tails: the farthest value is 20.3 standard deviations from the mean, "
          + "the excess kurtosis 10.0; channel 1 has one at 83.7 of its own → \(tailAction)"
      ]),
    DiagnosisCase(
      name: "too many others", use: .unknown, shape: [1, 14200], values: spike(14200, 10.3)),
    DiagnosisCase(
      name: "a heavy channel", use: matrix, shape: [400, 200], values: spike(80000, 11.5, at: 7401),
      expected: [
        "note heavy-channels: 1 of 400 output channels has a value at least 12 standard deviations "
          + "from the mean, channel 37 one at 12.0 → \(tailAction)"
      ]),
    DiagnosisCase(
      name: "a channel that is not", use: matrix, shape: [400, 200],
      values: spike(80000, 11.4, at: 7401)),
    DiagnosisCase(
      name: "tails of a kept weight", use: .weight(.norm), shape: [3000], values: spike(3000, 50)),
    DiagnosisCase(
      name: "tails left out", use: leftOut, shape: [2, 5000], values: spike(10000, 15)),
  ]

  static let integers = [
    DiagnosisCase(
      name: "positions", use: .unused("numbers of positions"), shape: [1, 4],
      values: [0, 1, 2, 3], type: "I64", isInteger: true,
      expected: ["note integer-table: stored as I64 → left out: numbers of positions"]),
    DiagnosisCase(
      name: "positions of nobody", use: .unknown, shape: [1, 4], values: [0, 1, 2, 3], type: "I64",
      isInteger: true,
      expected: [
        "note integer-table: stored as I64 → "
          + "compressed as asked where a model uses it, as float32 numbers"
      ]),
    DiagnosisCase(
      name: "integers as a weight", use: matrix, shape: [2, 2], values: [0, 1, -2, 3], type: "I8",
      isInteger: true,
      expected: ["note integer-table: stored as I8 → compressed as asked, as float32 numbers"]),
    DiagnosisCase(
      name: "whole floats", use: .weight(.bias), shape: [16], values: (0..<16).map { Float($0) },
      expected: [
        "note integer-table: every value is a whole number → left uncompressed, as float32 numbers"
      ]),
    DiagnosisCase(
      name: "too few whole floats", use: .weight(.bias), shape: [15],
      values: (0..<15).map { Float($0) }),
    DiagnosisCase(
      name: "whole floats left out", use: leftOut, shape: [16], values: (0..<16).map { Float($0) }),
  ]

  /// So many values in turn.
  static func levels(_ levels: Int, of count: Int) -> [Float] {
    (0..<count).map { Float($0 % levels) / 1000 + 0.1 }
  }

  static let distinct = [
    DiagnosisCase(
      name: "256 values", use: matrix, shape: [8, 256], values: levels(256, of: 2048),
      expected: [
        "note few-values: has 256 distinct values → "
          + "compressed as asked; unique keeps every value in 8 bits"
      ]),
    DiagnosisCase(
      name: "two values", use: .weight(.tokenTable), shape: [8, 256], values: levels(2, of: 2048),
      expected: [
        "note few-values: has 2 distinct values → "
          + "compressed as asked; unique keeps every value in 1 bit"
      ]),
    DiagnosisCase(
      name: "257 values", use: matrix, shape: [8, 257], values: levels(257, of: 2056)),
    DiagnosisCase(
      name: "too small", use: matrix, shape: [23, 89], values: levels(256, of: 2047)),
    DiagnosisCase(
      name: "few values of a kept weight", use: .weight(.norm), shape: [2048],
      values: levels(4, of: 2048)),
  ]
}
