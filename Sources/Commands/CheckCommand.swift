import ArgumentParser
import Emission
import Evaluation
import StrictJSON

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Run the gate alone: has the candidate drifted from the baseline?",
    discussion: """
      Either side is a model or an .npy file of its outputs, two rows per pair (a, then b) in the \
      order of the reference file, or one row per single input.

      Exit status: 0 passed, 3 refused.

      Example:
        ingot check MODEL small.safetensors --references PAIRS.jsonl --limits strict
      """)

  @Argument(help: "The model as trained, or an .npy of its outputs.")
  var baseline: String

  @Argument(help: "The model to judge, or an .npy of its outputs.")
  var candidate: String

  @Option(help: ArgumentHelp("Reference pairs or inputs, JSON lines.", valueName: "file"))
  var references: String

  @OptionGroup var gate: GateFlags
  @OptionGroup var jobs: JobOptions
  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      let references = try ReferenceSet(path: references)
      let judgement = try gate.judge(
        baseline: try side(baseline), candidate: try side(candidate), references,
        jobs: jobs.count, console)
      try shared.answer(console, text: judgement.text, json: judgement.json)
      guard judgement.isPassed else {
        throw Failure(
          message: "\(candidate): refused", details: judgement.reasons, status: .refused)
      }
    }
  }

  private func side(_ path: String) throws -> GateSide {
    path.hasSuffix(".npy")
      ? .outputs(try OutputMatrix(npy: path), path: path) : .model(try ModelLoader.open(path))
  }
}
