import Graph
import Testing
import WeightCompression

@testable import Calibration

/// Against every choice there is.
@Suite struct BruteForceTests {
  @Test func codesAreNearTheBestForTheirPalette() throws {
    var (ours, best, plain) = (0.0, 0.0, 0.0)
    for seed in 0..<40 as Range<UInt64> {
      let layer = SampleLayer(3, 4, rows: 40, seed: seed)
      let measure = try LossMeasure(layer)
      let result = try layer.compressed(.palette(bits: 2, .perTensor), floats: .float32)
      guard case .palette(let codes) = result.content else { continue }
      let optimum = (0..<3).reduce(0) { $0 + bestRow($1, codes.floats(.float32), measure) }
      #expect(result.loss >= optimum * measure.problem.unit * 0.999)
      ours += result.loss / measure.problem.unit
      best += optimum
      plain += measure.plainLoss(.palette(bits: 2, .perTensor)) / measure.problem.unit
    }
    #expect(ours < 1.05 * best)
    #expect(ours < 0.8 * plain)
  }

  @Test func codesAndPaletteAreNearTheBestOfAll() throws {
    var (ours, best) = (0.0, 0.0)
    for seed in 0..<30 as Range<UInt64> {
      let layer = SampleLayer(2, 4, rows: 30, seed: 100 + seed)
      let measure = try LossMeasure(layer)
      let result = try layer.compressed(.palette(bits: 1, .perTensor), floats: .float32)
      let optimum = bestOfAll(measure)
      #expect(result.loss >= optimum * measure.problem.unit * 0.999)
      ours += result.loss / measure.problem.unit
      best += optimum
    }
    #expect(ours < 1.15 * best)
  }

  /// The least loss of one row with any of the entries in each place.
  private func bestRow(_ row: Int, _ entries: [Float], _ measure: LossMeasure) -> Double {
    var values = measure.layer.weights
    let n = measure.layer.inputs
    var best = Double.infinity
    for choice in 0..<256 {
      for i in 0..<n { values[row * n + i] = entries[choice >> (2 * i) & 3] }
      best = min(best, measure.loss(row, values))
    }
    return best
  }

  /// The least loss of two rows of four values with any two entries.
  private func bestOfAll(_ measure: LossMeasure) -> Double {
    (0..<256).reduce(Double.infinity) { best, choice in
      min(best, bestEntries((0..<8).map { choice >> $0 & 1 }, measure))
    }
  }

  /// The least loss with these codes: the lowest point of a parabola in two entries.
  private func bestEntries(_ codes: [Int], _ measure: LossMeasure) -> Double {
    func loss(_ low: Float, _ high: Float) -> Double {
      let values = codes.map { $0 == 0 ? low : high }
      return measure.loss(0, values) + measure.loss(1, values)
    }
    let (zero, a, b) = (loss(0, 0), loss(1, 0), loss(0, 1))
    let (aNegative, bNegative, both) = (loss(-1, 0), loss(0, -1), loss(1, 1))
    let (slopeA, slopeB) = ((a - aNegative) / 2, (b - bNegative) / 2)
    let (curveA, curveB) = (a + aNegative - 2 * zero, b + bNegative - 2 * zero)
    let cross = both - a - b + zero
    let determinant = curveA * curveB - cross * cross
    guard determinant > 1e-12 * max(curveA, curveB) else {
      let curve = max(curveA, curveB)
      let slope = curveA > curveB ? slopeA : slopeB
      return zero - slope * slope / (2 * curve)
    }
    let x = -(curveB * slopeA - cross * slopeB) / determinant
    let y = -(curveA * slopeB - cross * slopeA) / determinant
    return zero + (slopeA * x + slopeB * y) / 2
  }
}
