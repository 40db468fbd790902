import Explanation
import Gate

extension RefusalMend {
  /// The same, on a command's progress line; what fails is a warning.
  init(
    _ verdict: Verdict, by gate: Gate, _ candidate: GateSide, against trained: GateSide,
    jobs: Int, isPatient: Bool = false, on line: ProgressLine, _ console: Console
  ) {
    self.init(
      verdict, by: gate, candidate, against: trained, jobs: jobs, isPatient: isPatient,
      progress: line.show(tries:))
    line.clear()
    if let fault { console.warn("no mend was tried: \(words(of: fault))") }
  }

  /// The same with commands as a user types them.
  var lines: [String] { lines(Flags.name) }
}
