import ArgumentParser
import Explanation
import Formats
import Gate
import Graph
import Inputs
import Proving
import Reports
import StrictJSON

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Does a model give what its own library gave? Has a candidate drifted from it?",
    discussion: """
      With VECTORS.npy, MODEL and --inputs: is the model read as it was trained? VECTORS.npy holds \
      what its own library made of the inputs, one row for each line; the Python below saves both. With --references the gate \
      runs: has the candidate drifted from the baseline? With --source-check both are asked.

      Before the gate either side is a model or an .npy file of its outputs, two rows per pair (a, then b) in the \
      order of the reference file, or one row per single input.

      Of a model with an image and a text encoder one or both may be candidates, in any order: the \
      encoder that is none is the baseline's own. With --encoder one is judged alone.

      Inputs of a Core ML package are prepared by the files beside it, or else by those of the \
      baseline.

      Vectors of sentence-transformers, in Python:
        import json, numpy; from sentence_transformers import SentenceTransformer
        texts = ["as many as you like", "like those the app will see"]
        numpy.save("VECTORS.npy", SentenceTransformer("MODEL").float().encode(texts, batch_size=1))
        open("INPUTS.jsonl", "w").writelines(json.dumps({"text": t}) + "\\n" for t in texts)

      Exit status: 0 agrees or passed, 3 disagrees or refused.

      Examples:
        ingot check VECTORS.npy MODEL --inputs INPUTS.jsonl
        ingot check MODEL small.safetensors --references PAIRS.jsonl --limits strict
        ingot check MODEL X.mlpackage --references PAIRS.jsonl
        ingot check CLIP Image.mlpackage Text.mlpackage --references PAIRS.jsonl --threshold 0.25
      """)

  @Argument(
    help:
      "The model as trained, an .npy of its outputs, or, with --inputs, of outputs made elsewhere.")
  var baseline: String

  @Argument(
    help: ArgumentHelp(
      "The model to judge, or an .npy of its outputs; two for an image and a text encoder.",
      valueName: "candidate"))
  var candidates: [String]

  @Option(
    help: ArgumentHelp(
      "Reference pairs or samples.", discussion: InputFiles.referenceForms, valueName: "file"))
  var references: String?

  @Flag(
    help: ArgumentHelp(
      "Let the candidate have another tokenizer, or prepare images otherwise.",
      discussion: """
        Each side prepares its inputs by its own files. Where these differ, vectors of other inputs \
        are compared, and the candidate is refused: two tokenizers may agree on every reference and \
        on nothing else. With the flag that is a warning.
        """))
  var differentPreparation = false

  @OptionGroup var source: SourceCheckFlags
  @OptionGroup var encoder: EncoderFlags
  @OptionGroup var gate: GateFlags
  @OptionGroup var tokenizer: TokenizerFlags
  @OptionGroup var page: ReportFlags
  @OptionGroup var jobs: JobOptions
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    guard candidates.count <= 2 else {
      throw ValidationError(
        "\(candidates.count) candidates are given; two at most, an image and a text encoder")
    }
    try InputFiles.requireOneStandardInput([
      ("--references", references), ("--inputs", source.inputs),
    ])
    guard references != nil else { return try validateSourceCheck() }
    if candidates.count == 2, let outputs = candidates.first(where: CheckSides.isOutputs) {
      throw ValidationError("two candidates are models that run, \(outputs) holds outputs")
    }
    if source.sourceCheck != nil, CheckSides.isOutputs(baseline) {
      throw ValidationError("--source-check is for a baseline that runs, \(baseline) holds outputs")
    }
    if source.inputs != nil, source.sourceCheck == nil {
      throw ValidationError(
        "--inputs needs the outputs made of them: --source-check VECTORS.npy; or leave "
          + "--references out")
    }
  }

  private func validateSourceCheck() throws {
    guard source.inputs != nil, source.sourceCheck == nil else {
      throw ValidationError(
        "give --references to run the gate, or VECTORS.npy MODEL --inputs to compare a model with "
          + "what was made elsewhere")
    }
    guard candidates.count == 1, CheckSides.isOutputs(baseline),
      let model = candidates.first, !CheckSides.isOutputs(model)
    else {
      throw ValidationError(
        "with --inputs the first argument is an .npy of outputs made elsewhere, the second the "
          + "model: ingot check VECTORS.npy MODEL --inputs INPUTS.jsonl")
    }
    try gate.requireNone(hasInputs: true)
    guard page.report == nil else { throw ValidationError("--report is for --references") }
    guard !differentPreparation else {
      throw ValidationError("--different-preparation is for --references")
    }
  }

  func run() throws {
    try shared.run { console in
      if let references { return try judge(references, console) }
      guard let model = candidates.first, let inputs = source.inputs else { return }
      let all = try ModelLoader.encoders(
        of: model, files: try tokenizer.files(for: [model]),
        prompt: encoder.prompt.choice, pooling: encoder.pooling.choice, requested: encoder.kind)
      let models =
        try encoder.kind.map { [try ModelLoader.choose($0, among: all, of: model)] } ?? all
      let finding = try SourceCheckFlags.finding(
        vectors: baseline, inputs: inputs, columns: gate.columns, models, jobs: jobs.count, console)
      try shared.answer(
        console, text: finding.isAgreed ? finding.text : "",
        json: ["sourceCheck": finding.json(Flags.name)])
      try finding.require(of: model) {}
    }
  }

  private func judge(_ path: String, _ console: Console) throws {
    let sides = CheckSides(
      encoder: encoder.kind, files: try tokenizer.files(for: [baseline] + candidates),
      prompt: encoder.prompt.choice, pooling: encoder.pooling.choice)
    try page.check(inputs: [baseline, path] + candidates + source.files, besides: [])
    let measure = try sides.baseline(baseline)
    let references = try gate.references(path, for: measure.models.first, console)
    let finding = try source.run(
      measure.models, of: baseline, columns: gate.columns, areOfReferences: true, jobs: jobs.count,
      console
    ) {
      try shared.answer(console, text: "", json: ["sourceCheck": $0.json(Flags.name)])
    }
    let candidate = try sides.candidate(candidates, against: measure)
    let progress = ProgressLine(console)
    defer { progress.clear() }
    let judge = try gate.gate(
      on: references, source: finding, allowsOtherPreparation: differentPreparation,
      jobs: jobs.count)
    let verdict = try gate.explaining(for: (measure.models + candidate.models).first) {
      try Prover(jobs: jobs.count, progress: progress.show).judge(
        candidate, against: measure, by: judge)
    }
    let mend = RefusalMend(
      verdict, by: judge, candidate, against: measure, jobs: jobs.count, on: progress, console)
    progress.clear()
    gate.warn(of: verdict, source: finding, console)
    try shared.answer(
      console, text: (finding?.text ?? "") + verdict.text, json: verdict.json(with: finding, mend))
    let isShown = page.write(console) {
      var report = try ModelReport(check: candidates, verdict, (measure, candidate), references)
      report.mends = mend.lines
      return ReportPage(report, command: "check", version: IngotCommand.version)
    }
    guard verdict.isPassed else {
      throw Failure(
        message: "\(candidates.joined(separator: ", ")): refused",
        details: verdict.refusalLines + mend.lines,
        hint: verdict.isPreparedOtherwise
          ? "give the candidate the baseline's own files, or --different-preparation" : nil,
        status: .refused)
    }
    guard isShown else { throw ExitStatus.failed.code }
  }
}

extension Verdict {
  /// The report of a verdict, with that of a source check where there was one, and what would mend a
  /// refused candidate.
  fileprivate func json(with source: SourceFinding?, _ mend: RefusalMend) -> JSONValue {
    let report = json(Flags.name)
    guard case .object(var members) = report else { return report }
    if let source { members["sourceCheck"] = source.json(Flags.name) }
    if !isPassed { members["explanation"] = mend.json }
    return .object(members)
  }
}
