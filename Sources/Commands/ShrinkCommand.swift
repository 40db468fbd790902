import ArgumentParser
import Calibration
import Explanation
import Files
import Formats
import Gate
import Graph
import Inputs
import Project
import Proving
import Reports
import Search
import StrictJSON
import Weights

struct ShrinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shrink",
    abstract: "Find the smallest model that passes, or the best of a size.",
    discussion: """
      Stores each weight in the way that costs the outputs least for its bytes. What a way costs is \
      predicted from gradients; candidates are made and judged until what should still pass saves \
      little. Only a model that the gate passed is written, with the recipe that was found: \
      'compress --recipe' makes the same bytes of it.

      A search that looks at references is proven by others: the references are cut in two by their \
      content, one share for the search and one for the verdict. --verdict gives the verdict a file \
      of its own.

      Of a model with an image and a text encoder both are searched, one after the other, and proven \
      together; the names of the outputs end in -image and -text. With --encoder one is, beside the \
      other as trained.

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

  @Flag(
    help: ArgumentHelp(
      "On an interrupt prove the best candidate so far and keep it if it passes.",
      discussion: """
        Only from the first candidate on that passed on the share for the search. The command still \
        ends by the signal; a second interrupt ends it at once, and nothing is written then.
        """))
  var keepBest = false

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
    if let flag = about.firstGiven { try format.requireDescribing(flag) }
  }

  func run() throws {
    // What was written on an interrupt was answered for by now.
    defer { Interruption.deliver() }
    try shared.run { console in
      let (meant, all) = try encoder.openEach(
        self.model, files: try tokenizer.files(for: [self.model]))
      let inputs =
        all.flatMap(\.inputFiles)
        + [references, verdict, fitting.calibration].compactMap(\.self)
      let places = meant.map {
        ShrinkOutput(
          of: meant.count > 1 ? $0.architecture.encoder : nil, output, recipe: writeRecipe)
      }
      try page.check(
        inputs: inputs, besides: [("--output", output), ("--write-recipe", writeRecipe)])
      for place in places {
        try place.check(as: try format.chosen, of: model, inputs: inputs)
      }
      for model in meant { try suiting(model, of: meant, try format.plain).check(model) }
      let progress = ProgressLine(console)
      defer { progress.clear() }
      progress.show("reading references")
      let shares = try shares(of: meant, all, console)
      let calibration = try fitting.calibrationSets(
        besides: [shares.search, shares.verdict], for: meant, jobs: jobs.count, on: progress,
        console)
      let parts = try meant.indices.map { place in
        let model = meant[place]
        let described = try format.value { try about.description(of: model, $0) }
        return Search.Part(
          model, as: suiting(model, of: meant, described), at: places[place].model,
          calibration: calibration?[place], shares: shares)
      }
      let request = try Search.Request(
        parts, of: all, on: shares, limits: try gate.value(), budget: budget?.value
      ) { try gate.gate(on: $0, source: nil, jobs: jobs.count) }
      try search(request, try places.compactMap { try $0.recipeFile() }, progress, console)
    }
  }

  private func search(
    _ request: Search.Request, _ recipes: [RecipeFile], _ progress: ProgressLine,
    _ console: Console
  ) throws {
    var request = request
    request.settling = { for (file, recipe) in zip(recipes, $0) { try file.write(recipe) } }
    request.naming = { for (file, model) in zip(recipes, $0) { try file.commit(of: model.path) } }
    request.passing = { awaitInterrupt(progress, console) }
    request.isEnded = { Interruption.isNoted }
    var mend: RefusalMend?
    request.refusing = { [trained = request.trained] in
      mend = self.mend($0, of: trained, $1, by: $2, progress, console)
    }
    let prover = Prover(jobs: jobs.count, progress: progress.show)
    var search = try Failure.explaining(compressing: model) {
      try Search(request, jobs: jobs.count, prover: prover, progress: progress.show)
    }
    let outcome = try gate.explaining(for: request.trained.first) { try search.run() }
    progress.clear()
    let report = SearchReport(
      trials: search.trials, shares: request.shares, isInterrupted: Interruption.isNoted)
    let trials = search.trials
    let show = {
      var report = try ModelReport(self.model, outcome, trials, request)
      report.mends = mend?.lines ?? []
      return ReportPage(report, command: "shrink", version: IngotCommand.version)
    }
    switch outcome {
    case .found(let written, let verdict, let found):
      gate.warn(of: verdict, source: nil, console)
      let models = written.map {
        CompressionReport(model: $0, verdict: verdict, source: nil, vocabulary: nil)
      }
      try shared.answer(
        console, text: text(models, report), json: report.json(models, of: request, found))
      try shared.draw(console) { $0.trials(trials) }
      try page.require(console, show)
    case .refused(_, let verdict):
      try shared.answer(console, text: "", json: report.json(refused: verdict, mend))
      try shared.draw(console) { $0.trials(trials) }
      _ = page.write(console, show)
      throw Failure(
        message: "\(self.model): refused, nothing was written to \(output)",
        details: verdict.refusalLines + (mend?.lines ?? []), hint: hint, status: .refused)
    }
  }

  /// What would mend the candidate that came nearest; whoever interrupted the search is not kept waiting.
  private func mend(
    _ candidate: [Model], of trained: [Model], _ verdict: Verdict, by gate: Gate,
    _ progress: ProgressLine, _ console: Console
  ) -> RefusalMend? {
    guard !Interruption.isNoted else { return nil }
    progress.begin(nil)
    return RefusalMend(
      verdict, by: gate, .models(candidate), against: .models(trained), jobs: jobs.count,
      isPatient: true, on: progress, console)
  }

  /// From the first candidate on that passed there is something to keep.
  private func awaitInterrupt(_ progress: ProgressLine, _ console: Console) {
    guard keepBest else { return }
    let isFirst = Interruption.awaitOne(
      saying: "interrupted: the best candidate so far is being proven; once more ends at once")
    guard isFirst else { return }
    progress.clear()
    console.note("a candidate passed: from now on an interrupt keeps the best one if it is proven")
  }

  private var hint: String {
    if Interruption.isNoted {
      return "the search was interrupted; these are the reasons against what had passed until then"
    }
    return budget == nil
      ? "no way to store the weights that is searched passes; these are the reasons against the "
        + "candidate that came nearest"
      : "give a larger --budget, other --limits, or --calibration"
  }

  /// Further notes, those of both encoders once.
  private func details(_ models: [CompressionReport]) -> String {
    models.flatMap { $0.details.split(separator: "\n") }
      .reduce(into: [Substring]()) { if !$0.contains($1) { $0.append($1) } }
      .map { "\($0)\n" }.joined()
  }

  /// The format of one of the models: of two encoders only that of texts has lengths.
  private func suiting(_ model: Model, of meant: [Model], _ format: any Format) -> any Format {
    meant.count > 1 ? OutputForm(format).suiting(model.architecture.encoder).value : format
  }

  private func text(_ models: [CompressionReport], _ report: SearchReport) -> String {
    let verdict = models[0].verdict?.text ?? ""
    let summary = verdict + models.map(\.written).joined()
    if shared.quiet { return summary }
    return summary + details(models) + report.summary
      + (detail.verbose ? report.table + models.map(\.table).joined() : "")
  }
}
