import Execution
package import Graph
package import Tokenization

/// Texts, as token ids of the model's own tokenizer.
package struct TextInputs: InputPreparation {
  package var preparation: TextPreparation
  package let tokenizer: any TextTokenizer
  private let input: String
  /// Whether an input is two texts.
  private let readsPairs: Bool
  /// Tokens that a text is cut to.
  let maximumLength: Int
  private let minTokens: Int
  /// Rows of the model's table of tokens.
  private let rows: Int
  private let shapes: GraphShapes
  /// The token that every text must end with, if any.
  private let endToken: Int32?

  /// Reads the tokenizer.
  ///
  /// - Throws: as the tokenizer's reader, and `EvaluationError` where it does not suit the model.
  package init(of model: Model, maximumLength: Int, rows: Int) throws {
    let architecture = model.architecture
    preparation = architecture.preparation
    guard let tokenizer = try model.tokenizer() else {
      throw ModelError.missingTokenizer(
        origin: model.origin, isPackage: architecture.shapes != .any)
    }
    self.tokenizer = tokenizer
    try tokenizer.requireRows(rows)
    guard tokenizer.vocabularySize <= rows else {
      throw EvaluationError.vocabularyTooLarge(
        origin: model.origin, tokens: tokenizer.vocabularySize, rows: rows)
    }
    guard tokenizer.paddingID >= 0, tokenizer.paddingID < rows else {
      throw EvaluationError.paddingOutside(
        origin: model.origin, id: Int(tokenizer.paddingID), rows: rows)
    }
    minTokens = architecture.minTokens
    self.maximumLength = maximumLength
    self.rows = rows
    input = architecture.inputWords
    readsPairs = architecture.kind == .textPair
    shapes = architecture.shapes
    endToken = architecture.endToken
    try requireStated(by: model)
  }

  func check(_ inputs: [Input]) throws(EvaluationError) {
    for index in inputs.indices { try requireKind(inputs[index], index) }
  }

  func batches(of inputs: [Input], images: ImageFiles) throws -> PreparedBatches {
    prepared(try sequences(of: inputs))
  }

  func batches(of texts: [TextTokens]) -> PreparedBatches? { prepared(texts) }

  private func prepared(_ texts: [TextTokens]) -> PreparedBatches {
    let padding = tokenizer.paddingID
    // A text without tokens takes one place, which the mask hides.
    let lengths = texts.map { max(1, $0.count) }
    return PreparedBatches(
      plan: Batching.plan(lengths: lengths, shapes: shapes), tokenCounts: texts.map(\.count)
    ) { batch, graph in
      TextInputs.padded(batch, texts, with: padding, for: graph)
    }
  }

  func single(_ input: Input, _ index: Int, images: ImageFiles) throws -> SingleInput {
    .tokens(try tokens(input, index))
  }

  /// Special tokens around every text, and padding.
  package var structuralTokens: Set<Int32> {
    Set(tokenizer.ids(of: "", maximumLength: maximumLength) + [tokenizer.paddingID])
  }

  func areUnknown(_ all: [SeenInput]) -> Bool {
    guard let unknown = tokenizer.unknownID else { return false }
    let prompt = tokenizer.ids(of: preparation.apply(to: ""), maximumLength: maximumLength)
    let around = structuralTokens.union(prompt).union([unknown])
    return all.allSatisfy { seen in
      guard case .tokens(let tokens) = seen else { return false }
      return tokens.ids.allSatisfy(around.contains)
    }
  }

  /// Ids before every text, its prompt included, and ids behind it.
  package var surroundings: (before: [Int32], behind: [Int32]) {
    let ids = tokenizer.ids(of: preparation.apply(to: ""), maximumLength: maximumLength)
    let behind = min(tokenizer.specialTokenCounts.behind, ids.count)
    return (Array(ids.dropLast(behind)), Array(ids.suffix(behind)))
  }

  /// The ids of texts, in their order.
  ///
  /// - Throws: `EvaluationError.unusableInput`.
  package func tokens(of inputs: [Input]) throws(EvaluationError) -> [[Int32]] {
    try sequences(of: inputs).map(\.ids)
  }

  /// The tokens of texts, in their order.
  ///
  /// - Throws: `EvaluationError.unusableInput`.
  package func sequences(of inputs: [Input]) throws(EvaluationError) -> [TextTokens] {
    var tokens: [TextTokens] = []
    tokens.reserveCapacity(inputs.count)
    for index in inputs.indices { tokens.append(try self.tokens(inputs[index], index)) }
    return tokens
  }

  /// The tokens of an input cut to a length, whatever else the model asks for.
  ///
  /// - Returns: nil for an input of another kind.
  package func tokens(of input: Input, maximumLength: Int) -> TextTokens? {
    switch input {
    case .text(let text) where !readsPairs:
      TextTokens(tokenizer.ids(of: preparation.apply(to: text), maximumLength: maximumLength))
    case .textPair(let first, let second) where readsPairs:
      tokenizer.tokens(
        of: preparation.apply(to: first), and: preparation.apply(to: second),
        maximumLength: maximumLength)
    case .text, .textPair, .values, .image: nil
    }
  }

  private func tokens(_ input: Input, _ index: Int) throws(EvaluationError) -> TextTokens {
    guard let tokens = tokens(of: input, maximumLength: maximumLength) else {
      throw input.wrongKind(index, for: self.input)
    }
    try check(tokens.ids, of: input, index)
    return tokens
  }

  private func check(_ ids: [Int32], of input: Input, _ index: Int) throws(EvaluationError) {
    let fewest = min(1, minTokens)
    guard (fewest...maximumLength).contains(ids.count) else {
      throw input.unusable(
        index, "gives \(ids.count) tokens, the model takes \(fewest) to \(maximumLength)")
    }
    guard ids.count >= minTokens else {
      throw input.unusable(
        index,
        "gives \(ids.count) tokens, and the prompt's place takes all of them; it needs "
          + "\(minTokens)")
    }
    if let bad = ids.first(where: { $0 < 0 || $0 >= rows }) {
      throw input.unusable(index, "gives token id \(bad), the token table has \(rows) rows")
    }
    if let endToken, let last = ids.last, last != endToken {
      throw input.unusable(
        index, "gives ids that end with \(last), the model looks for \(endToken) there")
    }
  }

  private func requireKind(_ input: Input, _ index: Int) throws(EvaluationError) {
    guard input.kind == (readsPairs ? .textPair : .text) else {
      throw input.wrongKind(index, for: self.input)
    }
  }

  // Ids and, where the graph takes them, mask and types of a batch, all [rows, length], padded on
  // the right.
  private static func padded(
    _ batch: Batch, _ texts: [TextTokens], with padding: Int32, for graph: ModelGraph
  ) -> [String: InputValues] {
    var values: [Int32] = [], mask: [Int32] = [], types: [Int32] = []
    values.reserveCapacity(batch.rows.count * batch.length)
    mask.reserveCapacity(batch.rows.count * batch.length)
    for row in batch.rows {
      let text = texts[row], missing = batch.length - text.count
      let zeros = [Int32](repeating: 0, count: missing)
      values += text.ids + Array(repeating: padding, count: missing)
      mask += Array(repeating: 1, count: text.count) + zeros
      types += text.allTypes + zeros
    }
    let all = [
      "input_ids": InputValues.integers(values), "attention_mask": .integers(mask),
      "token_type_ids": .integers(types),
    ]
    let taken = Set(graph.inputs.map(\.name))
    return all.filter { taken.contains($0.key) }
  }
}

