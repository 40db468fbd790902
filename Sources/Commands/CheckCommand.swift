import ArgumentParser
import Evaluation
import Graph
import StrictJSON

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Run the gate alone: has the candidate drifted from the baseline?",
    discussion: """
      Either side is a model or an .npy file of its outputs, two rows per pair (a, then b) in the \
      order of the reference file, or one row per single input.

      Of a model with an image and a text encoder one or both may be candidates, in any order: the \
      encoder that is none is the baseline's own. With --encoder one is judged alone.

      Inputs of a Core ML package are prepared by the files beside it, or else by those of the \
      baseline.

      Exit status: 0 passed, 3 refused.

      Examples:
        ingot check MODEL small.safetensors --references PAIRS.jsonl --limits strict
        ingot check MODEL X.mlpackage --references PAIRS.jsonl
        ingot check CLIP Image.mlpackage Text.mlpackage --references PAIRS.jsonl --threshold 0.25
      """)

  @Argument(help: "The model as trained, or an .npy of its outputs.")
  var baseline: String

  @Argument(
    help: ArgumentHelp(
      "The model to judge, or an .npy of its outputs; two for an image and a text encoder.",
      valueName: "candidate"))
  var candidates: [String]

  @Option(help: ArgumentHelp("Reference pairs or inputs, JSON lines.", valueName: "file"))
  var references: String

  @OptionGroup var encoder: EncoderFlags
  @OptionGroup var gate: GateFlags
  @OptionGroup var tokenizer: TokenizerFlags
  @OptionGroup var jobs: JobOptions
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    guard candidates.count <= 2 else {
      throw ValidationError(
        "\(candidates.count) candidates are given; two at most, an image and a text encoder")
    }
    if candidates.count == 2, let outputs = candidates.first(where: CheckSides.isOutputs) {
      throw ValidationError("two candidates are models that run, \(outputs) holds outputs")
    }
  }

  func run() throws {
    try shared.run { console in
      let sides = CheckSides(
        encoder: encoder.kind, files: try tokenizer.files(for: [baseline] + candidates),
        prompt: encoder.prompt.choice)
      let measure = try sides.baseline(baseline)
      let references = try InputFiles.references(
        references, for: measure.models.first, console)
      let judgement = try gate.judge(
        baseline: measure, candidate: try sides.candidate(candidates, against: measure),
        references, jobs: jobs.count, console)
      try shared.answer(console, text: judgement.text, json: judgement.json)
      guard judgement.isPassed else {
        throw Failure(
          message: "\(candidates.joined(separator: ", ")): refused",
          details: judgement.refusalLines,
          status: .refused)
      }
    }
  }
}
