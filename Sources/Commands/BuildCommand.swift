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
      same, and the exit status is 3. A model that cannot be used, or an archive that cannot be \
      written, is reported alike: exit status 1. An archive that is there with other content is \
      never replaced.

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
      let report: BuildReport
      do {
        report = try Builder.build(
          project: project, output: output, jobs: jobs.count, toolVersion: IngotCommand.version
        ) { event in
          say(event, console)
        }
      } catch let faults as ProjectFaults {
        try shared.answer(console, text: "", json: faults.json)
        faults.report(to: console)
        throw ExitStatus.failed.code
      }
      try shared.answer(console, text: text(report), json: report.json)
      for refused in report.refused {
        console.fail("\(refused.customer): refused, no package", details: refused.reasons)
      }
      if report.refused.contains(where: { $0.cause == .gate }) { throw ExitStatus.refused.code }
      if !report.refused.isEmpty { throw ExitStatus.failed.code }
    }
  }

  /// Says a step; why a model or a customer was refused is said once, at the end.
  private func say(_ event: BuildEvent, _ console: Console) {
    switch event {
    case .warning(let text): console.warn(text)
    case .refusedModel(let model, _): console.note("\(model): refused")
    case .unusableModel(let model, _): console.note("\(model): cannot be used")
    case .refusedCustomer: break
    case .proving, .proven, .packaged: console.note("\(event)")
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
