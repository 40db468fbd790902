import Foundation

/// Runs the built `ingot` as a process of its own.
package struct Program {
  package let status: Int32
  package let output: String
  package let errors: String

  /// The binary beside the test bundle.
  package static let path: String = {
    let bundle = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return bundle.deletingLastPathComponent().appending(path: "ingot").path
  }()

  /// The root of the repository.
  package static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// Runs with arguments and waits; both pipes are read while it runs.
  package static func run(
    _ arguments: [String], environment: [String: String] = [:], program: String = path,
    in folder: String? = nil
  ) throws -> Program {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = URL(filePath: folder) }
    // Each folder has a store of its own beside it: no test finds what another one made.
    let store =
      (folder ?? FileManager.default.temporaryDirectory.path) + TemporaryFolder.storeSuffix
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SOURCE_DATE_EPOCH": "1795219200", "INGOT_STORE": store]) { _, new in new }
      .merging(environment) { _, new in new }
    let output = Pipe()
    let errorFile = try ScratchFile()
    process.standardOutput = output
    process.standardError = try errorFile.handle()
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let status =
      process.terminationReason == .exit
      ? process.terminationStatus : -process.terminationStatus
    return Program(status: status, output: text, errors: try errorFile.text())
  }

  /// Runs a line of bash, in which `$0` is the binary and `$1`, `$2`, … are the arguments.
  package static func shell(
    _ script: String, _ arguments: [String] = [], in folder: String? = nil,
    environment: [String: String] = [:]
  ) throws -> Program {
    try run(
      ["-c", script, path] + arguments, environment: environment, program: "/bin/bash", in: folder)
  }

  /// Runs the program and sends it a signal as soon as so many of its files lie under hidden names in
  /// the folder; one that ends before gets none.
  package static func interrupt(
    _ arguments: [String], by signal: Int32, atFile count: Int, in folder: String
  ) throws -> Program {
    try shell(
      #"""
      signal=$1 count=$2; shift 2
      "$0" "$@" & program=$!
      { until [ "$(find . -path './.ingot-*' -type f | wc -l)" -ge "$count" ]; do
        kill -0 $program || break
      done; kill -"$signal" $program; } 2>/dev/null
      wait $program
      """#, ["\(signal)", "\(count)"] + arguments, in: folder)
  }

  /// Whether a tool of the system is there; a test that needs it is skipped without.
  package static func has(_ tool: String) -> Bool {
    ((try? shell("command -v \"$1\" >/dev/null", [tool]).status) ?? 1) == 0
  }

  /// The answer of `--json`, parsed by Foundation rather than by our own reader.
  package func json() throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
    return value as? [String: Any] ?? [:]
  }
}

/// A file that collects what a process writes, removed with the value.
private final class ScratchFile {
  private let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws { try Data().write(to: url) }
  deinit { try? FileManager.default.removeItem(at: url) }

  func handle() throws -> FileHandle { try FileHandle(forWritingTo: url) }
  func text() throws -> String { String(decoding: try Data(contentsOf: url), as: UTF8.self) }
}
