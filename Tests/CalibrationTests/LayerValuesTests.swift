import Graph
import Testing
import Weights

@testable import Calibration

@Suite struct LayerValuesTests {
  private func values(
    isFirstRowTaken: Bool, inputs: [[Float]], outputs: [[Float]], counts: [Int],
    residuals: ([[Float]], [[Float]]) = ([], [])
  ) -> LayerValues {
    LayerValues(
      layer: CalibratedLayer(
        output: "y", input: "x",
        weight: WeightReference("w", [1, 2], role: .matrix(outputAxis: 0)), bias: nil,
        residual: nil, sharesInput: false, isFirstRowTaken: isFirstRowTaken),
      inputs: inputs, outputs: outputs, residuals: residuals, counts: counts, firstRowShare: 0.5)
  }

  private func moments(_ values: LayerValues) throws -> LayerMoments {
    var statistics = LayerValues.statistics(of: values.layer, jobs: 1)
    try values.add(to: &statistics)
    return try #require(statistics.first).moments()
  }

  /// Two inputs of three rows, then one of one row.
  private let inputs: [[Float]] = [[1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0], [10, 1]]
  private let outputs: [[Float]] = [[1, 1, 1, 1, 1, 1], [4]]

  @Test func rowsOfEveryInputWeighTheSame() throws {
    let values = values(
      isFirstRowTaken: false, inputs: inputs, outputs: outputs, counts: [2, 1])
    let moments = try moments(values)
    // (2 + 5 + 10) / 3, (0 + 0 + 1) / 3, (1 + 1 + 4) / 3
    #expect(abs(moments.inputMeans[0] - 17 / 3) < 1e-5)
    #expect(abs(moments.inputMeans[1] - 1 / 3) < 1e-5)
    #expect(abs(moments.outputMeans[0] - 2) < 1e-5)
    #expect(abs(moments.weight - 1) < 1e-5)
  }

  @Test func theFirstRowWeighsMoreWhereNothingElseIsTaken() throws {
    let values = values(
      isFirstRowTaken: true, inputs: inputs, outputs: outputs, counts: [2, 1])
    let moments = try moments(values)
    // Half of the mean of 1, 4 and 10, half of that of all rows.
    #expect(abs(moments.inputMeans[0] - (5 + 17.0 / 3) / 2) < 1e-5)
    #expect(abs(moments.weight - 1) < 1e-5)
  }

  @Test func targetsMakeUpForTheResidual() throws {
    let values = values(
      isFirstRowTaken: false, inputs: inputs, outputs: outputs, counts: [2, 1],
      residuals: ([[1, 2, 3, 4, 5, 6], [7]], [[1, 2, 3, 4, 5, 3], [1]]))
    let moments = try moments(values)
    // (1 + (1 + 1 + 4) / 3 + 10) / 3
    #expect(abs(moments.outputMeans[0] - 13 / 3) < 1e-5)
  }
}
