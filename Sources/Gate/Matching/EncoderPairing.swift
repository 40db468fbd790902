import Graph
import Inputs

/// The encoders of both sides, matched by their kind of input, with the inputs of a reference set.
struct EncoderPairing: Sendable {
  /// With values in the order of the model's features, where a table names them.
  let references: ReferenceSet
  /// The encoders that the set needs, image before text; empty if outputs were given on both
  /// sides.
  let slots: [EncoderSlot]
  /// The kinds of the candidate's models, in the order they were given.
  let candidates: [InputKind]

  /// - Throws: `EvaluationError` when the two sides do not go together, an input has no encoder,
  ///   columns are not the model's features, or a model of the candidate would not be judged.
  init(
    _ candidate: GateSide, against baseline: GateSide, on references: ReferenceSet
  ) throws {
    let references = try EncoderPairing.arranged(references, baseline.models + candidate.models)
    self.references = references
    try baseline.requireDistinct("baseline")
    try candidate.requireDistinct("candidate")
    let old = baseline.models, new = candidate.models
    var reduced: [InputKind: Model] = [:]
    for model in new {
      guard
        let whole = try EncoderPairing.counterpart(of: model, old, isAlone: new.count == 1)
      else { continue }
      let counterpart = model.vocabulary == nil ? whole : try whole.keepingTokens(of: model)
      try EncoderPairing.requireComparable(counterpart, model)
      reduced[whole.kind] = counterpart
    }
    let known = old.isEmpty ? new : old
    let inputs = try EncoderPairing.inputs(of: references, for: known)
    let used = known.filter { inputs[$0.kind] != nil }
    if used.count > 1 { try EncoderPairing.requireOneSpace(used) }
    slots = used.map { model in
      EncoderSlot(
        kind: model.kind, baseline: old.isEmpty ? nil : model,
        counterpart: old.isEmpty ? nil : reduced[model.kind],
        candidate: new.first { $0.kind == model.kind }, inputs: inputs[model.kind] ?? [],
        isOfSeveral: used.count > 1)
    }.sorted { $0.kind < $1.kind }
    candidates = new.map(\.kind)
    try requireJudged()
  }

  // A program knows no names of features; the model it was made from does.
  private static func arranged(
    _ references: ReferenceSet, _ models: [Model]
  ) throws(EvaluationError) -> ReferenceSet {
    guard let model = models.first(where: { $0.architecture.shapes == .any }) ?? models.first else {
      return references
    }
    return try references.arranged(for: model.architecture.input)
  }

  // Nil if outputs were given.
  private static func counterpart(
    of model: Model, _ baseline: [Model], isAlone: Bool
  ) throws(EvaluationError) -> Model? {
    if baseline.isEmpty { return nil }
    if let same = baseline.first(where: { $0.kind == model.kind }) { return same }
    // Two models of other kinds differ in more than a missing encoder.
    if isAlone, baseline.count == 1 { return baseline[0] }
    throw .wrongEncoders(
      side: "baseline",
      fault: "has no \(model.kind.encoderWords) for the candidate's '\(model.origin)' to be "
        + "compared with")
  }

  /// The meaning of the outputs; nil if it is unknown.
  var meaning: ModelOutput? {
    let model = slots.first.flatMap { $0.baseline ?? $0.candidate }
    return model?.architecture.output
  }

  private static func requireComparable(_ old: Model, _ new: Model) throws(EvaluationError) {
    let first = old.architecture, second = new.architecture
    let isSameKind = type(of: first) == type(of: second)
    // A program has no name for what kind of model it was made from.
    guard isSameKind || second.shapes != .any else {
      throw .notComparable(
        what: "architecture", baseline: type(of: first).name, candidate: type(of: second).name)
    }
    guard isSameKind ? first.input.isExactly(second.input) : second.input.canReplace(first.input)
    else {
      if case .features(let old) = first.input, case .features(let new) = second.input,
        let difference = FeatureDifference(old, new)
      {
        throw .notComparable(
          what: difference.what, baseline: difference.baseline, candidate: difference.candidate)
      }
      throw .notComparable(
        what: "input", baseline: first.input.exactWords, candidate: second.input.exactWords)
    }
    guard
      isSameKind ? first.output.isExactly(second.output) : second.output.canReplace(first.output)
    else {
      throw .notComparable(
        what: "output", baseline: first.output.words + first.output.mend(beside: second.output),
        candidate: second.output.words)
    }
  }

  // Embeddings of different encoders are compared with each other.
  private static func requireOneSpace(_ models: [Model]) throws(EvaluationError) {
    for model in models {
      guard case .embedding(let width) = model.architecture.output else {
        throw .wrongEncoders(
          side: model.kind.encoderWords,
          fault: "'\(model.origin)' gives \(model.architecture.output.words), "
            + "expected an embedding beside another encoder")
      }
      let first = models[0]
      guard width == first.architecture.output.width else {
        throw .wrongEncoders(
          side: model.kind.encoderWords,
          fault: "gives \(model.architecture.output.words), the \(first.kind.encoderWords) "
            + "\(first.architecture.output.words)")
      }
    }
  }

