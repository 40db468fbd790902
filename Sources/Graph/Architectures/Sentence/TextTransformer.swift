import StrictJSON
import Weights

/// A transformer of texts: from token ids to a vector of each token, without what lies behind it.
protocol TextTransformer: Sendable {
  /// Numbers of a token's vector.
  var hidden: Int { get }
  /// Rows of the table of tokens.
  var vocabulary: Int { get }
  /// Positions that the transformer has.
  var positions: Int { get }
  /// Those of them that no token of a text takes.
  var unusedPositions: Int { get }
  /// What a head brings before the names of its weights.
  var prefix: WeightPrefix { get }
  /// Linear layers that are saved with it and that no token's vector needs, without the prefix.
  var unreadLayers: [String] { get }
  /// The same with the type of each token as an input, `token_type_ids`, where it has a table of
  /// more than one; else the transformer itself, to which every token is of type 0.
  func readingTypes() -> any TextTransformer
  /// Writes its operations for one batch size and length.
  func states(batch: Int, length: Int) throws(GraphError) -> TokenStates
}

extension TextTransformer {
  var unusedPositions: Int { 0 }
  var unreadLayers: [String] { [] }
  func readingTypes() -> any TextTransformer { self }
}

/// What a transformer has made of B texts of S tokens, H numbers of each.
struct TokenStates {
  /// All operations so far.
  var graph: GraphBuilder
  /// The token vectors [B, S, H].
  let states: Operand
  /// 1 where a token is, 0 where padding is: [B, S].
  let mask: Operand
}

/// An architecture that is a `TextTransformer` with the modules of sentence-transformers behind it,
/// and, with a head in their place, a classifier.
protocol TransformerArchitecture: SentenceArchitecture {
  /// The transformer itself.
  var transformer: any TextTransformer { get }
  /// The initialiser that a struct of just these two has anyway.
  init(transformer: any TextTransformer, sentence: SentenceEncoder)
  /// Whether a `config.json` of one of its types is its own: several may share a type.
  static func reads(_ config: JSONObject) -> Bool
  /// Reads `config.json`.
  ///
  /// - Throws: on keys and values that are not understood, and on weights under names that the
  ///   library would not read.
  static func transformer(
    _ config: JSONObject, weights: any WeightSource
  ) throws -> any TextTransformer
  /// The layers that the library puts behind it for a task; nil if it has none for that.
  ///
  /// - Throws: on a head that is not supported.
  static func head(_ task: HeadTask, _ config: JSONObject) throws -> ClassifierHead?
}

extension TransformerArchitecture {
  package var vocabulary: Int { transformer.vocabulary }
  static func reads(_ config: JSONObject) -> Bool { true }

  package static func recognise(_ files: ModelFiles, weights: any WeightSource) throws -> Self? {
    guard try !CrossEncoder.isOne(files) else {
      try CrossEncoder.requireHead(files, of: modelTypes)
      return nil
    }
    guard let reader = try SentenceReader(files, modelTypes: modelTypes), reads(reader.config),
      try HeadedModel(files) == nil
    else { return nil }
    let transformer = try transformer(reader.config, weights: weights)
    let encoder = Self(
      transformer: transformer,
      sentence: try reader.encoder(
        hidden: transformer.hidden, positions: transformer.positions,
        unused: transformer.unusedPositions))
    let place = reader.config.origin
    let used = try encoder.graph(batch: 1, length: 1).weights.map(\.name)
    try transformer.refuseBareTwins(of: used, weights, place)
    try encoder.check(weights, of: place)
    return encoder
  }

  package func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    let tokens = try transformer.states(batch: batch, length: length)
    var end = SentenceGraph(sentence, behind: tokens.graph, batch: batch, length: length)
    return try end.finish(tokens.states, tokens.mask)
  }
}

extension TextTransformer {
  /// Refuses a weight without the prefix beside the one that has it.
  ///
  /// - Parameters:
  ///   - used: names of the model's weights, prefix included.
  ///   - place: the file that describes the model, for messages.
  func refuseBareTwins(
    of used: [TensorName], _ weights: any WeightSource, _ place: String
  ) throws(ModelError) {
    let unread = unreadLayers.flatMap { layer -> [TensorName] in
      ["\(prefix.text)\(layer).weight", "\(prefix.text)\(layer).bias"]
    }
    try prefix.refuseBareTwins(of: used + unread, weights, place)
  }
}
