import ArgumentParser
import Files
import Formats
import Reports

/// The page that shows what was found.
struct ReportFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write a page to look at: one file of HTML that needs no network and runs no script.",
      discussion: "It is written after a refusal, too, and changes no exit status but 0.",
      valueName: "file.html"))
  var report: String?

  /// Refuses a path that cannot be written, before any work is done.
  ///
  /// - Parameter outputs: what else the command writes: the options, and their paths.
  func check(inputs: [String], besides outputs: [(flag: String, path: String?)]) throws {
    guard let report else { return }
    try OutputPath(path: report, flag: "--report").check(inputs: inputs)
    try requireOwn(report)
    for (flag, path) in outputs {
      guard let path else { continue }
      if OutputPath.isSame(report, path) || OutputPath.isSame(Folder.parent(of: report), path) {
        throw Failure(
          message: "\(report): is where \(flag) of this very command goes",
          hint: "choose another --report")
      }
    }
    // What cannot be written must not be found out at the end: the file is gone with its value.
    _ = try AtomicFile(path: report)
  }

  /// Only a page that Ingot wrote is replaced, and an empty file: any other may be an input of a
  /// project, or of a model.
  private func requireOwn(_ report: String) throws {
    guard Folder.kind(of: report) == .file else { return }
    let start = try MappedFile(path: report).start(ReportPage.headCount)
    guard start.isEmpty || ReportPage.isPage(start) else {
      throw Failure(
        message: "\(report): holds something else than a report, and is not replaced",
        hint: "choose another --report, or remove the file")
    }
  }

  /// Writes the page, if one is asked for.
  ///
  /// - Returns: whether it is there as asked; if not, that was said.
  func write(_ console: Console, _ page: () throws -> ReportPage) -> Bool {
    guard let report else { return true }
    do {
      try AtomicFile.write(Array(try page().html().utf8), to: report)
      return true
    } catch {
      console.fail("\(report): the report was not written: \(words(of: error))")
      return false
    }
  }

  /// The same where the command has done its work: without its page it fails.
  func require(_ console: Console, _ page: () throws -> ReportPage) throws {
    guard write(console, page) else { throw ExitStatus.failed.code }
  }
}
