import ArgumentParser
import Emission
import Evaluation
import Files
import Graph
import StrictJSON

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Run the gate alone: has the candidate drifted from the baseline?",
    discussion: """
      Either side is a model or an .npy file of its outputs, two rows per pair (a, then b) in the \
      order of the reference file, or one row per single input.

      Exit status: 0 passed, 3 refused.

      Examples:
        ingot check MODEL small.safetensors --references PAIRS.jsonl --limits strict
        ingot check MODEL X.mlpackage --references PAIRS.jsonl
      """)

  @Argument(help: "The model as trained, or an .npy of its outputs.")
  var baseline: String

  @Argument(help: "The model to judge, or an .npy of its outputs.")
  var candidate: String

  @Option(help: ArgumentHelp("Reference pairs or inputs, JSON lines.", valueName: "file"))
  var references: String

  @OptionGroup var gate: GateFlags
  @OptionGroup var tokenizer: TokenizerFlags
  @OptionGroup var jobs: JobOptions
  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      let references = try ReferenceSet(path: references)
      let files = try tokenizer.files(for: [baseline, candidate])
      let measure = try side(baseline, files: files)
      let ours: ModelFiles? = if case .model(let model) = measure { model.files } else { nil }
      let judgement = try gate.judge(
        baseline: measure,
        candidate: try side(candidate, files: files ?? beside(candidate) ?? ours), references,
        jobs: jobs.count, console)
      try shared.answer(console, text: judgement.text, json: judgement.json)
      guard judgement.isPassed else {
        throw Failure(
          message: "\(candidate): refused", details: judgement.reasons, status: .refused)
      }
    }
  }

  /// The tokenizer that lies beside a package; what ships with it is what is judged.
  private func beside(_ path: String) -> ModelFiles? {
    let folder = Folder.parent(of: path)
    let file = Folder.join(folder, CoreMLPackage.tokenizerFile)
    return Folder.kind(of: file) == .missing ? nil : ModelFiles(folder: folder)
  }

  private func side(_ path: String, files: ModelFiles?) throws -> GateSide {
    path.hasSuffix(".npy")
      ? .outputs(try OutputMatrix(npy: path), path: path)
      : .model(try ModelLoader.open(path, files: files))
  }
}
