import Formats
import Foundation
import Graph
import IngotFeatures
import TestSupport
import Testing
import Trees
import WeightCompression

/// Trees of libraries in Core ML files, which coremltools then lays out in another way: they are compared with
/// the libraries' own by what they decide.
@Suite(
  .enabled(
    if: TreeFolder.root != nil && Oracle.isAvailable, "no models of tables: run scripts/test"))
struct RelaidTreesTests {
  /// A model of a library, and the file that was made of it.
  private struct Written {
    let name: String
    let model: Model
    let path: String
  }

  private static func write(_ scratch: TemporaryFolder) throws -> [Written] {
    try TreeFolder.all().enumerated().compactMap { number, folder in
      let model = try ModelLoader.open(folder.model)
      let weights = try WeightCompressor.compress(
        weights: try model.usedWeights(), from: model.weights,
        options: try CompressionOptions(scheme: nil), jobs: 1)
      let path = scratch.path("\(number).mlmodel")
      do {
        try MLModelFile().writeUnproven(weights, of: model, recipe: Model.plainRecipe, to: path)
      } catch is TabularError {
        return nil
      }
      return Written(name: folder.testDescription, model: model, path: path)
    }
  }

  /// - Returns: the trees of a model, and of each feature whether a value may be missing.
  private static func trees(_ model: Model) throws -> (TreeEnsemble, missing: [Bool]) {
    let forest = try #require(model.architecture as? ForestModel)
    guard case .features(let schema) = model.architecture.input else {
      throw CancellationError()
    }
    return (
      try forest.ensemble(of: model.weights),
      schema.features.map(mayBeMissing)
    )
  }

  private static func mayBeMissing(_ feature: Feature) -> Bool {
    if case .category(let list) = feature.kind, list.unknown == .missing { return true }
    return feature.missing == .taken
  }

  /// - Parameter isSpoilt: whether leaves may be others: where a comparison parts nothing any more, the gate
  ///   holds their numbers to its rules.
  private static func difference(
    _ written: Written, _ path: String, isSpoilt: Bool = false
  ) throws -> TreeDifference? {
    let (own, takesMissing) = try trees(written.model)
    let (other, _) = try trees(try ModelLoader.open(path))
    do throws(TreeDifference) {
      let pairing = try FunctionPairing(
        own, other, takesMissing: takesMissing, isWhole: takesMissing.map { _ in false })
      // Leaves of 64 bits keep all their digits but those of shares, which are multiples of 2⁻⁵⁰.
      let width = own.leafWidth
      for (place, number) in pairing.leaves.enumerated() where !isSpoilt {
        let leaf = place % own.leafCount * width + place / own.leafCount
        let error = abs(number - own.leaves[leaf]) / max(1, abs(own.leaves[leaf]))
        #expect(error < 1e-9, "\(written.name), leaf \(leaf)")
      }
      return nil
    } catch {
      return error
    }
  }

  @Test func anotherLayoutDecidesTheSame() throws {
    let scratch = try TemporaryFolder()
    let written = try Self.write(scratch)
    #expect(written.count >= 90)
    _ = try Oracle.run(
      "relay_trees.py", ["turned"] + written.flatMap { [$0.path, $0.path + ".turned.mlmodel"] })
    for item in written {
      #expect(try Self.difference(item, item.path) == nil, "\(item.name)")
      #expect(try Self.difference(item, item.path + ".turned.mlmodel") == nil, "\(item.name)")
    }
  }

  /// A spoilt comparison is found in every model but where no row can show it: the subtrees that it parts are
  /// alike, or no value is missing.
  @Test func spoiltTreesAreFound() throws {
    let scratch = try TemporaryFolder()
    let written = try Self.write(scratch)
    for mode in ["missing", "threshold", "fewer"] {
      _ = try Oracle.run(
        "relay_trees.py", [mode] + written.flatMap { [$0.path, $0.path + ".\(mode).mlmodel"] })
    }
    var found: [String: Int] = [:]
    for item in written {
      let takesMissing = try Self.trees(item.model).missing
      for mode in ["missing", "threshold", "fewer"] {
        let difference = try Self.difference(item, item.path + ".\(mode).mlmodel", isSpoilt: true)
        switch (mode, difference) {
        case ("fewer", .treeCount): found[mode, default: 0] += 1
        case ("missing", .decision(_, let feature, .missing)):
          #expect(takesMissing[feature], "\(item.name)")
          found[mode, default: 0] += 1
        case ("missing", .decision), ("threshold", .decision): found[mode, default: 0] += 1
        case ("missing", nil), ("threshold", nil): break
        default: Issue.record("\(item.name), \(mode): \(String(describing: difference))")
        }
      }
    }
    #expect(found["fewer"] == written.count)
    #expect(found["threshold", default: 0] >= written.count * 9 / 10, "\(found)")
    #expect(found["missing", default: 0] >= written.count / 3, "\(found)")
  }
}
