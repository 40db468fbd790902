import Formats
import Foundation
import Graph
import TestSupport
import Testing
import Trees
import WeightCompression
import Weights

/// Thresholds of libraries' trees in fewer numbers, as `compress` writes them and numpy reads them.
@Suite(
  .enabled(
    if: TreeFolder.root != nil && Oracle.isAvailable, "no models of tables: run scripts/test"))
struct TreeThresholdInteropTests {
  static let schemes = [
    "{scheme: float16}", "{scheme: int8}", "{scheme: palettize, bits: 8}",
    "{scheme: palettize, bits: 4}",
  ]
  static let names = [
    "sklearn/forest", "sklearn/histograms-categories", "lightgbm/deep-text",
    "xgboost/binary-logistic-json",
    "catboost/multiclass",
  ]

  /// How far a threshold may move, as `specs/formats/tree-model.md` says it, of its feature's range.
  static let shares = [1.0 / 512, 1.0 / 508, 1.0 / 512, 1.0 / 32]

  /// Every reference comes to the leaves that it came to, no threshold moves farther than its scheme says, and the gate
  /// takes the model for what it is.
  @Test(arguments: names)
  func thresholdsFollowTheRecipe(_ name: String) throws {
    let folder = try #require(try TreeFolder.all().first { $0.testDescription == name })
    let scratch = try TemporaryFolder()
    try Self.write(references: folder.rows, to: scratch)
    let own = try Self.trees(folder.model)
    let rows = folder.rows.map { $0.map { Double(Float($0)) } }
    let ranges = (0..<own.featureCount).map { feature in
      let values = rows.map { $0[feature] }.filter { !$0.isNaN }
      return (values.max() ?? 0) - (values.min() ?? 0)
    }
    var counts: [Int] = []
    for (number, scheme) in Self.schemes.enumerated() {
      let path = try Self.compress(folder.model, scheme, scratch, "\(number)")
      let written = try Self.trees(path)
      for row in rows {
        let moved = (0..<own.treeCount).first { tree in
          let (old, new) = (own.leaf(of: row, tree), written.leaf(of: row, tree))
          return (0..<own.leafWidth).contains {
            Float(own.leaves[old * own.leafWidth + $0])
              != Float(written.leaves[new * own.leafWidth + $0])
          }
        }
        try #require(moved == nil, "tree \(moved ?? 0) by \(scheme), row \(row)")
      }
      for (old, new) in try Self.pairs(own, written) where !own.rules[old].contains(.isCategory) {
        let move = (own.thresholds[old] - written.thresholds[new]).magnitude
        let range = ranges[Int(own.features[old])]
        try #require(move <= Self.shares[number] * range, "branch \(old) by \(scheme)")
      }
      counts.append(
        (0..<Int32(own.featureCount)).reduce(0) { $0 + Self.numbers(written, $1).count })
    }
    let all = (0..<Int32(own.featureCount)).reduce(0) { $0 + Self.numbers(own, $1).count }
    #expect(counts[3] <= counts[2] && counts[2] <= all, "\(counts) of \(all)")
    // Others have no more than 16 thresholds of a feature, or a decision for each.
    if ["sklearn/forest", "lightgbm/deep-text"].contains(name) { #expect(counts[3] < all) }
  }

  /// Branches of trees of one form, node by node.
  private static func pairs(_ own: TreeEnsemble, _ other: TreeEnsemble) throws -> [(Int, Int)] {
    var open = Array(zip(own.roots, other.roots))
    var found: [(Int, Int)] = []
    while let (node, theirs) = open.popLast() {
      try #require((node < 0) == (theirs < 0))
      guard node >= 0 else { continue }
      found.append((Int(node), Int(theirs)))
      open.append((own.left[Int(node)], other.left[Int(theirs)]))
      open.append((own.right[Int(node)], other.right[Int(theirs)]))
    }
    return found
  }

  @Test(arguments: names, [schemes[0], schemes[3]])
  func numpyReadsThem(_ name: String, _ scheme: String) throws {
    let folder = try #require(try TreeFolder.all().first { $0.testDescription == name })
    let scratch = try TemporaryFolder()
    try Self.write(references: folder.rows, to: scratch)
    let path = try Self.compress(folder.model, scheme, scratch, "small")
    let model = try ModelLoader.open(path)
    let reference = try #require(try model.usedWeights().first { $0.role == .threshold })
    let stored = try #require(try ModelFormat.storage(ofOpened: model)?.stored(reference))
    #expect(
      [.narrow(.float16), nil].contains(stored.scheme)
        || stored.scheme?.label.hasPrefix("tables of") == true)
    _ = try Oracle.run("read_compressed.py", [path, scratch.path("decoded.npz")])
    let decoded = try WeightCollection.open(scratch.path("decoded.npz"))
    #expect(decoded.tensors.map(\.name) == model.weights.names)
    for tensor in decoded.tensors {
      #expect(tensor.shape == model.weights.shape(of: tensor.name))
      #expect(try tensor.floats() == model.weights.floats(of: tensor.name), "\(tensor.name)")
    }
  }

