import Foundation
import TestSupport
import Testing

/// The main job with a package as its result, on the real encoder, as a user types it.
@Suite(.serialized, .enabled(if: Oracle.hasMiniLM, "no real model: run scripts/test"))
struct CoreMLMiniLMCommandTests {
  private let pairs = "\(Oracle.repository)/specs/examples/minilm/pairs.jsonl"
  private let model = Oracle.miniLM ?? ""
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: [String]) throws -> Int32 { try Program.run(arguments).status }

  private func compress(_ name: String, _ flags: [String] = []) -> [String] {
    ["compress", model, "--format", "mlpackage", "-o", folder.path(name), "--quiet"] + flags
  }

  /// The bytes of each file of a package, by path.
  private func contents(_ name: String) throws -> [String: Data] {
    let root = folder.path(name)
    let files = try FileManager.default.subpathsOfDirectory(atPath: root)
    let found = files.map { ($0, FileManager.default.contents(atPath: "\(root)/\($0)")) }
    return Dictionary(found.compactMap { name, data in data.map { (name, $0) } }) { first, _ in
      first
    }
  }

  @Test func int8PassesStrictAndIsSmall() throws {
    #expect(
      try run(compress("A.mlpackage", ["--references", pairs, "--limits", "strict"])) == 0)
    #expect(try contents("A.mlpackage").values.reduce(0) { $0 + $1.count } <= 23_000_000)
  }

  /// A part of one weight's codes is changed on disk.
  @Test func aDamagedPackageIsRefusedAndTheWeightNamed() throws {
    #expect(try run(compress("A.mlpackage", ["--sequence-length", "64"])) == 0)
    let file = folder.path("A.mlpackage/Data/com.apple.CoreML/weights/weight.bin")
    var weights = try Data(contentsOf: URL(filePath: file))
    weights.replaceSubrange(15_010_000..<15_100_000, with: Data(count: 90_000))
    try weights.write(to: URL(filePath: file))
    let checked = try Oracle.run(
      program: "/bin/sh",
      [
        "-c", #""$0" "$@" 2>&1; test $? = 3"#, Program.path, "check", model,
        folder.path("A.mlpackage"), "--references", pairs,
      ])
    #expect(checked.contains("refused"))
    #expect(checked.contains("swapping in 'encoder.layer.1.output.dense.weight' alone"))
  }

  @Test func bytesAreAlwaysTheSame() throws {
    for name in ["one", "two"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    #expect(try run(compress("one/A.mlpackage", ["--jobs", "1"])) == 0)
    #expect(try run(compress("two/B.mlpackage", ["--jobs", "2"])) == 0)
    #expect(try contents("one/A.mlpackage") == contents("two/B.mlpackage"))
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func killedAtAnyMoment(_ signal: Int32) throws {
    let arguments = compress("X.mlpackage", ["--sequence-length", "64"])
    #expect(try run(arguments) == 0)
    for attempt in 0..<5 {
      if attempt % 2 == 0 { try FileManager.default.removeItem(atPath: folder.path("X.mlpackage")) }
      _ = try Program.interrupt(arguments, by: signal, atFile: 1 + attempt % 3, in: folder.path)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names.allSatisfy { $0 == "X.mlpackage" || $0.hasPrefix(".ingot-") })
      if !names.contains("X.mlpackage") {
        #expect(attempt % 2 == 0, "what was there is lost")
        #expect(try run(arguments) == 0)
      }
      #expect(try run(["inspect", folder.path("X.mlpackage")]) == 0, "attempt \(attempt)")
    }
  }
}
