import Formats
import Foundation
import Graph
import Inputs
import TestSupport
import Testing
import Trees
import WeightCompression

/// Core ML files of models of tables: coremltools loads them, and numpy computes what is in them.
@Suite(
  .enabled(
    if: TreeFolder.root != nil && Oracle.isAvailable, "no models of tables: run scripts/test"))
struct MLModelInteropTests {
  /// A model that was written.
  private struct Written {
    let folder: TreeFolder
    let ensemble: TreeEnsemble
    let path: String
    let rows: [[Double]]
  }

  private static func weights(_ model: Model) throws -> CompressedWeights {
    try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights,
      options: try CompressionOptions(scheme: nil), jobs: 1)
  }

  /// Those that Core ML can hold, as files in a folder; reasons against the others.
  private static func write(
    _ scratch: TemporaryFolder
  ) throws -> (written: [Written], refused: [String: String]) {
    var written: [Written] = []
    var refused: [String: String] = [:]
    for (number, folder) in try TreeFolder.all().enumerated() {
      let model = try ModelLoader.open(folder.model)
      let path = scratch.path("\(number).mlmodel")
      do {
        try MLModelFile().writeUnproven(
          try weights(model), of: model, recipe: Model.plainRecipe, to: path)
      } catch let error as TabularError {
        refused[folder.testDescription] = error.description
        #expect(!FileManager.default.fileExists(atPath: path))
        continue
      }
      let graph = try model.graph(batch: 1, length: 1)
      let ensemble = try #require(graph.nodes.first?.operation as? TreeSum)
        .ensemble(of: model.weights)
      // Core ML compares doubles: numbers of 32 bits are those for which thresholds were rounded.
      let rows = folder.rows.prefix(200).map { row in
        ensemble.precision.roundsFeatures ? row.map { Double(Float($0)) } : row
      }
      // Sets of categories decide the same for numbers that are whole.
      let categories = Set(
        (0..<ensemble.branchCount).filter { ensemble.rules[$0].contains(.isCategory) }
          .map { Int(ensemble.features[$0]) })
      let whole = rows.filter { row in
        categories.allSatisfy { row[$0].isNaN || row[$0] >= 0 && row[$0] == row[$0].rounded() }
      }
      #expect(!whole.isEmpty)
      written.append(
        Written(
          folder: folder, ensemble: ensemble, path: path, rows: whole))
    }
    return (written, refused)
  }

  @Test func numpyComputesWhatTheLibrariesDo() throws {
    let scratch = try TemporaryFolder()
    let (written, refused) = try Self.write(scratch)
    #expect(written.count >= 90, "\(refused)")
    for (name, reason) in refused { #expect(reason.contains("Core ML"), "\(name): \(reason)") }
    var arguments: [String] = []
    for item in written {
      let bytes = item.rows.flatMap(\.self).flatMap { value in
        withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
      }
      try Data(bytes).write(to: URL(filePath: item.path + ".f64"))
      arguments += [item.path, item.path + ".f64", item.path + ".out"]
    }
    _ = try Oracle.run("run_tabular_coreml.py", arguments)
    for item in written {
      let data = try Data(contentsOf: URL(filePath: item.path + ".out"))
      let found = data.withUnsafeBytes { raw in
        (0..<raw.count / 8).map { raw.loadUnaligned(fromByteOffset: 8 * $0, as: Double.self) }
      }
      let width = found.count / item.rows.count
      let again = try ModelRunner(model: try ModelLoader.open(item.path), jobs: 2).outputs(
        for: item.rows.map { Input.values($0) })
      let limit = item.ensemble.precision.addsFloats ? 2e-5 : 1e-9
      var worst = 0.0
      var worstAgain = 0.0
      for (number, row) in item.rows.enumerated() {
        let plain = item.ensemble.outputs(of: row)
        let numbers = found[number * width..<(number + 1) * width].suffix(plain.count)
        for (value, expected) in zip(numbers, plain) {
          worst = max(worst, abs(value - expected) / max(1, abs(expected)))
        }
        // What is read back runs in doubles, too, and gives its outputs in 32 bits.
        for (value, expected) in zip(Array(again[number]), numbers) {
          worstAgain = max(worstAgain, abs(Double(value) - expected) / max(1, abs(expected)))
        }
        #expect(again[number].count == plain.count)
      }
      #expect(worst <= limit, "\(item.folder.testDescription): numpy")
      #expect(worstAgain <= 1e-7, "\(item.folder.testDescription): read back")
    }
  }
}
