import Formats
import Graph
import Testing
import Trees
import Weights

@testable import Gate

/// A file may say that its thresholds were to be coarser, and is believed no more than that allows.
@Suite(.enabled(if: TreeFolder.root != nil, "no models of tables: run scripts/test"))
struct ForgedThresholdTests {
  /// CatBoost's categories are compared for equality: another number would be another category.
  @Test func aCategoryIsNeverCoarser() throws {
    let folder = try #require(
      try TreeFolder.all().first { $0.testDescription == "catboost/categories" })
    let model = try ModelLoader.open(folder.model)
    let placed = try #require(try PlacedTrees.all(of: model.architecture).first)
    let trees = try placed.ensemble(path: "trees") { try model.weights.doubles(of: $0) }
    let forged = try Model(
      origin: model.origin, architecture: model.architecture, files: model.files,
      weights: model.weights, coarseThresholds: .few(bits: 4))
    let old = try model.weights.floats(of: placed.tensorName(.thresholds))
    func isForgiven(_ branch: Int, moved step: Float) throws -> Bool {
      // Two rows that go the same way at both numbers, and a feature with a range of a thousand.
      let feature = Int(trees.features[branch])
      let rows = [-500.0, 500.0].map { number in
        (0..<trees.featureCount).map { $0 == feature ? trees.thresholds[branch] + number : 0 }
      }
      var new = old
      new[branch] += step
      let left = try ThresholdAudit(placed, of: model, forged, rows: rows)
        .remaining(old: old, new: new).numbers
      #expect(left == old || left == new)
      return left == old
    }
    let equal = try #require(trees.rules.firstIndex { $0.contains(.isEqual) })
    #expect(try !isForgiven(equal, moved: 1))
    // One of numbers may move so far.
    let number = try #require(
      trees.rules.firstIndex { !$0.contains(.isEqual) && !$0.contains(.isCategory) })
    #expect(try isForgiven(number, moved: 1))
  }
}
