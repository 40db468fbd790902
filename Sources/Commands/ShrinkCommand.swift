import ArgumentParser
import Calibration
import Files
import Formats
import Gate
import Graph
import Inputs
import Proving
import Reports
import Search
import StrictJSON
import WeightCompression
import Weights

struct ShrinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shrink",
    abstract: "Find the smallest model that passes, or the best of a size.",
    discussion: """
      Stores each weight in the way that costs the outputs least for its bytes. What a way costs is \
      predicted from gradients; candidates are made and judged until the next smaller one would be \
      refused. Only a model that the gate passed is written, with the recipe that was found: \
      'compress --recipe' makes the same bytes of it.

      A search that looks at references is proven by others: the references are cut in two by their \
      content, one share for the search and one for the verdict. --verdict gives the verdict a file \
      of its own.

      Examples:
        ingot shrink MODEL --references PAIRS.jsonl --limits strict --output small.safetensors
        ingot shrink MODEL --references PAIRS.jsonl --calibration SENTENCES.jsonl \\
          --write-recipe small-enough.yaml --output Small.mlpackage
        ingot shrink MODEL --references PAIRS.jsonl --budget 12MB --output small.safetensors
      """)

  @Argument(help: "A model folder, or a weight file, as trained.")
  var model: String

  @Option(name: .shortAndLong, help: ArgumentHelp("What to write.", valueName: "path"))
  var output: String

  @OptionGroup var encoder: EncoderFlags
  @OptionGroup var format: FormatFlags
  @OptionGroup var about: DescriptionFlags

  @Option(
    help: ArgumentHelp(
      "Reference pairs to search by, and to prove the result against.",
      discussion: InputFiles.referenceForms, valueName: "file"))
  var references: String

  @Option(
    help: ArgumentHelp(
      "References for the verdict alone; all of --references are for the search then.",
      valueName: "file"))
  var verdict: String?

  @Option(
    help: ArgumentHelp(
      "The most bytes of what is written: 12MB, 800kB or a number; the best of that size is made.",
      valueName: "size"))
  var budget: ByteCount?

  @Option(
    help: ArgumentHelp("Write the recipe that was found to a file.", valueName: "file.yaml"))
  var writeRecipe: String?

  @OptionGroup var fitting: CalibrationFlags
  @OptionGroup var gate: GateFlags
  @OptionGroup var tokenizer: TokenizerFlags
  @OptionGroup var page: ReportFlags
  @OptionGroup var jobs: JobOptions
  @OptionGroup var detail: VerboseFlag
  @OptionGroup var shared: SharedOptions

  mutating func validate() throws {
    try format.settle(for: output)
    try detail.check(against: shared)
    try InputFiles.requireOneStandardInput([
      ("--references", references), ("--verdict", verdict),
      ("--calibration", fitting.calibration),
    ])
    if let flag = about.firstGiven { try format.require(flag) }
  }

  func run() throws {
    try shared.run { console in
      let (model, all) = try encoder.open(self.model, files: try tokenizer.files(for: [self.model]))
      let inputs =
        all.flatMap(\.inputFiles)
        + [references, verdict, fitting.calibration].compactMap(\.self)
      try OutputPath(path: output, format: try format.chosen).check(inputs: inputs)
      if let writeRecipe {
        try OutputPath(path: writeRecipe, flag: "--write-recipe").check(inputs: inputs)
        if OutputPath.isSame(writeRecipe, output) {
          throw Failure(
            message: "\(writeRecipe): is the --output of this very command",
            hint: "choose another --write-recipe")
        }
      }
      try page.check(
        inputs: inputs, besides: [("--output", output), ("--write-recipe", writeRecipe)])
      try format.plain.check(model)
      let shares = try shares(of: model, all, console)
      let calibration = try fitting.calibrationSet(
        besides: [shares.search, shares.verdict], for: model, jobs: jobs.count, console)
      let request = Search.Request(
        model, of: all, as: try format.value { try about.description(of: model, $0) }, at: output,
        calibration: calibration,
        probe: calibration ?? CalibrationSet(inputsOf: shares.search),
        search: try gate.gate(on: shares.search, source: nil, jobs: jobs.count),
        verdict: try gate.gate(on: shares.verdict, source: nil, jobs: jobs.count),
        limits: try gate.value(), budget: budget?.value)
      try search(request, shares, console)
    }
  }

  private func search(
    _ request: Search.Request, _ shares: ReferenceShares, _ console: Console
  ) throws {
    let progress = ProgressLine(console)
    defer { progress.clear() }
    let prover = Prover(jobs: jobs.count, progress: progress.show)
    var search = try Failure.explaining(compressing: model) {
      try Search(request, jobs: jobs.count, prover: prover, progress: progress.show)
    }
    let outcome = try gate.explaining(for: request.model) { try search.run() }
    progress.clear()
    let report = SearchReport(trials: search.trials, shares: shares)
    let trials = search.trials
    let show = {
      ReportPage(
        try ModelReport(self.model, outcome, trials, shares, request), command: "shrink",
        version: IngotCommand.version)
    }
    switch outcome {
    case .found(let written, let verdict, let recipe):
      gate.warn(of: verdict, source: nil, console)
      if let writeRecipe { try AtomicFile.write(Array(recipe.yaml.utf8), to: writeRecipe) }
      let compression = CompressionReport(
        model: written, verdict: verdict, source: nil, vocabulary: nil)
      try shared.answer(
        console, text: text(compression, report),
        json: report.json(compression.json, recipe: recipe))
      try shared.draw(console) { $0.trials(trials) }
      try page.require(console, show)
    case .refused(let verdict):
      try shared.answer(
        console, text: "",
        json: report.json(["gate": verdict.json(Flags.name), "sizeBytes": .null], recipe: nil))
      try shared.draw(console) { $0.trials(trials) }
      _ = page.write(console, show)
      throw Failure(
        message: "\(self.model): refused, nothing was written to \(output)",
        details: verdict.refusalLines, hint: hint, status: .refused)
    }
  }

  private var hint: String {
    budget == nil
      ? "no way to store the weights that is searched passes; these are the reasons against the "
        + "candidate that came nearest"
      : "give a larger --budget, other --limits, or --calibration"
  }

  /// The references of the search and those of the verdict.
  private func shares(
    of model: Model, _ all: [Model], _ console: Console
  ) throws -> ReferenceShares {
    let given = try gate.references(references, for: model, console)
    let shares: ReferenceShares
    if let verdict {
      shares = ReferenceShares(
        search: given, verdict: try gate.references(verdict, for: model, console))
      try shares.requireApart()
    } else {
      shares = ReferenceShares(
        search: try given.share(.search), verdict: try given.share(.verdict))
      try shares.requireEnough(of: given)
    }
    for share in [shares.search, shares.verdict] { try gate.check(model, of: all, share) }
    try Gate.checkKnownOutputs(of: all, on: given, jobs: jobs.count)
    return shares
  }

  private func text(_ compression: CompressionReport, _ report: SearchReport) -> String {
    if shared.quiet { return compression.summary }
    return compression.summary + report.summary
      + (detail.verbose ? report.table + compression.table : "")
  }
}
