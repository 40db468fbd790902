import Files
import Formats
import Graph
import StrictJSON
import WeightCompression
import Weights

/// The findings of `inspect` on a weight file or a model.
struct ModelInspection {
  private let weights: WeightCollection
  /// The model, or why there is none; weights are listed without one too.
  private let models: Result<[Model], any Error>
  private let tensors: [TensorInspection]
  private let findings: FindingList
  /// What there is of trees, model by model.
  private let trees: [[TreeInspection]]
  /// Whether something was asked for that only a model has.
  private let isAsked: Bool

  /// - Parameters:
  ///   - encoder: the one to look at; tensors of the other one are left out.
  ///   - progress: told how many tensors are done, of how many.
  init(
    _ path: String, encoder: EncoderKind? = nil, prompt: PromptChoice? = nil,
    pooling: PoolingMode? = nil, progress: (Int, Int) -> Void = { _, _ in }
  ) throws {
    weights = try ModelLoader.weights(of: path)
    isAsked = prompt != nil || pooling != nil
    let all = Result { [weights] in
      try ModelLoader.encoders(
        of: weights, prompt: prompt, pooling: pooling, requested: encoder)
    }
    let chosen = try encoder.map { [try ModelLoader.choose($0, among: try all.get(), of: path)] }
    models = chosen.map { .success($0) } ?? all
    trees = try ((try? models.get()) ?? []).map { try TreeInspection.all(of: $0) }
    let others = (try? all.get())?.filter { chosen != nil && $0.architecture.encoder != encoder }
    let foreign = Set(try (others ?? []).flatMap { try $0.usedWeights().map(\.name) })
    let uses = TensorUses(of: try? models.get(), in: weights)
    var survey = TensorSurvey()
    let looked = weights.tensors.filter { !foreign.contains($0.name) }
    for tensor in looked where tensor.elementType.isConvertible { try tensor.requireCapacity() }
    for (place, tensor) in looked.enumerated() {
      try survey.add(tensor, uses)
      progress(place + 1, looked.count)
    }
    tensors = survey.tensors
    findings = FindingList(try survey.finish(weights))
  }

  var text: String {
    let bytes = tensors.reduce(0) { $0 + $1.byteCount }
    return """
      \(TensorInspection.table(tensors))
      \(weights.origin): \(weights.format), \(Figures.count(tensors.count, "tensor")), \
      \(Figures.bytes(bytes))
      \(modelText)\(note.map { "\nnote: \($0)".printable(keepsLines: true) } ?? "")
      \(findings.text)
      """
  }

  /// How a library's file was read.
  private var note: String? { TreeFiles.note(weights) }

  private var modelText: String {
    switch models {
    case .success(let models):
      zip(models, trees).map { model, trees in
        ([line(model)] + trees.flatMap(\.lines)).map { $0.printable(keepsLines: false) }
          .joined(separator: "\n") + PromptWords.text(model.architecture)
      }.joined(separator: "\n")
    case .failure(let error): "no model: \(words(of: error))"
    }
  }

  // Names of features and labels are from files.
  private func line(_ model: Model) -> String {
    "architecture: \(type(of: model.architecture).name), takes "
      + "\(Self.taken(by: model.architecture)), gives \(model.architecture.output.words)"
      + (model.architecture.encoder.map { " (--encoder \($0.rawValue))" } ?? "")
  }

  private static func taken(by architecture: any Architecture) -> String {
    guard architecture.readsTwoTexts, case .tokens(let maximum, _) = architecture.input else {
      return architecture.input.words
    }
    return "two texts of at most \(maximum) tokens together"
  }

  var json: JSONValue {
    let architecture: JSONValue =
      if case .success(let models) = models, let model = models.first {
        .string(type(of: model.architecture).name)
      } else {
        .null
      }
    let encoders = (try? models.get())?.compactMap(\.architecture.encoder?.rawValue) ?? []
    return [
      "path": .string(weights.origin), "format": .string(weights.format),
      "architecture": architecture, "encoders": .array(encoders.map(JSONValue.string)),
      "metadata": .object(weights.metadata.mapValues(JSONValue.string)),
      "tensors": .array(tensors.map(\.json)),
      "findings": findings.json,
      "trees": .array(trees.flatMap { $0 }.map(\.json)),
      "prompts": PromptWords.json((try? models.get())?.first?.architecture),
    ]
  }
}

extension ModelInspection {
  /// Files by which a folder says that it is a model.
  private static let describing = [
    "config.json", "model.json", "modules.json", "open_clip_config.json",
  ]

  /// Why a folder or a file that says it is a model is none, or what a model is asked for cannot be; nil for
  /// a model, and where there are only weights.
  var fault: String? {
    guard case .failure(let error) = models, isAsked || saysItIsAModel else { return nil }
    return words(of: error)
  }

  private var saysItIsAModel: Bool {
    if weights.metadata.keys.contains(where: { $0.hasPrefix("ingot.") }) { return true }
    return Folder.kind(of: weights.origin) == .folder
      && Self.describing.contains {
        Folder.kind(of: Folder.join(weights.origin, $0)) != .missing
      }
  }
}
