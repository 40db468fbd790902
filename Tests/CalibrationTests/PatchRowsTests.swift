import Graph
import Testing
import Weights

@testable import Calibration

@Suite struct PatchRowsTests {
  /// One plane of 2 × 3 pixels, a window of 2 × 2, a zero on the left.
  private let patches = PatchRows(
    image: [1, 2, 3], window: [2, 2], output: [2, 1, 3],
    steps: WindowSteps(strides: [1, 1], padding: [0, 0, 1, 0]))

  @Test func aRowHasTheNumbersUnderTheWindow() {
    let rows = patches.inputs([1, 2, 3, 4, 5, 6])
    #expect(rows == [0, 1, 0, 4, 1, 2, 4, 5, 2, 3, 5, 6])
    #expect(patches.inputCount == 4)
    #expect(patches.perImage == 3)
  }

  @Test func aRowOfOutputsHasTheChannelsOfAPlace() {
    #expect(patches.outputs([1, 2, 3, 10, 20, 30]) == [1, 10, 2, 20, 3, 30])
  }

  /// Three planes in as many groups, two outputs each.
  @Test func aGroupHasTheNumbersOfItsOwnChannels() {
    let patches = PatchRows(
      image: [3, 1, 2], window: [1, 2], output: [6, 1, 1], steps: WindowSteps(strides: [1, 1]),
      groups: 3)
    #expect(patches.inputCount == 2)
    let pixels: [Float] = [1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60]
    #expect(patches.inputs(pixels, group: 1) == [3, 4, 30, 40])
    #expect(patches.inputs(pixels, group: 2) == [5, 6, 50, 60])
    let values: [Float] = [1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60]
    #expect(patches.outputs(values, group: 1) == [3, 4, 30, 40])
  }

  @Test func groupsAreThoseOfTheConvolution() {
    let weight = WeightReference("w", [4, 1, 3, 3], role: .matrix(outputAxis: 0))
    let rows = PatchRows(
      Conv(
        .value("x"), weight: .weight(weight), steps: WindowSteps(strides: [1, 1]), groups: 4),
      weight: weight, x: [1, 4, 5, 5], output: [1, 4, 3, 3])
    #expect(rows?.groups == 4 && rows?.inputCount == 9 && rows?.perImage == 9)
  }
}