  /// Thresholds of 64 bits in 32 are no weight that looks wrong: what is rounded away was kept times a large factor.
  @Test func roundedThresholdsAreNoDamage() throws {
    let folder = try #require(
      try TreeFolder.all().first { $0.testDescription == "lightgbm/deep-text" })
    let scratch = try TemporaryFolder()
    try Self.write(references: folder.rows, to: scratch)
    let made = try Program.run(
      [
        "compress", folder.model, "--scheme", "none", "--references", "references.jsonl",
        "--output", "none.safetensors",
      ], in: scratch.path)
    try #require(made.status == 0, "\(made.errors)")
    #expect(!made.errors.contains("trees.thresholds"), "\(made.errors)")
    let model = try ModelLoader.open(scratch.path("none.safetensors"))
    let reference = try #require(try model.usedWeights().first { $0.role == .threshold })
    // All three numbers were written, or rounding has left one: this is what the warning was about.
    let rests = try model.weights.floats(of: reference.name).dropFirst(reference.shape[1])
    #expect(rests.allSatisfy { $0 == 0 })
  }

  private static func numbers(_ trees: TreeEnsemble, _ feature: Int32) -> Set<Double> {
    Set(
      trees.thresholds.indices.filter {
        trees.features[$0] == feature && !trees.rules[$0].contains(.isCategory)
      }.map { trees.thresholds[$0] })
  }

  private static func write(
    references rows: [[Double]], to scratch: borrowing TemporaryFolder
  ) throws {
    let lines = rows.map { row in
      let values = row.map { $0.isNaN ? "null" : "\(Double(Float($0)))" }.joined(separator: ",")
      return #"{"input":{"values":[\#(values)]}}"#
    }
    try lines.joined(separator: "\n").write(
      toFile: scratch.path("references.jsonl"), atomically: true, encoding: .utf8)
  }

  /// The path of a model with thresholds of a scheme, which the gate passed.
  private static func compress(
    _ model: String, _ scheme: String, _ scratch: borrowing TemporaryFolder, _ name: String
  ) throws -> String {
    let recipe = """
      ingot-recipe: 1
      rules:
        - match: {role: threshold}
          use: \(scheme)
        - match: {}
          use: keep
      """
    try recipe.write(toFile: scratch.path("recipe.yaml"), atomically: true, encoding: .utf8)
    let made = try Program.run(
      [
        "compress", model, "--recipe", "./recipe.yaml", "--references", "references.jsonl",
        "--output", "\(name).safetensors",
      ], in: scratch.path)
    try #require(made.status == 0, "\(made.errors)")
    return scratch.path("\(name).safetensors")
  }

  private static func trees(_ path: String) throws -> TreeEnsemble {
    let model = try ModelLoader.open(path)
    let graph = try model.graph(batch: 1, length: 1)
    return try #require(graph.nodes.first?.operation as? TreeSum).ensemble(of: model.weights)
  }
}
