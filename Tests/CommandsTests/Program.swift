import Foundation

/// Runs the built `ingot` as a process of its own.
struct Program {
  let status: Int32
  let output: String
  let errors: String

  /// The binary beside the test bundle.
  static let path: String = {
    let bundle = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return bundle.deletingLastPathComponent().appending(path: "ingot").path
  }()

  /// The root of the repository.
  static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// Runs with arguments and waits; both pipes are read while it runs.
  static func run(
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
  static func shell(
    _ script: String, _ arguments: [String] = [], in folder: String? = nil,
    environment: [String: String] = [:]
  ) throws -> Program {
    try run(
      ["-c", script, path] + arguments, environment: environment, program: "/bin/bash", in: folder)
  }

  /// Whether a tool of the system is there; a test that needs it is skipped without.
  static func has(_ tool: String) -> Bool {
    ((try? shell("command -v \"$1\" >/dev/null", [tool]).status) ?? 1) == 0
  }

  /// The answer of `--json`, parsed by Foundation rather than by our own reader.
  func json() throws -> [String: Any] {
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

/// A folder that is removed when the test ends.
final class TemporaryFolder {
  let path: String

  /// - Parameter inMemory: whether it lies in memory, if the system offers that: making files durable
  ///   then takes no time.
  init(inMemory: Bool = false) throws {
    let memory = "/dev/shm"
    let parent =
      inMemory && FileManager.default.isWritableFile(atPath: memory)
      ? URL(filePath: memory) : FileManager.default.temporaryDirectory
    path = parent.appending(path: "ingot-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    for suffix in ["", TemporaryFolder.storeSuffix] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  /// What the folder's name ends in where the store of its builds lies.
  static let storeSuffix = ".store"

  func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a text file, its folders included, and returns its path.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    try write(name, Data(text.utf8))
  }

  /// Writes a file, its folders included, and returns its path.
  @discardableResult
  func write(_ name: String, _ bytes: Data) throws -> String {
    let url = URL(filePath: path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try bytes.write(to: url)
    return url.path
  }

  func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path(name))) }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// Every file below the folder, hidden ones included, sorted.
  func files() throws -> [String] {
    let found = try FileManager.default.subpathsOfDirectory(atPath: path)
    var isFolder: ObjCBool = false
    return found.sorted().filter {
      FileManager.default.fileExists(atPath: self.path($0), isDirectory: &isFolder)
        && !isFolder.boolValue
    }
  }

  /// Names in the folder, hidden ones included, sorted.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}
