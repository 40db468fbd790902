import ArgumentParser
import Calibration
import Formats
import Gate
import Graph
import Inputs
import Packaging
import StrictJSON
import WeightCompression
import Weights

struct CompressCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compress",
    abstract: "Compress a model into one file, or a Core ML package.",
    discussion: """
      With --references the compressed model is run against them, and nothing is written when the \
      gate refuses it (exit status 3), unless --keep-refused says where. Without, the output is unproven.

      The answer is the gate's verdict and the size of what was written; --verbose adds a line for \
      each tensor. The name of the output says the format: '….safetensors' or '….mlpackage'.

      Of a model with an image and a text encoder one is compressed at a time. Reference pairs of \
      images and texts judge it together with the other one as trained.

      Examples:
        ingot compress MODEL --output small.safetensors --references PAIRS.jsonl
        ingot compress MODEL --output Small.mlpackage --references PAIRS.jsonl
        ingot compress MODEL --scheme palettize --bits 6 --granularity per-group \\
          --group-size 2 --output small.safetensors
        ingot compress MODEL --recipe small --calibration SENTENCES.jsonl \\
          --references PAIRS.jsonl --output small.safetensors
        ingot compress CLIP --encoder text --scheme palettize --bits 4 \\
          --references PAIRS.jsonl --output text.safetensors
      """)

  @Argument(help: "A model folder, a weight file, or something Ingot wrote.")
  var model: String

  @Option(name: .shortAndLong, help: ArgumentHelp("What to write.", valueName: "path"))
  var output: String

  @OptionGroup var encoder: EncoderFlags
  @OptionGroup var format: FormatFlags
  @OptionGroup var about: DescriptionFlags

  @Option(
    help: ArgumentHelp(
      "Reference pairs to prove the result against.", discussion: InputFiles.forms,
      valueName: "file"))
  var references: String?

  @OptionGroup var source: SourceCheckFlags
  @OptionGroup var compression: CompressionFlags
  @OptionGroup var gate: GateFlags
  @OptionGroup var refused: RefusedModelFlags
  @OptionGroup var tokenizer: TokenizerFlags
  @OptionGroup var jobs: JobOptions
  @OptionGroup var detail: VerboseFlag
  @OptionGroup var shared: SharedOptions

  mutating func validate() throws {
    try format.settle(for: output)
    try source.requirePair()
    try refused.check(format.chosen, references: references)
    try detail.check(against: shared)
    try InputFiles.requireOneStandardInput([
      ("--references", references), ("--calibration", compression.calibration),
      ("--inputs", source.inputs),
    ])
    if let flag = about.firstGiven, !format.isPackage {
      throw ValidationError("\(flag) needs --format mlpackage")
    }
    if references == nil { try gate.requireNone() }
  }

  func run() throws {
    try shared.run { console in
      let (baseline, all) = try encoder.open(model, files: try tokenizer.files(for: [model]))
      let inputs =
        all.flatMap(\.inputFiles)
        + [self.references, compression.calibration].compactMap(\.self) + source.files
      let path = OutputPath(path: output, format: format.chosen)
      try path.check(inputs: inputs)
      try refused.check(besides: path, inputs: inputs)
      try format.checkLengths(of: baseline)
      if let hint = PromptWords.hint(baseline.architecture) { console.note(hint) }
      let references = try references.map {
        try gate.references($0, for: baseline, console)
      }
      let finding = try checked(baseline, of: all, references, console)
      let calibration = try compression.calibrationSet(
        besides: references, for: baseline, jobs: jobs.count, console)
      if let references, let advice = try format.advice(on: baseline, references) {
        console.note(advice.text(for: try format.options().target))
      }
      var judgement: Judgement?
      let written = try compress(baseline, calibration, console) { candidate in
        guard let references else { return nil }
        judgement = try prove(candidate, against: all, references, finding, console)
        return judgement?.receipt.map { ContentDigest(of: $0.packedBytes) }
      }
      if references == nil {
        console.warn("\(output) is unproven: no reference pairs were given")
      }
      let report = CompressionReport(
        model: written.model, unused: written.unused, calibration: written.calibration,
        judgement: judgement, source: finding)
      let leftOut = try LeftOut(written.unused, by: baseline, of: all)
      try shared.answer(console, text: text(report, leftOut), json: report.json)
    }
  }

  /// Looks, before anything is compressed, whether the model gives what was made of it elsewhere and
  /// what the references know to be right.
  private func checked(
    _ baseline: Model, of models: [Model], _ references: ReferenceSet?, _ console: Console
  ) throws -> SourceFinding? {
    let finding = try source.run(models, of: model, jobs: jobs.count, console) {
      try shared.answer(console, text: "", json: ["sourceCheck": $0.json, "sizeBytes": .null])
    }
    if let references {
      try gate.check(baseline, of: models, references)
      try Gate.checkKnownOutputs(of: models, on: references, jobs: jobs.count)
    }
    return finding
  }

  private var options: CompressionOptions {
    get throws { try compression.options(floats: format.floats) }
  }

  /// What came of it.
  private struct Written {
    let model: EmittedModel
    /// Tensors of the source that the model does not use.
    let unused: [String]
    let calibration: CalibrationRecord?
  }

  /// Compresses and writes the model.
  private func compress(
    _ baseline: Model, _ calibration: CalibrationSet?, _ console: Console,
    proving prove: (Model) throws -> ContentDigest?
  ) throws -> Written {
    let progress = ProgressLine(console)
    defer { progress.clear() }
    // Read once: the file of a recipe could change.
    let options = try options
    do {
      let weights = try compressed(baseline, options, calibration, progress)
      let description =
        try format.isPackage
        ? about.description(of: baseline, format.options()) : CoreMLDescription()
      do {
        var beside: PreparationFiles?
        let emitted = try format.write(
          weights, of: baseline, recipe: options.label, description: description, to: output
        ) { candidate in
          if about.withPreparation {
            beside = try PreparationFiles(candidate, of: baseline, beside: output)
          }
          return try prove(candidate)
        }
        try beside?.write()
        return Written(model: emitted, unused: weights.unused, calibration: weights.calibration)
      } catch let refusal as GateRefusal {
        let kept = try keep(
          weights, of: baseline, options.label, description, refusal.judgement, console)
        throw try failure(refusal.judgement, kept, console)
      }
    } catch let error as CompressionError {
      throw Failure(error, of: model)
    }
  }

  /// The compressed weights: fitted to inputs, or made one after another while they are written.
  private func compressed(
    _ baseline: Model, _ options: CompressionOptions, _ calibration: CalibrationSet?,
    _ progress: ProgressLine
  ) throws -> any CompressedTensors {
    if let calibration {
      return try CalibratedCompressor.compress(
        model: baseline, options: options, calibration: calibration, jobs: jobs.count
      ) { progress.show("calibrating \($0)") }
    }
    return try WeightCompressor.stream(
      weights: try baseline.usedWeights(), from: baseline.weights, options: options,
      jobs: jobs.count
    ) { progress.show("compressing \($0)") }
  }

  /// Runs the gate on what was just written; throws when it refuses.
  private func prove(
    _ candidate: Model, against baseline: [Model], _ references: ReferenceSet,
    _ source: SourceFinding?, _ console: Console
  ) throws -> Judgement {
    let judgement = try gate.judge(
      baseline: .models(baseline), candidate: .model(candidate), references, source: source,
      jobs: jobs.count, console)
    guard judgement.isPassed else { throw GateRefusal(judgement: judgement) }
    return judgement
  }

  /// Writes a model that was refused where it was asked to be kept, once more and unproven.
  ///
  /// - Returns: nil where it was not asked to be kept, or cannot be: a refusal stays a refusal.
  private func keep(
    _ weights: some CompressedTensors, of baseline: Model, _ recipe: String,
    _ description: CoreMLDescription, _ judgement: Judgement, _ console: Console
  ) throws -> EmittedModel? {
    guard let path = refused.keepRefused else { return nil }
    do {
      let kept = try format.write(
        weights, of: baseline, recipe: recipe, description: description, to: path
      ) { _ in nil }
      console.warn(
        "\(path) is unproven: the gate refused it",
        hint: "judge it again with: \(checkCommand(path, judgement))")
      return kept
    } catch {
      console.warn("the refused model could not be kept: \(words(of: error))")
      return nil
    }
  }

  /// Answers what a refusal says, and gives the failure to end with.
  private func failure(
    _ judgement: Judgement, _ kept: EmittedModel?, _ console: Console
  ) throws -> Failure {
    try shared.answer(
      console, text: "",
      json: [
        "gate": judgement.json(Flags.name), "sizeBytes": .null,
        "keptRefused": kept?.refusedJSON ?? .null,
      ])
    return Failure(
      message: "\(model): refused, nothing was written to \(output)",
      details: judgement.refusalLines,
      hint: "use more bits, another granularity, or another scheme", status: .refused)
  }

  private func text(_ report: CompressionReport, _ leftOut: LeftOut) -> String {
    if shared.quiet { return report.summary }
    return report.summary + report.details + leftOut.text + (detail.verbose ? report.table : "")
  }
}
