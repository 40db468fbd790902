import Graph
import Imaging
import Inputs
import StrictJSON
import Tokenization

/// Compares how a candidate and its baseline prepare inputs.
///
/// Both sides prepare inputs by their own files, so the gate compares vectors of other inputs where
/// these differ. Two tokenizers may agree on every reference and on nothing else.
struct PreparationAudit {
  /// The difference; nil if they agree, or one side has no model.
  let difference: PreparationDifference?
  /// The same, with the models it is of.
  let reason: RefusalReason?

  /// - Throws: what reading the files throws, and as `ModelRunner.outputs(for:)` what is wrong with a
  ///   reference.
  init(_ slot: EncoderSlot, _ references: ReferenceSet) throws {
    guard let old = slot.counterpart, let new = slot.candidate else {
      (difference, reason) = (nil, nil)
      return
    }
    let found: PreparationDifference.Kind? =
      switch new.architecture.input {
      case .features: nil
      case .image: try PreparationAudit.images(old, new)
      case .tokens: try PreparationAudit.texts(old, new, slot, references)
      }
    difference = found.map { PreparationDifference(kind: $0, encoder: slot.encoder) }
    reason = difference.map {
      .preparation($0, candidate: new.origin, baseline: old.origin)
    }
  }

  private static func images(
    _ old: Model, _ new: Model
  ) throws -> PreparationDifference.Kind? {
    let (ours, theirs) = (try new.imageProcessor(), try old.imageProcessor())
    guard ours.digest == theirs.digest || ours.processor.isSame(as: theirs.processor) else {
      return .images
    }
    return try normalise(old, new) ? nil : .normalisation
  }

  /// Whether two graphs of one kind make the same numbers of pixels, before the first weight.
  private static func normalise(_ old: Model, _ new: Model) throws -> Bool {
    guard type(of: old.architecture) == type(of: new.architecture) else { return true }
    let nodes = try zip(
      old.architecture.smallestGraph().nodes, new.architecture.smallestGraph().nodes)
    for (ours, theirs) in nodes {
      for (one, other) in zip(ours.operation.operands, theirs.operation.operands) {
        if case .weight = one.operand { return true }
        if case .literal = one.operand, one.operand != other.operand { return false }
      }
    }
    return true
  }

  private static func texts(
    _ old: Model, _ new: Model, _ slot: EncoderSlot, _ references: ReferenceSet
  ) throws -> PreparationDifference.Kind? {
    if let statement = StatementAudit.difference(of: new, from: old) { return statement }
    if try old.hasSameTokenizerFiles(as: new) { return nil }
    guard let before = try old.tokenizer(lowercasing: .none),
      let after = try new.tokenizer(lowercasing: .none)
    else { return nil }
    let parts = after.differences(from: before)
    guard parts.isEmpty else { return .tokenizer(parts) }
    if let facts = try StatementAudit.facts(of: new, from: old) { return facts }
    // The same parts in other words; only their effect on the references counts.
    return try references.naming(slot.inputs) { inputs in
      try ids(old, new, inputs)
    }
  }

  /// The first text that both sides make other tokens of, what goes before it left out. Each is
  /// tried in capitals, too, which references may lack.
  private static func ids(
    _ old: Model, _ new: Model, _ inputs: [Input]
  ) throws -> PreparationDifference.Kind? {
    guard let before = try TextInputs(unprompted: old), let after = try TextInputs(unprompted: new)
    else { return nil }
    for input in inputs {
      for input in [input, input.inCapitals] {
        guard let ours = after.whole(input), let theirs = before.whole(input), ours != theirs
        else { continue }
        return difference(of: ours.ids, from: theirs.ids, of: input)
      }
    }
    return nil
  }

  private static func difference(
    of ours: [Int32], from theirs: [Int32], of input: Input
  ) -> PreparationDifference.Kind {
    let place = zip(ours, theirs).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    return .tokens(
      input: input.label, found: ours.count, expected: theirs.count,
      first: (place ?? min(ours.count, theirs.count)) + 1)
  }
}

extension Model {
  /// Whether texts become tokens by the very same bytes, read in the same way.
  fileprivate func hasSameTokenizerFiles(as other: Model) throws -> Bool {
    let (ours, theirs) = (architecture, other.architecture)
    guard ours.isPreparedAsOpenCLIP == theirs.isPreparedAsOpenCLIP,
      ours.preparation.strips == theirs.preparation.strips,
      ours.preparation.lowercasing == theirs.preparation.lowercasing,
      ours.preparation.framing == theirs.preparation.framing,
      ours.preparation.cleaning == theirs.preparation.cleaning
    else { return false }
    let first = try files.tokenizerFiles(in: ours.tokenizerFolder)
    let second = try other.files.tokenizerFiles(in: theirs.tokenizerFolder)
    return try first.isSame(as: second)
  }
}

extension Input {
  /// The same with the texts in capitals.
  fileprivate var inCapitals: Input {
    switch self {
    case .text(let text): .text(text.inCapitals)
    case .textPair(let first, let second): .textPair(first.inCapitals, second.inCapitals)
    case .values, .named, .image: self
    }
  }
}

extension String {
  /// The letters a to z made large, and no others: libraries disagree about those.
  fileprivate var inCapitals: String {
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      let isSmall = ("a"..."z").contains(scalar)
      scalars.append(isSmall ? Unicode.Scalar(UInt8(scalar.value - 32)) : scalar)
    }
    return String(scalars)
  }
}

extension TextInputs {
  /// The same but for the prompt; nil for a model without a tokenizer.
  fileprivate init?(unprompted model: Model) throws {
    guard case .tokens(let maximum, let rows) = model.architecture.input else { return nil }
    try self.init(of: model, maximumLength: maximum, rows: rows)
    preparation.prompt = ""
  }

  /// All tokens of an input, however many the model takes.
  fileprivate func whole(_ input: Input) -> TextTokens? {
    tokens(of: input, maximumLength: Int(Int32.max))
  }
}
