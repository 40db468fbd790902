import Foundation
import TestSupport
import Testing

/// Packages of Ingot's that coremltools compressed afterwards are judged row by row, whatever it calls their constants.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
struct SqueezedPackageTests {
  private static let old = ["int8", "uint8", "palette4", "palette6", "pruned", "threshold"]
  private static let new =
    old + [
      "int4-blocks", "palette4-groups", "palette4-scales", "palette4-vectors", "pruned-int8",
      "pruned-uint8", "pruned-palette4",
    ]

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try Oracle.run("squeeze_package.py", ["make", folder.path("made")])
  }

  /// Writes a package of a model without compression.
  private func package(_ model: String, _ flags: [String]) throws -> String {
    let path = folder.path("\(model).mlpackage")
    let made = try Program.run(
      [
        "compress", folder.path("made/\(model)"), "--output", path, "--scheme", "none",
        "--references", folder.path("made/references.jsonl"),
      ] + flags)
    #expect(made.status == 0, "\(made.errors)")
    return path
  }

  private func squeeze(
    _ model: String, _ flags: [String], _ more: [String] = []
  ) throws -> [String] {
    let paths = [try package(model, flags), folder.path("\(model)-ct")]
    let text = try Oracle.run("squeeze_package.py", ["squeeze"] + paths + more)
    return try JSONDecoder().decode([String].self, from: Data(text.utf8))
  }

  private func check(_ path: String) throws -> (status: Int32, text: String) {
    let checked = try Program.run([
      "check", folder.path("made/model"), folder.path(path), "--references",
      folder.path("made/references.jsonl"), "--limits", "lenient",
    ])
    return (checked.status, checked.output + checked.errors)
  }

  private func outputs(_ path: String) throws -> Data {
    let output = folder.path("outputs.npy")
    try? FileManager.default.removeItem(atPath: output)
    let run = try Program.run([
      "embed", folder.path(path), "--inputs", folder.path("made/references.jsonl"), "--output",
      output,
    ])
    #expect(run.status == 0, "\(path): \(run.errors)")
    return try Data(contentsOf: URL(filePath: output))
  }

  @Test(arguments: [("iOS16", "float32"), ("iOS18", "float16")])
  func whatCoremltoolsCompressedPasses(_ target: String, _ floats: String) throws {
    let flags = ["--minimum-deployment-target", target, "--float-type", floats]
    let names = try squeeze("model", flags, ["--dense"])
    #expect(names == (target == "iOS16" ? Self.old : Self.new))
    for name in names {
      let (status, text) = try check("model-ct/\(name).mlpackage")
      #expect(status == 0, "\(name): \(text)")
      #expect(!text.contains("other names") && !text.contains("operations"), "\(name): \(text)")
      // The same bits as from the numbers that coremltools makes of the codes.
      #expect(
        try outputs("model-ct/\(name).mlpackage") == outputs("model-ct/\(name)-dense.mlpackage"),
        "\(name)")
    }
  }

  @Test func aForgedColumnIsRefused() throws {
    let names = try squeeze("forged", ["--minimum-deployment-target", "iOS18"])
    for name in names {
      let (status, text) = try check("forged-ct/\(name).mlpackage")
      #expect(status == 3, "\(name): \(text)")
      #expect(text.contains("of the candidate's weight 'w0' is worse than its"), "\(name): \(text)")
    }
  }

  @Test func namesOfConstantsDoNotMatter() throws {
    for (model, expected) in [("model", Int32(0)), ("forged", 3)] {
      _ = try Oracle.run(
        "squeeze_package.py",
        ["rename", try package(model, []), folder.path("\(model)-other.mlpackage")])
      let (status, text) = try check("\(model)-other.mlpackage")
      #expect(status == expected, "\(text)")
      #expect(!text.contains("other names"), "\(text)")
      #expect(text.contains("weight 'w0' is worse than its") == (model == "forged"), "\(text)")
    }
  }

  /// No reference is below -50, so that outputs do not tell of the operation.
  @Test func addedOperationsAreSaid() throws {
    let held = folder.path("held.mlpackage")
    _ = try Oracle.run("squeeze_package.py", ["hold", try package("model", []), held])
    let (status, text) = try check("held.mlpackage")
    #expect(status == 0, "\(text)")
    #expect(text.contains("a program whose operations are not the baseline's"), "\(text)")
  }
}
