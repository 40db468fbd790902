import Foundation
import TestSupport
import Testing

/// `USAGE.md` of packages of every kind: it names what the package has, and its Swift parses.
struct UsagePageTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The page for a model.
  private func page(_ model: String, _ flags: [String] = []) throws -> String {
    try FileManager.default.createDirectory(
      atPath: folder.path("out"), withIntermediateDirectories: true)
    let run = try Program.run(
      ["compress", model, "-o", "out/Small.mlpackage", "--with-preparation", "--quiet"] + flags,
      in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    return String(decoding: try folder.bytes("out/USAGE.md"), as: UTF8.self)
  }

  /// The lines of Swift of a page.
  private static func swift(_ page: String) -> String {
    let parts = page.components(separatedBy: "```swift\n").dropFirst()
    return parts.map { $0.components(separatedBy: "```")[0] }.joined(separator: "\n")
  }

  /// A classifier of two features.
  private func classifier(_ activation: String) throws {
    try folder.write("model/w.npy", Npy.bytes([2, 2], [1, 0, 0.5, 1]))
    try folder.write(
      "model/model.json",
      """
      {"architecture": "dense", "inputs": [{"name": "age"}, {"name": "height"}],
       "layers": [{"weight": "w.npy", "activation": "\(activation)"}],
       "output": {"name": "cluster", "kind": "classifier", "labels": ["near", "far"]}}
      """)
  }

  @Test func scoresAreNotCalledProbabilities() throws {
    try classifier("identity")
    let page = try page("model")
    #expect(
      page.contains(
        #"let scores = output.featureValue(for: "cluster_score")?.dictionaryValue"#))
    #expect(!page.lowercased().contains("probabilit"), "\(page)")
  }

  @Test func probabilitiesAreCalledSo() throws {
    try classifier("softmax")
    #expect(
      try page("model").contains(
        #"let probabilities = output.featureValue(for: "cluster_probability")?.dictionaryValue"#))
  }

  private func forest() throws {
    #expect(try Program.run(["init", ".", "--template", "tabular"], in: folder.path).status == 0)
  }

  @Test func treesTakeEachFeatureByItsName() throws {
    try forest()
    let page = try page("models/engagement", ["--references", "references/engagement.jsonl"])
    #expect(page.contains("Each feature is an input of its own: `battery_level`, "), "\(page)")
    #expect(page.contains(#"  "battery_level": MLFeatureValue(double: 0),"#))
    #expect(!page.contains("MLMultiArray"))
  }

  @Test func imagesHaveTheirSizeAndTheirOutput() throws {
    try TinyClip.write(to: folder.path("clip"))
    let page = try page("clip", ["--encoder", "image"])
    #expect(page.contains("An image is 16 × 16 pixels, RGB; scaling and normalisation are inside."))
    #expect(page.contains("imageAt: imageURL, pixelsWide: 16, pixelsHigh: 16,"))
    #expect(page.contains(#"dictionary: ["image": value]"#))
    #expect(page.contains(#"output.featureValue(for: "embedding")"#))
    #expect(page.contains("(0..<8).map"))
    #expect(page.contains("as `preprocessor_config.json` beside the package say"), "\(page)")
    #expect(
      try folder.bytes("out/preprocessor_config.json")
        == (try folder.bytes("clip/preprocessor_config.json")))
    #expect(!page.contains("tokens"))
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let model: String
    var flags: [String] = []
    var testDescription: String { name }
  }

  static let encoder = "\(Program.repository)/specs/examples/quickstart/models/sentence-encoder"

  static let cases = [
    Case(name: "one length", model: encoder, flags: ["--lengths", "32"]),
    Case(name: "several lengths", model: encoder, flags: ["--lengths", "16,32"]),
    Case(name: "a range of lengths", model: encoder, flags: ["--lengths", "1...32"]),
    Case(name: "CLIP's texts", model: "clip", flags: ["--encoder", "text"]),
    Case(name: "CLIP's images", model: "clip", flags: ["--encoder", "image"]),
    Case(name: "labels and probabilities", model: "softmax"),
    Case(name: "labels and scores", model: "identity"),
    Case(name: "vectors of features", model: "embedding"),
    Case(name: "numbers", model: "regressor"),
    Case(
      name: "trees", model: "trees", flags: ["--references", "references/engagement.jsonl"]),
  ]

  private static let hasCompiler = Program.has("swiftc")

  @Test(.enabled(if: hasCompiler, "swiftc is needed"), arguments: cases)
  func theLinesParse(_ test: Case) throws {
    switch test.model {
    case "clip": try TinyClip.write(to: folder.path("clip"))
    case "softmax", "identity": try classifier(test.model)
    case "embedding", "regressor": try folder.writeModel(kind: test.model)
    case "trees": try forest()
    default: break
    }
    let isPath = ["clip", Self.encoder].contains(test.model)
    let path = isPath ? test.model : test.model == "trees" ? "models/engagement" : "model"
    let lines = Self.swift(try page(path, test.flags))
    #expect(lines.hasPrefix("import CoreML\n") && lines.contains("model.prediction(from: input)"))
    try folder.write("main.swift", lines)
    let run = try Program.shell(
      "swiftc -frontend -parse \"$1\" 2>&1", ["main.swift"], in: folder.path)
    #expect(run.status == 0, "\(run.output)\n\(lines)")
  }
}
