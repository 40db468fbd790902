import Foundation
import TestSupport
import Testing

/// Core ML packages as a user makes, sees and runs them.
struct CoreMLCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Program {
    try Program.run(arguments, environment: environment, in: folder.path)
  }

  func compress(_ flags: [String] = [], output: String = "X.mlpackage") throws -> Program {
    try run(["compress", "model", "--format", "mlpackage", "-o", output] + flags)
  }

  static let parts = [
    "Data/com.apple.CoreML/model.mlmodel", "Data/com.apple.CoreML/weights/weight.bin",
    "Manifest.json",
  ]

  /// The contents of a package, by path.
  func contents(_ package: String) throws -> [String: Data] {
    try folder.contents(of: package)
  }

  @Test func provenPackageIsWrittenAndReported() throws {
    try folder.writeModel()
    try folder.writePairs()
    let made = try compress(["--references", "pairs.jsonl", "--json"])
    #expect(made.status == 0)
    #expect(made.errors.isEmpty)
    let json = try made.json()
    #expect(json["format"] as? String == "mlpackage")
    #expect((json["gate"] as? [String: Any])?["verdict"] as? String == "passed")
    let files = try contents("X.mlpackage")
    #expect(files.keys.sorted() == Self.parts)
    #expect(json["sizeBytes"] as? Int == files.values.reduce(0) { $0 + $1.count })
    let tensors = try #require(json["tensors"] as? [[String: Any]])
    #expect(tensors.map { $0["bits"] as? Int } == [8, 16, 8])
    #expect(tensors.map { $0["bytes"] as? Int } == [24 + 6 * 3, 12, 30 + 5 * 3])
    #expect(try folder.names() == ["X.mlpackage", "model", "pairs.jsonl"])
  }

  @Test func textAndQuietAnswers() throws {
    try folder.writeModel()
    let answer = #/X\.mlpackage: mlpackage, [0-9.]+ kB, 3 tensors, sha256 [0-9a-f]{64}\n/#
    let quiet = try compress(["--quiet"])
    #expect(quiet.status == 0)
    #expect(quiet.output.wholeMatch(of: answer) != nil)
    let warning =
      "warning: X.mlpackage is unproven: no reference pairs were given\n"
    #expect(quiet.errors == warning)
    let text = try compress(["--verbose"])
    #expect(text.output.hasPrefix(quiet.output))
    #expect(text.output.contains("w0      [6, 4]  int8 per channel     42"))
    #expect(text.errors == warning)
  }

  /// An earlier package makes way, whole.
  @Test func earlierPackageIsReplaced() throws {
    try folder.writeModel()
    #expect(try compress().status == 0)
    let first = try contents("X.mlpackage")
    try folder.write("X.mlpackage/Data/left.txt", "over")
    #expect(try compress(["--scheme", "none"]).status == 0)
    let second = try contents("X.mlpackage")
    #expect(second.keys.sorted() == Self.parts)
    #expect(second != first)
    #expect(try folder.names() == ["X.mlpackage", "model"])
  }

  static let schemes: [(flags: [String], target: String, opset: String)] = [
    ([], "iOS16", "CoreML6"), (["--scheme", "none"], "iOS16", "CoreML6"),
    (["--minimum-deployment-target", "iOS17"], "iOS17", "CoreML7"),
    (["--scheme", "palettize", "--bits", "4"], "iOS16", "CoreML6"),
    (["--scheme", "palettize", "--bits", "3"], "iOS18", "CoreML8"),
    (["--granularity", "per-tensor", "--minimum-deployment-target", "iOS18"], "iOS18", "CoreML8"),
  ]

  @Test(arguments: schemes.indices)
  func planSaysWhatCompressDoes(_ index: Int) throws {
    let (flags, target, opset) = Self.schemes[index]
    try folder.writeModel()
    let plan = try run(["plan", "model", "--format", "mlpackage", "--json"] + flags)
    #expect(plan.status == 0)
    let planned = try plan.json()
    let made = try compress(flags + ["--json"]).json()
    let keys = ["name", "shape", "scheme", "bits", "bytes"]
    func rows(_ json: [String: Any]) -> [[String]] {
      (json["tensors"] as? [[String: Any]] ?? []).map { row in keys.map { "\(row[$0] ?? "")" } }
    }
    #expect(rows(planned) == rows(made))
    #expect(rows(planned).count == 3)
    #expect(planned["minimumDeploymentTarget"] as? String == target)
    #expect(planned["opset"] as? String == opset)
    let inspected = try run(["inspect", "X.mlpackage", "--json"]).json()
    #expect(inspected["opset"] as? String == opset)
    #expect(
      inspected["specificationVersion"] as? Int == planned["specificationVersion"] as? Int)
    let bytes = (inspected["tensors"] as? [[String: Any]] ?? []).compactMap { $0["bytes"] as? Int }
    #expect(planned["bytes"] as? Int ?? 0 <= bytes.reduce(0, +))
    let text = try run(["plan", "model", "--format", "mlpackage"] + flags)
    #expect(text.output.hasSuffix(", opset \(opset): \(target) and later\n"))
    let quiet = try run(["plan", "model", "--format", "mlpackage", "--quiet"] + flags)
    #expect(quiet.output.split(separator: "\n").count == 2)
    #expect(text.output.hasSuffix(quiet.output))
  }

  @Test func inspectTellsWhatIsInIt() throws {
    try folder.writeModel()
    #expect(try compress().status == 0)
    let text = try run(["inspect", "X.mlpackage"])
    #expect(text.status == 0)
    #expect(text.errors.isEmpty)
    for line in [
      "\nspecification version 7, opset CoreML6: iOS16 and later\n",
      "\ntakes 'features', fp32 [1, 4]: The features, in this order: a, b, c, d\n",
      "\ngives 'vector', fp32 [1, 5]: The embedding, 5 numbers; compare by cosine similarity\n",
      "\ndev.ingot.recipe: int8 per channel\n",
    ] { #expect(text.output.contains(line), "\(text.output)") }
    let json = try run(["inspect", "X.mlpackage", "--json"]).json()
    #expect(json["architecture"] as? String == "mlprogram")
    let tensors = try #require(json["tensors"] as? [[String: Any]])
    #expect(tensors.compactMap { $0["name"] as? String } == ["b0", "w0", "w1"])
    #expect(
      tensors.compactMap { $0["type"] as? String }
        == ["fp16", "uint8, 6 scales", "uint8, 5 scales"])
    #expect(tensors.compactMap { $0["role"] as? String } == ["bias", "matrix", "matrix"])
    let metadata = json["metadata"] as? [String: String]
    #expect(metadata?["dev.ingot.weights"]?.count == 64)
  }

  @Test func packageRunsAndIsChecked() throws {
    try folder.writeModel()
    try folder.writePairs()
    #expect(try compress().status == 0)
    try folder.write("in.jsonl", "{\"values\": [0.5, -0.25, 1, 0]}\n{\"values\": [1, 1, 1, 1]}\n")
    for (model, output) in [("model", "a.npy"), ("X.mlpackage", "b.npy")] {
      let ran = try run(["embed", model, "--inputs", "in.jsonl", "-o", output])
      #expect(ran.status == 0)
      #expect(ran.output == "\(output): float32 [2, 5]\n")
    }
    let rows = try ["a.npy", "b.npy"].map { try #require(Npy(try folder.bytes($0))).values }
    for (ours, theirs) in zip(rows[0], rows[1]) { #expect((ours - theirs).magnitude < 0.02) }
    let passed = try run(["check", "model", "X.mlpackage", "--references", "pairs.jsonl"])
    #expect(passed.status == 0)
    #expect(passed.output.hasPrefix("gate: passed standard\n"))
  }

  /// A weight that was changed after the package was made is named.
  @Test func checkRefusesADamagedPackage() throws {
    try folder.writeModel()
    try folder.writePairs()
    #expect(try compress(["--scheme", "none"]).status == 0)
    try folder.writeModel("other", seed: 1, first: (0..<24).map { _ in 0 })
    let made = try run([
      "compress", "other", "--format", "mlpackage", "--scheme", "none", "-o", "Y.mlpackage",
    ])
    #expect(made.status == 0)
    let refused = try run(["check", "model", "Y.mlpackage", "--references", "pairs.jsonl"])
    #expect(refused.status == 3)
    #expect(refused.output.hasPrefix("gate: refused\n"))
    #expect(refused.errors.contains("'w0'") && refused.errors.contains("all zero"), "\(refused)")
  }

  /// The bytes follow from the inputs alone.
  @Test(arguments: [
    ["--scheme", "none"], [], ["--scheme", "palettize", "--bits", "3"],
    ["--minimum-deployment-target", "iOS18", "--references", "pairs.jsonl"],
  ])
  func bytesDependOnNothingButTheInput(_ flags: [String]) throws {
    try folder.writeModel()
    try folder.writePairs()
    let environments: [[String: String]] = [
      [:], [:], ["TZ": "Asia/Kathmandu"], ["LC_ALL": "tr_TR.UTF-8"], ["SOURCE_DATE_EPOCH": "1"],
    ]
    var all: Set<[String: Data]> = []
    for (index, environment) in environments.enumerated() {
      let package = "some/folder \(index)/X.mlpackage"
      try folder.write("some/folder \(index)/note", "")
      let made = try run(
        [
          "compress", "model", "--format", "mlpackage", "-o", package, "--jobs",
          "\(index % 2 + 1)",
        ] + flags, environment: environment)
      #expect(made.status == 0)
      all.insert(try contents(package))
    }
    let umask = try Program.shell(
      #"umask 077; "$0" "$@""#,
      ["compress", "model", "--format", "mlpackage", "-o", "U.mlpackage"] + flags,
      in: folder.path)
    #expect(umask.status == 0)
    all.insert(try contents("U.mlpackage"))
    #expect(all.count == 1)
  }
}
