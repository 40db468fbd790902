import Graph
import TestSupport
import Testing
import Weights

@testable import Calibration

struct TrainedNumbersTests {
  /// Lends its numbers in pieces that cut rows.
  private struct Pieces: WeightSource {
    let values: [Float]
    let length: Int
    let names: [TensorName] = ["t"]

    func shape(of name: TensorName) -> [Int]? { nil }
    func floats(of name: TensorName) throws -> [Float] { values }
    func forEachPiece(of name: TensorName, _ body: (Span<Float>) -> Bool) throws {
      var start = 0
      while start < values.count {
        let piece = Array(values[start..<min(start + length, values.count)])
        guard body(piece.span) else { return }
        start += length
      }
    }
  }

  @Test(arguments: [1, 3, 5, 7, 8, 64, 1000])
  func rowsAreThoseOfTheWhole(_ length: Int) throws {
    let (rows, width) = (40, 7)
    let source = Pieces(values: (0..<rows * width).map(Float.init), length: length)
    var numbers = SeededGenerator(seed: UInt64(length))
    for _ in 0..<30 {
      let chosen = Set((0..<6).map { _ in Int.random(in: 0..<rows, using: &numbers) })
      guard
        case .rows(let found) = try TrainedNumbers(
          rows: chosen, of: WeightReference("t", [rows, width], role: .tokenTable), from: source)
      else {
        Issue.record("not rows")
        return
      }
      #expect(Set(found.keys) == chosen)
      for row in chosen {
        #expect(found[row] == Array(source.values[row * width..<(row + 1) * width]))
      }
    }
  }
}
