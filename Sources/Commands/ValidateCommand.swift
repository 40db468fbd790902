import ArgumentParser
import Project
import Release
import StrictJSON

struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Report every fault of a project at once, each with its place and a way to fix it.",
    discussion: """
      Reads the project file and the customer list, and opens every model and reference set they \
      name; no model is run. Errors are status 1; warnings alone are status 0.

      Example:
        ingot validate path/to/project
        ingot validate --format sarif > ingot.sarif
      """)

  @Argument(help: "The project: a folder with ingot.yaml, or the file itself.")
  var project = "."

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Folder of the packages; archives there must not stand in the way.", valueName: "folder"))
  var output = BuildCommand.defaultOutput

  @Option(
    help: "Form of the answer: text, json (as --json), sarif (2.1.0), or github (annotations).")
  var format: ReportFormat?

  @OptionGroup var bounds: RootFlag
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if shared.json, let format, format != .json {
      throw ValidationError("--json and --format \(format.rawValue) exclude each other")
    }
  }

  func run() throws {
    try shared.run { console in
      let progress = ProgressLine(console)
      let faults = ProjectValidator.validate(
        project, output: output, root: bounds.root, progress: progress.show
      ).naming(Flags.name)
      progress.clear()
      try answer(faults, console)
      guard !faults.hasErrors else { throw ExitStatus.failed.code }
    }
  }

  private func answer(_ faults: ProjectFaults, _ console: Console) throws {
    switch shared.json ? .json : format ?? .text {
    case .text:
      if !faults.hasErrors {
        let doubts = faults.warningCount
        let words = doubts > 0 ? ", with \(Figures.count(doubts, "warning"))" : ""
        try console.answer("\(project): sound\(words)\n".printable(keepsLines: true))
      }
    case .json: try console.answer(object: faults.json)
    case .sarif: try console.answer(faults.sarif.pretty)
    // The annotations say it all; they and stderr end up in one log.
    case .github: return try console.answer(faults.annotations)
    }
    faults.report(to: console)
  }
}

/// The forms in which `ingot validate` answers.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
  /// Lines on stderr, for people.
  case text
  /// One object of our own, as `--json`.
  case json
  /// SARIF 2.1.0, which code scanning services read.
  case sarif
  /// Annotations of GitHub Actions.
  case github
}
