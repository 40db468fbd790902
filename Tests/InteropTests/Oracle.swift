import Foundation
import TestSupport

/// The Python environment whose answers judge ours; made by `scripts/test`.
enum Oracle {
  /// The environment's interpreter.
  static let python = ProcessInfo.processInfo.environment["INGOT_ORACLE_PYTHON"]
  /// The folder of the real all-MiniLM-L6-v2.
  static let miniLM = ProcessInfo.processInfo.environment["INGOT_MINILM"]

  /// The folder of packages that coremltools made of that model.
  static let packages = ProcessInfo.processInfo.environment["INGOT_COREML_PACKAGES"]

  /// The folder of tiny packages whose masks hold −∞.
  static let maskedPackages = ProcessInfo.processInfo.environment["INGOT_MASKED_PACKAGES"]

  /// Where other versions of libraries are: this path, `-`, and a name of `scripts/oracle-versions`.
  static let versions = ProcessInfo.processInfo.environment["INGOT_ORACLE_VERSIONS"]

  /// The folder of tuf-conformance.
  static let updateConformance = ProcessInfo.processInfo.environment["INGOT_TUF_CONFORMANCE"]

  static var isAvailable: Bool { python != nil }
  static var hasMiniLM: Bool { python != nil && miniLM != nil }
  static var hasPackages: Bool { hasMiniLM && packages != nil }

  /// The root of the repository.
  static let repository = Program.repository

  /// A file of this test target.
  static func fixture(_ name: String) -> String {
    "\(repository)/Tests/InteropTests/Fixtures/\(name)"
  }

  /// Runs a script of `scripts/oracles` and returns what it prints.
  static func run(
    _ script: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> String {
    guard let python else { throw OracleError(description: "no oracle environment") }
    return try run(
      program: python, ["\(repository)/scripts/oracles/\(script)"] + arguments,
      environment: environment)
  }

  /// Runs a command once and returns what `measure.py` says of it; any Python will do for that.
  static func measure(_ command: [String]) throws -> [String: Any] {
    let script = "\(repository)/scripts/oracles/measure.py"
    let text = try run(program: "/usr/bin/env", [python ?? "python3", script, "1"] + command)
    return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }

  /// Runs any program and returns its stdout; a status other than 0 is an error with its stderr.
  static func run(
    program: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "2"].merging(environment) { _, new in new }
    ) { _, new in new }
    let output = Pipe()
    let errors = FileHandle.temporary()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      try errors.seek(toOffset: 0)
      let said = String(decoding: errors.readDataToEndOfFile(), as: UTF8.self)
      throw OracleError(description: "\(program) \(arguments.first ?? ""): \(said.suffix(6000))")
    }
    return text
  }
}

struct OracleError: Error, CustomStringConvertible {
  let description: String
}

extension FileHandle {
  /// An unnamed file for reading and writing.
  static func temporary() -> FileHandle {
    guard let file = tmpfile() else { return .nullDevice }
    return FileHandle(fileDescriptor: dup(fileno(file)), closeOnDealloc: true)
  }
}
