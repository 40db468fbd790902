import ArgumentParser
import Execution
import Files
import Gate
import Inputs
import Packaging
import Project
import Release
import Reports
import Signatures
import Store
import StrictJSON

struct BuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    abstract: "Compress, prove and package everything of a project, for every customer.",
    discussion: """
      A customer whose models all passed gets OUTPUT/<app_id>/<app_id>-<version>.tar.zst (or .zip). \
      A customer with a refused model gets none and is listed with the reasons; the others are built \
      all the same, and the exit status is 3. A model that cannot be used, or an archive that cannot \
      be written, is reported alike: exit status 1. An archive that is there with other content is \
      never replaced.

      Each model is made once and kept in the store; a further build of the same project only checks. \
      With 'sign' in the project, each archive gets a signature (.sig), and so does SHA256SUMS.

      Several machines share the work by shards, each with its own --output; one final build packs:
        ingot build . --shard 1/2 --remote-store http://cache:8080 --output shard1
        ingot build . --shard 2/2 --remote-store http://cache:8080 --output shard2
        ingot build . --merge results --remote-store http://cache:8080 --output packages
      where the folder 'results' holds shard-1-of-2.json and shard-2-of-2.json. A shard with refused \
      models ends with status 0: who gets no package is decided, and said, by the merging build.

      Example:
        ingot build . --output packages
      """)

  /// The folder for packages where none is named.
  static let defaultOutput = "packages"

  @Argument(help: "The project: a folder with ingot.yaml, or the file itself.")
  var project = "."

  @Option(name: .shortAndLong, help: ArgumentHelp("Folder for the packages.", valueName: "folder"))
  var output = BuildCommand.defaultOutput

  @OptionGroup var bounds: RootFlag
  @OptionGroup var build: BuildFlags
  @OptionGroup var store: StoreFlags
  @OptionGroup var page: ReportFlags
  @OptionGroup var jobs: JobOptions
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if store.noStore && build.needsStore {
      throw ValidationError("--shard and --merge need a store; leave --no-store out")
    }
    if build.list, page.report != nil {
      throw ValidationError("--list makes no model to report of; leave --report out")
    }
  }

  func run() throws {
    try shared.run { console in
      do {
        try page.check(inputs: [project], besides: [("--output", output)])
        var request = try request(console)
        defer { request.store?.removeUseless() }
        if build.list { return try list(request, console) }
        let progress = ProgressLine(console)
        defer { progress.clear() }
        request.stepping = progress.show
        let report =
          if let shard = build.shard {
            try Builder.build(shard, of: request) { say($0, console, progress) }
          } else { try Builder.build(request) { say($0, console, progress) } }
        progress.clear()
        try answer(report.naming(Flags.name), console)
      } catch let error as SignatureError {
        throw Failure(message: "\(error)", details: error.details, hint: error.hint)
      } catch let fault as IndexCheck.Fault {
        throw Failure(message: fault.words, hint: fault.hint(Flags.name))
      } catch let faults as ProjectFaults {
        let faults = faults.naming(Flags.name)
        try shared.answer(console, text: "", json: faults.json)
        faults.report(to: console)
        throw ExitStatus.failed.code
      }
    }
  }

  private func request(_ console: Console) throws -> BuildRequest {
    let tool = try BuildTool(
      version: IngotCommand.version,
      program: try MappedFile(path: System.programPath),
      libraries: ["oneDNN": MatrixProduct.libraryVersion])
    var request = BuildRequest(
      project: project, output: output, tool: tool,
      time: try Timestamp(sourceDateEpoch: System.environment("SOURCE_DATE_EPOCH")))
    request.root = bounds.root
    request.jobs = jobs.count
    request.allowsDowngrade = build.allowDowngrade
    request.acceptsIndex = build.acceptIndex
    request.shards = build.merge
    request.naming = Flags.name
    if !build.list { request.store = try openStore(console) }
    return request
  }

  private func openStore(_ console: Console) throws -> ContentStore? {
    do {
      return try store.open { console.warn($0) }
    } catch let error as FileError {
      throw Failure(
        message: "the store cannot be used: \(error)",
        hint: "name another folder with --store, or do without by --no-store")
    }
  }

  private func list(_ request: BuildRequest, _ console: Console) throws {
    let list = try BuildList(request)
    try shared.answer(console, text: list.text, json: list.json)
  }

  private func answer(_ report: BuildReport, _ console: Console) throws {
    try shared.answer(console, text: text(report), json: report.json)
    let isShown = page.write(console) { try ReportPage(report, of: project) }
    for refused in report.refused {
      console.fail("\(refused.customer): refused, no package", details: refused.reasons)
    }
    if report.refused.contains(where: { $0.cause == .gate }) { throw ExitStatus.refused.code }
    if !report.refused.isEmpty || !isShown { throw ExitStatus.failed.code }
  }

  /// Says a step; why a model or a customer was refused is said once, at the end.
  private func say(_ event: BuildEvent, _ console: Console, _ progress: ProgressLine) {
    if case .provingMember(let number, let count) = event {
      return progress.begin(.model(number, of: count))
    }
    progress.clear()
    switch event {
    case .warning(let text): console.warn(text)
    case .refusedModel(let model, _): console.note("\(model): refused")
    case .unusableModel(let model, _): console.note("\(model): cannot be used")
    case .refusedCustomer: break
    case .proving(_, _, let number, let count):
      console.note("\(event)")
      progress.begin(.model(number, of: count))
    case .packed(let count, let total):
      console.note("\(event)")
      progress.begin(nil)
      progress.show("packing", count, of: total)
    case .provingMember: break
    case .note, .family, .proven, .recalled, .packaged: console.note("\(event)")
    }
  }

  private func text(_ report: BuildReport) -> String {
    if let shard = build.shard {
      return
        "shard \(shard.number) of \(shard.count): \(Figures.count(report.models.count, "model"))\n"
    }
    var text = ""
    for package in report.packages {
      text += "\(package.path): \(Figures.bytes(package.bytes))"
      text += package.isReused ? ", unchanged\n" : "\n"
    }
    for refused in report.refused { text += "\(refused.customer): refused, no package\n" }
    text += report.familyLines.map { "\($0)\n" }.joined()
    text += report.limitLines.map { "\($0)\n" }.joined()
    return text + sourceText(report) + outcomesText(report)
  }

  /// Which of the models that passed were compared with what their own libraries gave.
  private func sourceText(_ report: BuildReport) -> String {
    let passed = report.models.filter { $0.verdict == .passed }
    let checked =
      passed.filter { $0.family == nil }.compactMap { model in
        model.source.map { "source check: \(model.model) \($0.words)\n" }
      } + familySourceTexts(passed)
    let others = passed.count { $0.source == nil }
    guard others > 0 else { return checked.joined() }
    return checked.joined()
      + "source check: of \(Figures.count(others, checked.isEmpty ? "model" : "further model")) "
      + "\(SourceRecord.missing)\n"
  }

  /// How many members of each family were.
  private func familySourceTexts(_ passed: [BuildReport.Model]) -> [String] {
    let members = passed.filter { $0.family != nil && $0.source != nil }
    return Dictionary(grouping: members) { $0.family ?? "" }.sorted { $0.key < $1.key }.map {
      "source check: \(Figures.count($0.value.count, "member")) of \($0.key) agree with what was "
        + "given\n"
    }
  }

  /// For how many models observed outcomes are all that speaks for how they are read.
  private func outcomesText(_ report: BuildReport) -> String {
    let models = report.models.filter { $0.source == nil && $0.known?.form == .outcomes }
    guard let largest = models.compactMap({ $0.known?.maxDifference }).max() else { return "" }
    return "known outputs: of \(Figures.count(models.count, "model")) they were taken as observed "
      + "outcomes, up to \(Figures.plain(largest)) from what the model gives; this proves nothing of "
      + "how a model is read: give what it gave itself, or a source-check\n"
  }
}
