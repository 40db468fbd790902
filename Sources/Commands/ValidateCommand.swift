import ArgumentParser
import Release
import StrictJSON

struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Report every fault of a project at once, each with its place and mend.",
    discussion: """
      Example:
        ingot validate path/to/project
      """)

  @Argument(help: "The project: a folder with ingot.yaml, or the file itself.")
  var project = "."

  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      let faults = ProjectValidator.validate(project)
      try shared.answer(
        console, text: faults.isEmpty ? "\(project): sound\n" : "", json: faults.json)
      guard faults.isEmpty else {
        faults.report(to: console)
        throw ExitStatus.failed.code
      }
    }
  }
}