  // The numbers of the inputs that each kind of model takes.
  private static func inputs(
    of references: ReferenceSet, for models: [Model]
  ) throws(EvaluationError) -> [InputKind: [Int]] {
    var inputs: [InputKind: [Int]] = [:]
    if models.isEmpty { return inputs }
    for (number, input) in references.inputs.enumerated() {
      guard models.contains(where: { $0.kind == input.kind }) else {
        let error = input.unusable(number, EncoderPairing.missing(input, models))
        throw error.placed(in: references.origin) { references.lines[$0] }
      }
      inputs[input.kind, default: []].append(number)
    }
    return inputs
  }

  private static func missing(_ input: Input, _ models: [Model]) -> String {
    if models.count > 1 { return "is \(input.words), the encoders take an image or a text" }
    let model = models[0]
    let needed = model.architecture.inputWords
    let fault = "is \(input.words), the model takes \(needed)"
    guard let encoder = input.kind.encoder, let ours = model.architecture.encoder else {
      return fault
    }
    return fault
      + "; its \(encoder.rawValue) encoder is missing: give both encoders of the model, "
      + "not its \(ours.rawValue) encoder alone"
  }

  // Outputs that were not computed here must not get a receipt.
  private func requireJudged() throws(EvaluationError) {
    for kind in candidates where !slots.contains(where: { $0.kind == kind }) {
      throw .wrongForm(
        references: references.origin, found: references.content.words,
        reason: "none has \(kind.words), so the candidate's \(kind.encoderWords) "
          + "would not be judged")
    }
  }

  /// The bytes of each encoder on both sides; empty unless both sides are models. Reads all weight
  /// bytes.
  func judged() throws -> [JudgedEncoder] {
    // Without models of the candidate there is nothing that ships.
    if candidates.isEmpty { return [] }
    var digests = DigestMemory()
    let judged = try slots.compactMap { try JudgedEncoder($0, &digests) }
    return judged.count == slots.count ? judged : []
  }

  /// Which bytes a comparison is about, one for each model of the candidate, in their order.
  func provenances(_ judged: [JudgedEncoder]) -> [Provenance] {
    candidates.compactMap { kind in
      judged.first { $0.kind == kind }.map { own in
        Provenance(own, beside: judged.first { $0.kind != kind })
      }
    }
  }
}

extension EncoderPairing {
  /// The source check of each baseline; nil if there was none.
  ///
  /// - Throws: `EvaluationError.otherSourceCheck` when one was made of other bytes.
  func sources(
    _ agreements: [SourceAgreement], of provenances: [Provenance]
  ) throws(EvaluationError) -> [SourceRecord?] {
    var records: [SourceRecord?] = []
    for (kind, provenance) in zip(candidates, provenances) {
      guard let agreement = agreements.first(where: { $0.kind == kind }) else {
        records.append(nil)
        continue
      }
      guard agreement.baseline == provenance.baseline else {
        throw .otherSourceCheck(kind: kind.encoder == nil ? "model" : kind.encoderWords)
      }
      records.append(agreement.record)
    }
    return records
  }
}

extension GateSide {
  /// Refuses models that cannot be on one side together.
  fileprivate func requireDistinct(_ side: String) throws(EvaluationError) {
    guard case .models(let models) = self else { return }
    guard let first = models.first else {
      throw .wrongEncoders(side: side, fault: "has no model")
    }
    if models.count == 1 { return }
    guard models.count == 2, models[0].kind != models[1].kind else {
      let same = models.dropFirst().first { $0.kind == first.kind } ?? models[models.count - 1]
      throw .wrongEncoders(
        side: side,
        fault: "has two models that take \(same.kind.words): '\(first.origin)' and "
          + "'\(same.origin)'; one image encoder and one text encoder can stand together")
    }
    if let other = models.first(where: { $0.kind.encoder == nil }) {
      throw .wrongEncoders(
        side: side,
        fault: "has two models, and '\(other.origin)' takes \(other.kind.words); "
          + "one image encoder and one text encoder can stand together")
    }
  }
}

extension ModelOutput {
  /// How a model of two classes gets the other's count of numbers, where one has one and the other two; empty otherwise.
  fileprivate func mend(beside other: ModelOutput) -> String {
    guard case .classes(let labels, let width, _) = self,
      case .classes(let theirs, let others, _) = other, labels.isExactly(theirs),
      labels.count == 2, width != others
    else { return "" }
    return "; give both the same: a dense model's 'output' has \"columns\": 2 for both "
      + "probabilities of a sigmoid, and a last layer of the rows [−w, w] gives both scores"
  }
}
