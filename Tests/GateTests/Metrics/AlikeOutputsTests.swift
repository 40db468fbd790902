import Inputs
import TestSupport
import Testing

@testable import Gate

struct AlikeOutputsTests {
  /// Rows around one direction, some of them a part of the widest angle away.
  private static func rows(_ count: Int, spread: Float, seed: UInt64) -> OutputMatrix {
    var numbers = SeededGenerator(seed: seed)
    let width = 12
    let rows = (0..<count).map { _ in
      let size = 1 + numbers.float().magnitude
      return (0..<width).map { size * ((($0 == 0) ? 1 : 0) + spread * numbers.float()) }
    }
    return OutputMatrix(rowCount: count, width: width, values: rows.flatMap { $0 })
  }

  private static func compareEach(_ outputs: OutputMatrix) -> Bool {
    let vectors = Vectors(outputs)
    return (0..<vectors.count).allSatisfy { one in
      (0..<vectors.count).allSatisfy {
        $0 == one || vectors.cosine(one, $0) > AlikeOutputs.cosine
      }
    }
  }

  /// The short ways say what comparing each with each says, on both sides of the limit.
  @Test func isWhatComparingEachWithEachSays() {
    var alike = 0, others = 0
    for seed in 0..<200 as Range<UInt64> {
      let outputs = Self.rows(80, spread: 0.002 + 0.00002 * Float(seed), seed: seed)
      let expected = Self.compareEach(outputs)
      #expect(AlikeOutputs.areAlike(outputs, Array(0..<80)) == expected, "seed \(seed)")
      if expected { alike += 1 } else { others += 1 }
    }
    #expect(alike > 20 && others > 20, "\(alike) alike, \(others) not")
  }

  /// Two that are apart, though each is near the first.
  @Test func twoThatAreApartAreFound() {
    var values = [Float](repeating: 0, count: 3 * 100)
    for row in 0..<100 { values[3 * row] = 1 }
    (values[3 * 98 + 1], values[3 * 99 + 1]) = (0.012, -0.012)
    let outputs = OutputMatrix(rowCount: 100, width: 3, values: values)
    #expect(!AlikeOutputs.areAlike(outputs, Array(0..<100)))
    #expect(AlikeOutputs.areAlike(outputs, Array(0..<99)))
  }
}
