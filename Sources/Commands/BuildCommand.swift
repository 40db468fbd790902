import ArgumentParser
import Files
import Release

struct BuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    abstract: "Compress, prove and package everything of a project, for every customer.",
    discussion: """
      A customer whose models all passed gets OUTPUT/<app_id>/<app_id>-<version>.tar.zst. A customer \
      with a refused model gets none and is listed with the reasons; the others are built all the \
      same, and the exit status is 3.

      Example:
        ingot build . --output packages
      """)

  @Argument(help: "The project: a folder with ingot.yaml, or the file itself.")
  var project = "."

  @Option(name: .shortAndLong, help: ArgumentHelp("Folder for the packages.", valueName: "folder"))
  var output = "packages"

  @OptionGroup var jobs: JobOptions
  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      let progress = ProgressLine(console)
      let report: BuildReport
      do {
        report = try Builder.build(
          project: project, output: output, jobs: jobs.count, toolVersion: IngotCommand.version
        ) { event in
          progress.clear()
          if case .warning(let text) = event {
            console.warn(text)
          } else {
            console.note("\(event)")
          }
        }
      } catch let faults as ProjectFaults {
        faults.report(to: console)
        throw ExitStatus.failed.code
      }
      try shared.answer(console, text: text(report), json: report.json)
      for refused in report.refused {
        for reason in refused.reasons { console.fail("\(refused.customer): \(reason)") }
      }
      if !report.refused.isEmpty { throw ExitStatus.refused.code }
    }
  }

  private func text(_ report: BuildReport) -> String {
    var text = ""
    for package in report.packages {
      text += "\(package.path): \(Numbers.bytes(package.bytes))"
      text += package.isReused ? ", unchanged\n" : "\n"
    }
    for refused in report.refused { text += "\(refused.customer): refused, no package\n" }
    return text
  }
}
