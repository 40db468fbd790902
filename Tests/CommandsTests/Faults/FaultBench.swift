import Foundation
import TestSupport
import Testing

/// A tiny project, what lies there before it is built, and what an undisturbed build makes of it.
final class FaultBench {
  private let folder: TemporaryFolder
  private let before: OutputTree
  private let after: OutputTree
  /// Calls that change the disk, as an undisturbed build makes them.
  let calls: [String]

  private static let arguments = [
    "build", "project", "--output", "out", "--quiet", "--jobs", "1",
  ]
  private static let environment = ["INGOT_STORE": "store"]

  init(_ start: FaultTests.Start) throws {
    folder = try TemporaryFolder(in: TemporaryFolder.memory)
    try folder.writeFaultProject()
    for name in ["start/out", "start/store"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    if start != .nothing {
      try FaultBench.reset(folder)
      try FaultBench.build(in: folder)
      for name in start == .store ? ["store"] : ["store", "out"] {
        try FileManager.default.removeItem(atPath: folder.path("start/\(name)"))
        try FileManager.default.moveItem(
          atPath: folder.path(name), toPath: folder.path("start/\(name)"))
      }
    }
    if start == .earlierVersion { try folder.writeFaultProject(version: "1.1.0", weight: 0.75) }
    before = try OutputTree("start/out", in: folder)
    try FaultBench.reset(folder)
    let (calls, program) = try Tracer.calls(
      of: FaultBench.arguments, in: folder, environment: FaultBench.environment)
    try #require(program.status == 0, "\(program.errors)")
    self.calls = calls
    after = try OutputTree("out", in: folder)
    try #require(after.unfinished == [])
    for file in after.files.keys where file.hasSuffix(".tar.zst") {
      #expect(try Program.run(["verify", "out/\(file)"], in: folder.path).status == 0)
    }
  }

  /// Builds with one call injected, then again without; false when there was no such call.
  func disturb(_ injection: Injection) throws -> Bool {
    try FaultBench.reset(folder)
    let run = try Tracer.run(
      FaultBench.arguments, injection, in: folder, environment: FaultBench.environment)
    guard let hit = run.hit else {
      #expect(run.program.status == 0, "\(injection.testDescription): \(run.program.errors)")
      return false
    }
    let context = "\(injection.testDescription): \(hit)\n\(run.program.errors)"
    let left = try OutputTree("out", in: folder)
    #expect(left.strangers(to: [before, after]) == [], "\(context)")
    if case .error(_, let text) = injection.effect {
      checkWords(of: run, text, call: injection.call, context)
      if run.program.status == 0 { #expect(left.finished == after.files, "\(context)") }
    }
    try FaultBench.build(in: folder, context)
    let mended = try OutputTree("out", in: folder)
    #expect(mended.differences(from: after) == [], "\(context)")
    return true
  }

  /// A failure is said with the file and the reason; only what harms nothing goes unsaid.
  private func checkWords(
    of run: Tracer.Run, _ text: String, call: String, _ context: String
  ) {
    let lines = run.program.errors.split(separator: "\n")
    let isNamed = lines.contains { line in
      line.hasSuffix(text) && line.contains(/(^|[^a-z])(out|store|stdout)/)
    }
    guard run.program.status == 0 else {
      #expect(run.program.status == 1, "\(context)")
      #expect(isNamed && lines.contains { $0.hasPrefix("error: ") }, "\(context)")
      return
    }
    // What remains of finished work is cleared away by the next build, and whether a name is
    // durable cannot be known on every file system.
    let isHarmless =
      // A copy replaces a link that cannot be made.
      ["unlink", "unlinkat", "rmdir", "link"].contains(call)
      || call == "fsync" && !run.isOfWrittenFile
    #expect(isHarmless || isNamed, "\(context)")
  }

  private static func reset(_ folder: TemporaryFolder) throws {
    let run = try Program.shell("rm -rf out store && cp -a start/. .", in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
  }

  private static func build(in folder: TemporaryFolder, _ context: String = "") throws {
    let run = try Program.run(arguments, environment: environment, in: folder.path)
    try #require(run.status == 0, "\(run.errors)\(context)")
    let check = try Program.run(
      ["store", "check", "--quiet"], environment: environment, in: folder.path)
    #expect(check.status == 0, "\(check.errors)\(context)")
  }
}

extension TemporaryFolder {
  /// Writes the smallest project that has two customers, with a flow each; all pass.
  ///
  /// - Parameter weight: of the second flow.
  func writeFaultProject(
    _ project: String = "project", version: String = "1.0.0", weight: Float = 0.25
  ) throws {
    try write(
      "\(project)/ingot.yaml",
      """
      ingot: 1
      customModels:
        source: flows/{flowName}/v{modelVersion}
        compress: {scheme: int8}
        gate: {references: "flows/{flowName}/references.jsonl"}
      customers: customers.json
      release: {version: \(version), sdk: ">=1.0.0 <2.0.0", sign: keys/release}

      """)
    if !exists("\(project)/keys/release") { try writeKey("\(project)/keys/release") }
    var customers: [String] = []
    for (index, (name, weight)) in [("first_flow", 0.5), ("second_flow", weight)].enumerated() {
      try writeFlow("\(project)/flows/\(name)", version: index + 1, weight: weight)
      customers.append(
        """
        {"app_id": "\(Self.apps[index])", "bundle_identifiers": ["com.example.app\(index + 1)"],
         "customModels": [{"flowId": \(7001 + index), "flowName": "\(name)",
                           "modelVersion": \(index + 1)}]}
        """)
    }
    try write("\(project)/customers.json", "[\(customers.joined(separator: ",\n"))]\n")
  }

  /// Makes an Ed25519 key pair as OpenSSH writes it.
  func writeKey(_ name: String) throws {
    try FileManager.default.createDirectory(
      at: URL(filePath: path(name)).deletingLastPathComponent(), withIntermediateDirectories: true)
    let run = try Program.shell(
      #"ssh-keygen -q -t ed25519 -N "" -C release -f "$1""#, [name], in: path)
    guard run.status == 0 else { throw MissingTool(name: "ssh-keygen", words: run.errors) }
  }
}

/// A tool of the system that did not do its work.
struct MissingTool: Error {
  let name: String
  let words: String
}
