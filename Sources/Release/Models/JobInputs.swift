import Calibration
import Formats
import Gate
import Graph
import Inputs
import Project
import Store
import StrictJSON
import Weights

/// Everything that decides a model's outcome, by digests.
struct JobInputs: Sendable {
  let architecture: String
  /// The weights as trained.
  let baseline: ContentDigest
  /// Digests of the files that describe them, those of every encoder, by path.
  let baselineFiles: [String: ContentDigest]
  /// The calibration set, its images included; nil without one.
  let calibration: ContentDigest?
  /// The texts whose tokens stay; nil if all stay.
  let corpus: ContentDigest?
  /// Outputs made elsewhere and their inputs, images included; nil without any.
  let sourceCheck: (vectors: ContentDigest, inputs: ContentDigest)?
  /// The reference set, its images included.
  let references: ContentDigest
  /// The references for the verdict on what a search finds, if they are a set of their own.
  let verdict: ContentDigest?
  /// Whether a search finds the model.
  private let isSearch: Bool
  /// Compression, format, limits and threshold, key by key.
  let options: [String: String]
  /// Descriptions that packages take from cards of models beyond the project's own.
  let cards: [[String: String]]

  /// Whether the model as trained is small.
  let isSmall: Bool
  /// Names the inputs for any tool that works on them.
  private(set) var digest = ContentDigest(of: [])

  /// Reads all bytes that a job is about.
  ///
  /// - Parameter memory: has the references, or reads them.
  init(of key: BuildPlan.Key, _ trained: TrainedModel, opening memory: ModelMemory) throws {
    // Every encoder comes from the same weight files.
    let model = trained.encoders[0]
    architecture = type(of: model.architecture).name
    // A model that can never run need not be read to its end.
    try ModelRunner.requireMemory(for: model)
    baseline = model.digest
    baselineFiles = try trained.encoders.reduce(into: [:]) { files, encoder in
      files.merge(try encoder.describingDigests()) { first, _ in first }
    }
    calibration = try key.calibration.map { try CalibrationSet(path: $0).digest }
    corpus = try key.keptTokens.map { try VocabularyCorpus(argument: $0).digest }
    sourceCheck = try key.sourceCheck.map {
      let check = try $0.open(besides: key.columns)
      return (check.vectorsDigest, check.inputsDigest)
    }
    references = try memory.referenceSet(of: key).digest
    verdict = try key.verdict.map {
      try ReferenceSet(path: $0, columns: key.columns).digest
    }
    isSearch = key.compression.search != nil
    isSmall = trained.encoders.allSatisfy(\.isSmall)
    options = key.options
    cards = JobInputs.cards(
      of: key, trained, as: try trained.shipping.map { try key.form.suiting($0) })
    digest = ContentDigest(of: json.compactBytes)
  }

  /// The words of the cards of models that ship, beyond the project's own words.
  ///
  /// - Parameter forms: of each model that ships, with its card.
  static func cards(
    of key: BuildPlan.Key, _ trained: TrainedModel, as forms: [OutputForm]
  ) -> [[String: String]] {
    zip(trained.shipping, forms).compactMap { model, form in
      form == key.form.suiting(model.architecture.encoder) ? nil : form.words
    }
  }

  /// Whether an opened source check is the one of these inputs.
  func name(_ check: SourceCheck?) -> Bool {
    check?.vectorsDigest == sourceCheck?.vectors && check?.inputsDigest == sourceCheck?.inputs
  }

  /// The references that receipts name: those of the verdict, where there is a search.
  var proving: ContentDigest {
    isSearch ? verdict ?? ReferenceSet.Share.verdict.digest(of: references) : references
  }

  /// Whether a receipt is about these very inputs, and not about what took their place for a while.
  func areOf(_ receipt: DriftReceipt) -> Bool {
    [receipt.baseline, receipt.partner?.baseline].compactMap { $0 }.allSatisfy { model in
      model.weights == baseline
        && model.files.allSatisfy { baselineFiles[$0.key] == $0.value }
    }
      && receipt.references == proving
      && [nil, calibration].contains(receipt.calibration?.digest)
      && [nil, corpus].contains(receipt.vocabulary?.corpus)
  }

  /// Names the work of one tool on the inputs.
  func action(by tool: BuildTool) -> ActionKey {
    ActionKey(["action": "ingot model 3", "inputs": json, "tool": tool.json])
  }

  private var json: JSONValue {
    var members: [String: JSONValue] = [
      "architecture": .string(architecture),
      "baseline": [
        "sha256": .string(baseline.hex),
        "files": .object(baselineFiles.mapValues { .string($0.hex) }),
      ],
      "references": .string(references.hex),
      "options": .object(options.mapValues(JSONValue.string)),
    ]
    if !cards.isEmpty {
      members["cards"] = .array(cards.map { .object($0.mapValues(JSONValue.string)) })
    }
    if let calibration { members["calibration"] = .string(calibration.hex) }
    if let verdict { members["verdict"] = .string(verdict.hex) }
    if let corpus { members["corpus"] = .string(corpus.hex) }
    if let sourceCheck {
      members["sourceCheck"] = [
        "vectors": .string(sourceCheck.vectors.hex), "inputs": .string(sourceCheck.inputs.hex),
      ]
    }
    return .object(members)
  }
}

extension OutputForm {
  /// The form of one model that ships: what describes itself says what the model's card says of what
  /// the project leaves open, and how the model's texts are prepared.
  func suiting(_ model: Model) throws -> OutputForm {
    let form = suiting(model.architecture.encoder)
    guard format.type.describesItself else { return form }
    var choices = form.choices
    choices.description = try CoreMLDescription(
      choices.description, card: try ModelCard(of: model), of: model, choices.coreML)
    return OutputForm(format.with(choices))
  }
}
