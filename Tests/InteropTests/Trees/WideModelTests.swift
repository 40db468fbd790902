import Formats
import Graph
import IngotFeatures
import TestSupport
import Testing

/// Files of more features than a description takes are refused as they are read, by their own name.
@Suite(.enabled(if: Oracle.isAvailable, "INGOT_ORACLE_PYTHON names no Python environment"))
struct WideModelTests {
  private static let files = ["model.json", "model.txt", "model.onnx"]

  private func models(features: Int) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    _ = try Oracle.run("make_wide_trees.py", [folder.path, "\(features)"])
    return folder
  }

  @Test func tooManyFeaturesAreNamedWithTheirFile() throws {
    let folder = try models(features: 160_000)
    for name in Self.files {
      let path = folder.path(name)
      let words = refusal { _ = try ModelLoader.open(path) }
      #expect(
        words.hasPrefix("\(path): has 160000 features with 0 names of categories, which take 3200"),
        "\(words)")
      #expect(
        words.hasSuffix(
          " values of JSON to describe, at most 300000 are read; train with fewer columns, without "
            + "those that no tree looks at"), "\(words)")
      // Where the program looks at weights alone, it is the same.
      #expect(refusal { _ = try ModelLoader.weights(of: path) } == words)
    }
  }

  @Test func whatIsBelowTheLimitOpens() throws {
    let folder = try models(features: 145_000)
    for name in Self.files {
      let model = try ModelLoader.open(folder.path(name))
      guard case .features(let schema) = model.architecture.input else {
        Issue.record("\(name)")
        continue
      }
      #expect(schema.features.count == 145_000, "\(name)")
    }
  }

  /// Plain arrays are described by whoever wrote them: that file is named.
  @Test func aDescriptionOfTooManyIsNamedItself() throws {
    let folder = try TemporaryFolder()
    let inputs = (0..<160_000).map { "{\"name\": \"f\($0)\"}" }.joined(separator: ",")
    try folder.write("m/model.json", "{\"architecture\": \"trees\", \"inputs\": [\(inputs)]}")
    try folder.write("m/value.npy", NpyBytes.array("<f4", "(1,)", data: [0, 0, 128, 63]))
    let words = refusal { _ = try ModelLoader.open(folder.path("m")) }
    #expect(words.hasPrefix("\(folder.path("m/model.json")):1:"), "\(words)")
    #expect(words.hasSuffix("the text holds more than 300000 values"), "\(words)")
  }
}
