import ArgumentParser
import Calibration
import Formats
import Graph
import Inputs
import Reports
import StrictJSON
import WeightCompression
import Weights

struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Say what compression would do to every tensor, and write nothing.",
    discussion: """
      Schemes and bytes follow from shapes, and 'compress' with the same options stores exactly \
      these bytes of numbers. The expected error, |w - w'| / |w|, is that of a sample of each tensor; \
      calibration changes it, and changes no bytes. Everything that keeps a recipe from fitting the \
      model is listed at once (exit status 1).

      Examples:
        ingot plan MODEL --scheme palettize --bits 4
        ingot plan MODEL --recipe small
        ingot plan MODEL --format mlpackage --recipe recipes/ours.yaml --json
        ingot plan CLIP --encoder text --scheme palettize --bits 4
        ingot plan MODEL --keep-tokens SENTENCES.txt --scheme int8
      """)

  @Argument(help: "A model folder, a weight file, or something Ingot wrote.")
  var model: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "As for 'compress': its name says the format. Nothing is written.", valueName: "path"))
  var output: String?

  @OptionGroup var encoder: EncoderFlags
  @OptionGroup var format: FormatFlags
  @Option(
    help: ArgumentHelp(
      "mlpackage: reference pairs, by whose texts the lengths of inputs are looked at.",
      valueName: "file"))
  var references: String?

  @OptionGroup var compression: CompressionFlags
  @OptionGroup var vocabulary: VocabularyFlags
  @OptionGroup var jobs: JobOptions
  @OptionGroup var shared: SharedOptions

  mutating func validate() throws {
    // A program fits no other format.
    if format.format == nil, output == nil, let own = ModelFormat.meant(by: model) {
      format.format = own.name
    }
    try format.settle(for: output)
    try InputFiles.requireOneStandardInput([
      ("--references", references), ("--calibration", compression.fitting.calibration),
      ("--keep-tokens", vocabulary.keepTokens),
    ])
  }

  func run() throws {
    try shared.run { console in
      let trained = try encoder.open(model).chosen
      try format.plain.check(trained)
      let model = try vocabulary.reduced(trained, console)
      _ = try compression.fitting.calibrationSet(besides: [], for: model, jobs: 1, console)
      let plan = try plan(model, trained, console)
      let text = try text(plan)
      try shared.answer(console, text: text, json: try json(plan))
      let weights = ReportedWeight.all(
        of: plan.lines.map(\.tensor), byteCounts: plan.lines.map(\.bytes))
      try shared.draw(console) {
        "\n" + $0.layers(weights) { $0.printable(keepsLines: false) }
      }
    }
  }

  /// One line of the answer.
  private struct Line {
    let tensor: PlannedTensor
    /// The oldest system that could load it; nil for a format that any system loads.
    let oldest: String?
    let bytes: Int
    let error: Double?
    /// Whether calibration will change its values, though it has no scheme.
    let isRefitted: Bool

    var scheme: String { isRefitted ? CompressedTensor.refittedLabel : tensor.schemeLabel }
  }

  private struct Plan {
    let lines: [Line]
    /// Nil for a format that any system loads.
    let needs: SystemNeeds?
    /// Nil without references, and of a model that takes no text.
    let advice: LengthAdvice?
    /// Nil if no tokens are dropped.
    let vocabulary: VocabularyRecord?

    var bytes: Int { lines.reduce(0) { $0 + $1.bytes } }
  }

  private func plan(_ model: Model, _ trained: Model, _ console: Console) throws -> Plan {
    let tensors = try planned(model)
    let progress = ProgressLine(console)
    defer { progress.clear() }
    let errors = try ExpectedErrors.measure(
      tensors, from: model.weights, jobs: jobs.count,
      progress: progress.counting("measuring errors", of: tensors.count))
    progress.clear()
    let needs = try format.plain.needs(of: model, tensors)
    let bytes = try format.plain.storedBytes(of: tensors, model)
    let refitted =
      compression.fitting.calibration == nil
      ? [] : try CalibratedCompressor.refitted(of: model, planned: tensors)
    let lines = tensors.indices.map {
      Line(
        tensor: tensors[$0], oldest: needs?.oldestOfEach[$0], bytes: bytes[$0],
        error: errors[$0], isRefitted: refitted.contains(tensors[$0].name))
    }
    let advice = try references.flatMap {
      try format.advice(on: trained, try InputFiles.references($0, for: trained, console))
    }
    return Plan(lines: lines, needs: needs, advice: advice, vocabulary: model.vocabulary)
  }

  private func planned(_ model: Model) throws -> [PlannedTensor] {
    try Failure.explaining(compressing: self.model) {
      try WeightCompressor.plan(
        weights: try model.usedWeights(), from: model.weights,
        options: try compression.options(floats: try format.plain.floats))
    }
  }

  private func text(_ plan: Plan) throws -> String {
    let hasNotes = plan.lines.contains { $0.tensor.note != nil }
    var table = TextTable(
      [
        ("tensor", .left), ("role", .left), ("shape", .left), ("scheme", .left),
        ("bytes", .right), ("error", .right),
      ] + (plan.needs == nil ? [] : [("needs", .left)]) + (hasNotes ? [("why", .left)] : []))
    for line in plan.lines {
      let tensor = line.tensor
      table.add(
        [
          tensor.name.text, tensor.role.label, "\(tensor.shape)", line.scheme,
          "\(line.bytes)", line.error.map(Figures.significant) ?? "refused",
        ] + (line.oldest.map { [$0] } ?? [])
          + (hasNotes ? [tensor.note ?? ""] : []))
    }
    var text = shared.quiet ? "" : table.text
    text += "\(model): \(Figures.count(plan.lines.count, "tensor")), \(Figures.bytes(plan.bytes))\n"
    if let vocabulary = plan.vocabulary { text += vocabulary.words + "\n" }
    if let needs = plan.needs {
      text += "specification version \(needs.specificationVersion), opset \(needs.opset): "
      text += "\(needs.oldest) and later\n"
    }
    if let advice = plan.advice { text += advice.text(for: try format.options().target) + "\n" }
    return text
  }

  private func json(_ plan: Plan) throws -> JSONValue {
    let list = plan.lines.map { line -> JSONValue in
      let tensor = line.tensor
      return [
        "name": .string(tensor.name.text), "role": .string(tensor.role.label),
        "shape": .array(tensor.shape.map(JSONValue.integer)),
        "scheme": .string(line.scheme), "bits": .integer(tensor.bits),
        "bytes": .integer(line.bytes),
        "expectedRelativeError": line.error.map { .double($0) } ?? .null,
        "rule": tensor.note.map { .string($0) } ?? .null,
        "match": tensor.match?.json ?? .null, "fallback": tensor.match?.fallbackJSON ?? .null,
        "minimumDeploymentTarget": line.oldest.map { .string($0) } ?? .null,
      ]
    }
    let needs = plan.needs
    return [
      "path": .string(model), "format": .string(try format.chosen.name),
      "tensors": .array(list),
      "bytes": .integer(plan.bytes),
      "minimumDeploymentTarget": needs.map { .string($0.oldest) } ?? .null,
      "specificationVersion": needs.map { .integer($0.specificationVersion) } ?? .null,
      "opset": needs.map { .string($0.opset) } ?? .null,
      "lengths": plan.advice?.json ?? .null, "vocabulary": plan.vocabulary?.json ?? .null,
    ]
  }
}
