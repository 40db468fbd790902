import ArgumentParser
import StrictJSON

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Tell what this machine lacks, and how to get it.",
    discussion: """
      Looks at libraries, processor, memory, space, access rights, the clock, OpenSSH, and the \
      project's signing key. Status 1 when something is missing that is needed.

      Example:
        ingot doctor path/to/project
      """)

  @Argument(help: "The project whose signing key is looked at.")
  var project = "."

  @Option(name: .shortAndLong, help: ArgumentHelp("Folder for the packages.", valueName: "folder"))
  var output = "packages"

  @OptionGroup var store: StoreLocation
  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      let progress = ProgressLine(console)
      let findings = Doctor.findings(
        DoctorSubject(project: project, output: output, store: store.folder)
      ) { progress.show("looking at this machine", $0, of: $1) }
      progress.clear()
      let isFit = findings.allSatisfy { $0.status != .missing }
      try shared.answer(
        console, text: Self.text(findings),
        json: [
          "verdict": isFit ? "fit" : "lacking", "findings": .array(findings.map(\.json)),
        ])
      guard isFit else { throw ExitStatus.failed.code }
    }
  }

  /// A line for each finding, and one below it where there is something to do.
  private static func text(_ findings: [MachineFinding]) -> String {
    let width = findings.map(\.name.count).max() ?? 0
    return findings.map { finding in
      let head = padded(finding.status.rawValue, 7) + "  " + padded(finding.name, width)
      let mend = finding.mend.map { "\(padded("", 7))  mend: \($0)\n" } ?? ""
      return "\(head)  \(finding.found)".printable(keepsLines: false) + "\n" + mend
    }.joined()
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