/// The steps from a text to a text encoder's input, which an app must repeat.
package struct TextStatement: Sendable {
  /// The id appended to short texts as padding.
  package let paddingID: Int
  /// Tokens of the longest text; longer ones are cut.
  package let maximumLength: Int
  /// The end at which a long text is cut.
  package let cutSide: String
  /// Number of special tokens before every text.
  package let tokensBefore: Int
  /// Number of special tokens behind it.
  package let tokensBehind: Int
  /// The text before every text; empty without a prompt.
  package let prompt: String
  private let inputs: TextInputs

  /// - Returns: nil for a model that takes no text.
  /// - Throws: errors of reading the tokenizer.
  package init?(of model: Model) throws {
    guard case .tokens(let maximum, let rows) = model.architecture.input else { return nil }
    inputs = try TextInputs(of: model, maximumLength: maximum, rows: rows)
    paddingID = Int(inputs.tokenizer.paddingID)
    cutSide = inputs.tokenizer.sides.truncation.rawValue
    (tokensBefore, tokensBehind) = inputs.tokenizer.specialTokenCounts
    prompt = inputs.preparation.prompt
    maximumLength = maximum
  }

  /// The number of tokens of each text, in their order; images and numbers are left out.
  package func tokenCounts(of inputs: [Input]) throws -> [Int] {
    try inputs.enumerated().compactMap { index, input in
      guard self.inputs.tokens(of: input, maximumLength: 0) != nil,
        case .tokens(let tokens) = try self.inputs.single(
          input, index, images: ImageFiles(folder: ""))
      else { return nil }
      return tokens.count
    }
  }

  /// The same in keys and values for a package's metadata.
  ///
  /// - Parameter length: the greatest that the package takes.
  package func notes(length: Int) -> [String: String] {
    inputs.notes(length: length)
  }
}
