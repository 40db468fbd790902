import ArgumentParser
import Explanation
import Files
import Formats
import Gate
import Graph
import Inputs
import Proving
import StrictJSON
import WeightCompression

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say why a candidate drifts, what is wrong with it, and what would mend it.",
    discussion: """
      Runs the gate, names the weights that make the drift, or the tokenizer, preprocessing or \
      computation that differs, and what is wrong with each. Weights are found by swapping them into the baseline, \
      alone and together.

      Of a candidate that is refused it then looks for the cheapest change that brings it inside the \
      limits: more bits or finer scales for one weight or a few, one level for many, weights taken from \
      the model as trained, or the baseline's own files beside them. What is printed was judged \
      by the gate.

      Exit status: 0 explained, whether the candidate passes or not; 1 if it cannot be judged.

      Examples:
        ingot explain MODEL small.safetensors --references PAIRS.jsonl
        ingot explain MODEL X.mlpackage --references PAIRS.jsonl --limits strict
        ingot explain MODEL small.safetensors --references PAIRS.jsonl --write-recipe mended.yaml
      """)

  @Argument(help: "The model as trained.")
  var baseline: String

  @Argument(
    help: ArgumentHelp(
      "The model to explain; two for an image and a text encoder.", valueName: "candidate"))
  var candidates: [String]

  @Option(
    help: ArgumentHelp(
      "Reference pairs or samples.", discussion: InputFiles.referenceForms, valueName: "file"))
  var references: String

  @Option(
    help: ArgumentHelp(
      "Write a recipe that stores weights as the candidate does, with the mend.",
      discussion: "'compress --recipe' makes the mended model with it, if no weights are fitted.",
      valueName: "file.yaml"))
  var writeRecipe: String?

  @OptionGroup var encoder: EncoderFlags
  @OptionGroup var gate: GateFlags
  @OptionGroup var tokenizer: TokenizerFlags
  @OptionGroup var jobs: JobOptions
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    guard (1...2).contains(candidates.count) else {
      throw ValidationError(
        "\(candidates.count) candidates are given; two at most, an image and a text encoder")
    }
    if let outputs = ([baseline] + candidates).first(where: CheckSides.isOutputs) {
      throw ValidationError("\(outputs) holds outputs; only a model that runs can be explained")
    }
  }

  func run() throws {
    try shared.run { console in
      let sides = CheckSides(
        encoder: encoder.kind, files: try tokenizer.files(for: [baseline] + candidates),
        prompt: encoder.prompt.choice, pooling: encoder.pooling.choice)
      let measure = try sides.baseline(baseline)
      let candidate = try sides.candidate(candidates, against: measure)
      if let writeRecipe {
        let path = OutputPath(path: writeRecipe, flag: "--write-recipe")
        try path.check(
          inputs: (measure.models + candidate.models).flatMap(\.inputFiles) + [references])
        try path.check(besides: baseline)
      }
      let explanation = try explain(candidate, against: measure, console)
      let recipe = explanation.mend?.recipe
      if let writeRecipe, let recipe {
        try AtomicFile.write(Array(recipe.yaml.utf8), to: writeRecipe)
      }
      let report = ExplanationReport(
        explanation: explanation, baseline: baseline, candidates: candidates,
        isMade: candidate.models.contains { $0.recipe != nil },
        isFitted: candidate.models.contains { $0.calibration != nil }, hasRecipe: recipe != nil,
        recipePath: recipe == nil ? nil : writeRecipe)
      try shared.answer(console, text: report.text, json: report.json)
      if let writeRecipe, recipe == nil {
        throw Failure(
          message: "\(writeRecipe): no recipe was found to write",
          details: [ExplanationReport.whyNoRecipe(explanation)])
      }
    }
  }

  private func explain(
    _ candidate: GateSide, against measure: GateSide, _ console: Console
  ) throws -> Explanation {
    let set = try gate.references(references, for: measure.models.first, console)
    let progress = ProgressLine(console)
    defer { progress.clear() }
    var judge = try gate.gate(on: set, source: nil, jobs: jobs.count).keepingBaselines()
    judge.attribution = .always
    let verdict = try gate.explaining(for: (measure.models + candidate.models).first) {
      try Prover(jobs: jobs.count, progress: progress.show).judge(
        candidate, against: measure, by: judge)
    }
    let explanation = try Explanation(
      of: verdict, by: judge, candidate, against: measure, jobs: jobs.count,
      progress: progress.show(tries:))
    progress.clear()
    gate.warn(of: verdict, source: nil, console)
    return explanation
  }
}
