import TestSupport
import Testing

/// Manifests of real packages say what their models say, in every format that decides about it.
struct ManifestFactsCommandTests {
  @Test(arguments: [
    "formats: [safetensors]", "formats: [mlpackage]",
    "formats: [mlpackage]\n    coreml: {sequenceLength: 64, outputType: float16}",
    "formats: [mlpackage]\n    coreml: {sequenceLength: [16, 64]}",
    "formats: [mlpackage]\n    coreml: {sequenceLength: 1...64, minimumDeploymentTarget: iOS18}",
    "formats: [mlpackage]\n    prompt: {text: \"query: \"}\n    description: Finds sentences",
  ])
  func anHonestEncoderIsSoundAndProven(_ format: String) throws {
    let folder = try TemporaryFolder()
    try folder.copyQuickstart("project")
    try folder.write(
      "project/customers.json",
      """
      [{"app_id": "\(TemporaryFolder.apps[0])", "bundle_identifiers": ["com.example.app"],
        "customModels": []}]
      """)
    try folder.write(
      "project/ingot.yaml",
      """
      ingot: 1
      models:
        encoder:
          source: models/sentence-encoder
          compress: {scheme: int8}
          gate: {references: references/pairs.jsonl, limits: lenient}
          \(format)
      customers: customers.json
      release: {version: 1.0.0, sdk: ">=1.0.0 <2.0.0", author: Us, license: MIT}

      """)
    let built = try Program.run(
      ["build", "project", "--output", "out", "--quiet"], in: folder.path)
    try #require(built.status == 0, "\(built.errors)")
    let archive = "out/\(TemporaryFolder.archive(TemporaryFolder.apps[0]))"
    let run = try Program.run(
      ["verify", archive, "--replay", "project", "--quiet"], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("model 'encoder': proven again"), "\(run.output)")
  }
}
