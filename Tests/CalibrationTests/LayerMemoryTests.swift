import Files
import Graph
import Testing
import Weights

@testable import Calibration

/// The memory to fit a layer follows from its shape, however large the shape is.
@Suite struct LayerMemoryTests {
  private func layer(inputs: Int, outputs: Int) -> CalibratedLayer {
    CalibratedLayer(
      output: "y", input: "x",
      weight: WeightReference("w", [outputs, inputs], role: .matrix(outputAxis: 0)), bias: nil,
      residual: nil, sharesInput: false, isFirstRowTaken: false)
  }

  @Test func countsPairsWeightsAndRows() {
    #expect(LayerMemory.byteCount(inputs: 1000, outputs: 0, rows: 0) == 28_000_000)
    #expect(LayerMemory.byteCount(inputs: 10, outputs: 1000, rows: 0) == 402_800)
    #expect(LayerMemory.byteCount(inputs: 1, outputs: 1, rows: 100) == 68 + 2400)
    // Each group has pairs of its own, the weights are divided among them.
    #expect(
      LayerMemory.byteCount(inputs: 10, outputs: 100, rows: 1, groups: 100)
        == 280_000 + 40_000 + 12 * 1100)
    // No more rows are summed at once.
    #expect(
      LayerMemory.byteCount(inputs: 1, outputs: 1, rows: 1 << 40)
        == LayerMemory.byteCount(inputs: 1, outputs: 1, rows: 1024))
  }

  @Test func doesNotOverflow() {
    #expect(LayerMemory.byteCount(inputs: 1 << 40, outputs: 1 << 40, rows: 1) == .max)
    #expect(throws: FileError.self) {
      try LayerMemory.require(for: layer(inputs: 1 << 40, outputs: 1), rows: 0, of: "m")
    }
  }

  @Test func asksForTheLargestLayer() {
    let layers = [layer(inputs: 1, outputs: 1), layer(inputs: 1 << 22, outputs: 2)]
    #expect {
      try LayerMemory.require(for: layers, of: "m")
    } throws: { error in
      "\(error)".hasPrefix("m: calibrating tensor 'w' needs 492581544787968 bytes of memory, ")
    }
    #expect(throws: Never.self) { try LayerMemory.require(for: [], of: "m") }
  }
}
