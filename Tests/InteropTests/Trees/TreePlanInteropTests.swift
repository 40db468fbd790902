import Foundation
import TestSupport
import Testing
import Weights

/// What `plan` says of trees is what `compress` writes.
@Suite(.enabled(if: TreeFolder.root != nil, "no models of tables: run scripts/test"))
struct TreePlanInteropTests {
  static let recipe = """
    ingot-recipe: 1
    rules:
      - match: {role: threshold}
        use: {scheme: palettize, bits: 4}
      - match: {role: matrix}
        use: {scheme: palettize, bits: 6}
    """

  @Test(
    arguments: [
      "sklearn/forest", "sklearn/histograms-categories", "lightgbm/deep-text",
      "xgboost/binary-logistic-json",
    ],
    [["--scheme", "none"], ["--scheme", "int8"], ["--recipe", "./recipe.yaml"]])
  func bytesAreThoseOfTheFile(_ name: String, _ options: [String]) throws {
    let folder = try #require(try TreeFolder.all().first { $0.testDescription == name })
    let scratch = try TemporaryFolder()
    try Self.recipe.write(toFile: scratch.path("recipe.yaml"), atomically: true, encoding: .utf8)
    let plan = try Program.run(["plan", folder.model, "--json"] + options, in: scratch.path).json()
    let made = try Program.run(
      ["compress", folder.model, "--output", "small.safetensors"] + options, in: scratch.path)
    try #require(made.status == 0, "\(made.errors)")
    let file = try WeightCollection.open(scratch.path("small.safetensors"))
    let bytes = file.tensors.map { $0.shape.reduce($0.elementType.bitWidth / 8, *) }
    #expect(plan["bytes"] as? Int == bytes.reduce(0, +))
    let tensors = try #require(plan["tensors"] as? [[String: Any]])
    for tensor in tensors {
      let name = try #require(tensor["name"] as? String)
      let own = zip(file.tensors, bytes).filter {
        $0.0.name.text == name || $0.0.name.text.hasPrefix("\(name):")
      }
      #expect(tensor["bytes"] as? Int == own.map(\.1).reduce(0, +), "\(name)")
    }
  }
}
