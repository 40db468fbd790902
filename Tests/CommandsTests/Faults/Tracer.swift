import Foundation
import TestSupport
import Testing

/// An effect on one call that a program makes to the system.
struct Injection: CustomTestStringConvertible {
  enum Effect: CustomTestStringConvertible {
    /// The call is not made and fails with an error: its name and what `strerror` says of it.
    case error(String, text: String)
    /// The call is not made, and the process is gone.
    case kill

    var testDescription: String {
      switch self {
      case .error(let name, _): name
      case .kill: "KILL"
      }
    }
  }

  let call: String
  /// Which of its calls, counted from 1 in each thread.
  let number: Int
  let effect: Effect

  var testDescription: String { "\(effect.testDescription) at \(call) \(number)" }

  fileprivate var option: String {
    switch effect {
    case .error(let name, _): "inject=\(call):error=\(name):when=\(number)"
    case .kill: "inject=\(call):signal=KILL:when=\(number)"
    }
  }
}

/// Runs the program under strace, which sees its calls and can make them fail.
enum Tracer {
  /// Every call that changes what lies on a disk; opening, which also reads, is left out.
  static let changing = [
    "copy_file_range", "fallocate", "fdatasync", "fsync", "ftruncate", "link", "linkat", "mkdir",
    "mkdirat", "pwrite64", "pwritev", "rename", "renameat", "renameat2", "rmdir", "sendfile",
    "symlink", "symlinkat", "sync_file_range", "syncfs", "unlink", "unlinkat", "write", "writev",
  ]

  /// Whether strace is there and may trace; in some containers it may not.
  static let works =
    ((try? Program.shell("strace --seccomp-bpf -f -o /dev/null -e trace=write true").status) ?? 1)
    == 0

  /// How a run under strace ended.
  struct Run {
    let program: Program
    /// The line of the call that was hit; nil when the program made fewer such calls.
    let hit: String?
    /// Whether the call was about a file that is being written, and not about a folder.
    let isOfWrittenFile: Bool
  }

  /// Which changing calls a run makes, sorted, and how it ended.
  static func calls(
    of arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:]
  ) throws -> (calls: [String], program: Program) {
    let (program, lines) = try trace(
      arguments, ["trace=\(changing.joined(separator: ","))"], isFiltered: true, in: folder,
      environment)
    let names = lines.compactMap { line in
      line.firstMatch(of: /^[0-9]+ +([a-z0-9_]+)\(/).map { String($0.1) }
    }
    return (Set(names).sorted(), program)
  }

  /// Runs the program with one call of each thread injected.
  static func run(
    _ arguments: [String], _ injection: Injection, in folder: TemporaryFolder,
    environment: [String: String] = [:]
  ) throws -> Run {
    let expressions = ["trace=openat,\(injection.call)", injection.option]
    switch injection.effect {
    case .error:
      let (program, lines) = try trace(
        arguments, expressions, isFiltered: true, in: folder, environment)
      let hit = lines.first { $0.contains("(INJECTED)") }
      return Run(
        program: program, hit: hit.map(String.init),
        isOfWrittenFile: hit.map { isOfWrittenFile($0, lines) } ?? false)
    case .kill:
      // A signal is not given where a filter in the kernel hands over the calls.
      let (program, lines) = try trace(
        arguments, expressions, isFiltered: false, in: folder, environment)
      let hit = lines.last { $0.hasSuffix("= ?") }.map(String.init)
      return Run(
        program: program, hit: program.status == -9 ? hit ?? "killed" : nil,
        isOfWrittenFile: false)
    }
  }

  /// Whether the path behind a call's descriptor is one that was opened for writing.
  private static func isOfWrittenFile(_ line: Substring, _ lines: [Substring]) -> Bool {
    guard let path = line.firstMatch(of: /\([0-9]+<([^>]*)>/)?.1 else { return false }
    return lines.contains { opened in
      opened.contains("openat(") && opened.contains(/O_WRONLY|O_RDWR/)
        && opened.hasSuffix("<\(path)>")
    }
  }

  private static func trace(
    _ arguments: [String], _ expressions: [String], isFiltered: Bool,
    in folder: TemporaryFolder, _ environment: [String: String]
  ) throws -> (Program, [Substring]) {
    let log = folder.path + ".strace"
    defer { try? FileManager.default.removeItem(atPath: log) }
    let options =
      (isFiltered ? ["--seccomp-bpf"] : []) + ["-f", "-y", "-qq", "-o", log, "-e", "signal=none"]
    let program = try Program.run(
      options + expressions.flatMap { ["-e", $0] } + [Program.path] + arguments,
      environment: environment, program: "/usr/bin/strace", in: folder.path)
    let text = String(decoding: try Data(contentsOf: URL(filePath: log)), as: UTF8.self)
    return (program, text.split(separator: "\n"))
  }
}
