import ArgumentParser
import Calibration
import Explanation
import Formats
import Gate
import Graph
import Inputs
import Proving
import Reports
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
      each tensor. The name of the output says the format: \
      \(ModelFormat.endings.joined(separator: " or ")).

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

  @Flag(
    help: ArgumentHelp(
      "mlpackage: put what prepares inputs (tokenizer.json, …) and a USAGE.md beside the package.",
      discussion: """
        USAGE.md has the lines of Swift that run this very package. A file that is there and differs \
        is never replaced.
        """))
  var withPreparation = false

  @Option(
    help: ArgumentHelp(
      "Reference pairs to prove the result against.", discussion: InputFiles.referenceForms,
      valueName: "file"))
  var references: String?

  @OptionGroup var source: SourceCheckFlags
  @OptionGroup var compression: CompressionFlags
  @OptionGroup var vocabulary: VocabularyFlags
  @OptionGroup var gate: GateFlags
  @OptionGroup var refused: RefusedModelFlags
  @OptionGroup var tokenizer: TokenizerFlags
  @OptionGroup var page: ReportFlags
  @OptionGroup var jobs: JobOptions
  @OptionGroup var detail: VerboseFlag
  @OptionGroup var shared: SharedOptions

  mutating func validate() throws {
    try format.settle(for: output)
    try source.requirePair()
    try refused.check(try format.chosen, references: references)
    try detail.check(against: shared)
    try InputFiles.requireOneStandardInput([
      ("--references", references), ("--calibration", compression.fitting.calibration),
      ("--inputs", source.inputs), ("--keep-tokens", vocabulary.keepTokens),
    ])
    if let flag = about.firstGiven { try format.requireDescribing(flag) }
    if withPreparation { try format.require("--with-preparation") }
    if references == nil { try gate.requireNone(hasInputs: source.inputs != nil) }
  }

  func run() throws {
    try shared.run { console in
      let (baseline, all) = try encoder.open(model, files: try tokenizer.files(for: [model]))
      let inputs =
        all.flatMap(\.inputFiles)
        + [
          self.references, compression.fitting.calibration, vocabulary.keepTokens,
          compression.recipe,
        ].compactMap(\.self)
        + source.files
      let path = OutputPath(path: output, format: try format.chosen)
      try path.check(inputs: inputs)
      try path.check(besides: model)
      try refused.check(besides: path, inputs: inputs)
      try page.check(
        inputs: inputs, besides: [("--output", output), ("--keep-refused", refused.keepRefused)])
      try format.plain.check(baseline)
      if let hint = PromptWords.hint(baseline.architecture) { console.note(hint) }
      let references = try references.map {
        try gate.references($0, for: baseline, console)
      }
      let finding = try checked(baseline, of: all, references, console)
      let reduced = try vocabulary.reduced(baseline, console)
      let calibration = try compression.fitting.calibrationSet(
        besides: references.map { [$0] } ?? [], for: reduced, jobs: jobs.count, console)
      if let references, let advice = try format.advice(on: baseline, references) {
        console.note(advice.text(for: try format.options().target))
      }
      // Read once: the file of a recipe could change.
      let part = Prover.Part(
        reduced, options: try compression.options(floats: try format.plain.floats),
        calibration: calibration,
        as: try format.value { try about.description(of: reduced, $0) },
        at: ModelPlace(output))
      let (written, verdict) = try Failure.explaining(compressing: model) {
        try make(part, of: all, references, finding, console)
      }
      if references == nil {
        console.warn("\(output) is unproven: no reference pairs were given")
      }
      let report = CompressionReport(
        model: written, verdict: verdict, source: finding, vocabulary: reduced.vocabulary)
      let leftOut = try LeftOut(written.unused, by: baseline, of: all)
      try shared.answer(console, text: text(report, leftOut), json: report.json)
      try page.require(console) {
        show(try ModelReport(model, report, part, references))
      }
    }
  }

  private func show(_ report: ModelReport) -> ReportPage {
    ReportPage(report, command: "compress", version: IngotCommand.version)
  }

  /// Looks, before anything is compressed, whether the model gives what was made of it elsewhere and
  /// what the references know to be right.
  private func checked(
    _ baseline: Model, of models: [Model], _ references: ReferenceSet?, _ console: Console
  ) throws -> SourceFinding? {
    let finding = try source.run(
      models, of: model, columns: gate.columns, areOfReferences: references != nil,
      jobs: jobs.count, console
    ) {
      try shared.answer(
        console, text: "", json: ["sourceCheck": $0.json(Flags.name), "sizeBytes": .null])
    }
    if let references {
      try gate.check([baseline], of: models, references)
      try Gate.checkKnownOutputs(of: models, on: references, jobs: jobs.count)
    }
    return finding
  }

  /// The files for the app; nil where none were asked for.
  private func preparation(_ candidate: Model, of trained: Model) throws -> PreparationFiles? {
    guard withPreparation || candidate.vocabulary != nil,
      let rules = try format.chosen.folder
    else { return nil }
    return try PreparationFiles(candidate, of: trained, in: rules, beside: output)
  }

  /// Makes the model, and has it judged where there are references.
  private func make(
    _ part: Prover.Part, of trained: [Model], _ references: ReferenceSet?,
    _ source: SourceFinding?, _ console: Console
  ) throws -> (EmittedModel, Verdict?) {
    let progress = ProgressLine(console)
    defer { progress.clear() }
    var beside: PreparationFiles?
    let prover = Prover(jobs: jobs.count, progress: progress.show)
    let whole = try wholeTokenizer(trained, part, console)
    guard let references else {
      let written = try prover.runUnproven([part]) { candidates in
        beside = try preparation(candidates[0], of: part.model)
      } then: { _ in
        try beside?.write()
        try whole?.write(beside: output)
      }
      return (written[0], nil)
    }
    let judge = try gate.gate(on: references, source: source, jobs: jobs.count)
    var mend: RefusalMend?
    let outcome = try prover.run([part], against: trained, by: judge) { candidates, judging in
      progress.clear()
      beside = try preparation(candidates[0], of: part.model)
      let verdict = try gate.explaining(for: trained.first, judging)
      progress.clear()
      gate.warn(of: verdict, source: source, console)
      // What was staged is there no longer afterwards.
      mend = RefusalMend(
        verdict, by: judge, .models(candidates), against: .models(trained), jobs: jobs.count,
        on: progress, console)
      return verdict
    } then: { _ in
      try beside?.write()
      try whole?.write(beside: output)
    }
    switch outcome {
    case .proven(let written, let verdict): return (written[0], verdict)
    case .refused(let verdict, let compressed):
      _ = page.write(console) {
        var report = try ModelReport(model, verdict, compressed[0], part, references)
        report.mends = mend?.lines ?? []
        return show(report)
      }
      throw try failure(verdict, mend, keep(compressed[0], whole, verdict, console), console)
    }
  }

  /// Writes a model that was refused where it was asked to be kept, once more and unproven.
  ///
  /// - Returns: nil if it was not asked to be kept, or cannot be: a refusal stays a refusal.
  private func keep(
    _ compressed: Prover.Compressed, _ whole: WholeTokenizerFile?, _ verdict: Verdict,
    _ console: Console
  ) -> EmittedModel? {
    guard let path = refused.keepRefused else { return nil }
    do {
      let kept = try compressed.stage(beside: path).commitUnproven()
      try whole?.write(beside: path)
      console.warn(
        "\(path) is unproven: the gate refused it",
        hint: "judge it again with: \(checkCommand(path, verdict))")
      return kept
    } catch {
      console.warn("the refused model could not be kept: \(words(of: error))")
      return nil
    }
  }

  /// Answers with a refusal, and returns the failure to end with.
  private func failure(
    _ verdict: Verdict, _ mend: RefusalMend?, _ kept: EmittedModel?, _ console: Console
  ) throws -> Failure {
    try shared.answer(
      console, text: "",
      json: [
        "gate": verdict.json(Flags.name), "sizeBytes": .null,
        "keptRefused": kept?.refusedJSON ?? .null, "explanation": mend?.json ?? .null,
      ])
    return Failure(
      message: "\(model): refused, nothing was written to \(output)",
      details: verdict.refusalLines + (mend?.lines ?? []),
      hint: verdict.compressionHint, status: .refused)
  }

  private func text(_ report: CompressionReport, _ leftOut: LeftOut) -> String {
    if shared.quiet { return report.summary }
    return report.summary + report.details + leftOut.text + (detail.verbose ? report.table : "")
  }
}
