import Execution
package import Graph
package import Tokenization

/// Texts, as token ids of the model's own tokenizer.
package struct TextInputs: InputPreparation {
  /// The steps from a text to its tokens.
  var texts: TextSequences
  private let input: String
  private let shapes: GraphShapes

  package var preparation: TextPreparation {
    get { texts.preparation }
    set { texts.preparation = newValue }
  }
  package var tokenizer: any TextTokenizer { texts.tokenizer }
  /// Tokens that a text is cut to.
  var maximumLength: Int { texts.limits.most }

  /// Reads the tokenizer.
  ///
  /// - Throws: as the tokenizer's reader, and `EvaluationError` where it does not suit the model.
  package init(of model: Model, maximumLength: Int, rows: Int) throws {
    let architecture = model.architecture
    guard let tokenizer = try model.tokenizer() else {
      throw ModelError.missingTokenizer(
        origin: model.origin, isPackage: architecture.shapes != .any)
    }
    try tokenizer.requireRows(rows)
    guard tokenizer.vocabularySize <= rows else {
      throw EvaluationError.vocabularyTooLarge(
        origin: model.origin, tokens: tokenizer.vocabularySize, rows: rows)
    }
    guard tokenizer.paddingID >= 0, tokenizer.paddingID < rows else {
      throw EvaluationError.paddingOutside(
        origin: model.origin, id: Int(tokenizer.paddingID), rows: rows)
    }
    texts = TextSequences(
      preparation: architecture.preparation, tokenizer: tokenizer,
      limits: TokenLimits(
        most: maximumLength, least: architecture.minTokens, rows: rows,
        end: architecture.endToken))
    input = architecture.inputWords
    shapes = architecture.shapes
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
    let lengths = texts.map(TextTensors.places)
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
    case .text(let text) where !texts.readsPairs:
      texts.tokens(of: text, maximumLength: maximumLength)
    case .textPair(let first, let second) where texts.readsPairs:
      texts.tokens(of: first, and: second, maximumLength: maximumLength)
    case .text, .textPair, .values, .named, .image: nil
    }
  }

  private func tokens(_ input: Input, _ index: Int) throws(EvaluationError) -> TextTokens {
    guard let tokens = tokens(of: input, maximumLength: maximumLength) else {
      throw input.wrongKind(index, for: self.input)
    }
    do throws(TokenFault) {
      try texts.limits.check(tokens.ids)
    } catch {
      throw input.unusable(index, error.description)
    }
    return tokens
  }

  private func requireKind(_ input: Input, _ index: Int) throws(EvaluationError) {
    guard input.kind == (texts.readsPairs ? .textPair : .text) else {
      throw input.wrongKind(index, for: self.input)
    }
  }

  // Ids and, where the graph takes them, mask and types of a batch.
  private static func padded(
    _ batch: Batch, _ texts: [TextTokens], with padding: Int32, for graph: ModelGraph
  ) -> [String: InputValues] {
    let tensors = TextTensors(
      batch.rows.map { texts[$0] }, length: batch.length, padding: padding)
    let taken = graph.inputs.compactMap { TextTensors.Name(rawValue: $0.name) }
    return Dictionary(taken.map { ($0.rawValue, .integers(tensors[$0])) }) { first, _ in first }
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
