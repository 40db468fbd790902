import StrictJSON
package import Tokenization
import Weights

/// A table of tokens that is the whole model: the vector of a text is the mean of its tokens' rows.
/// sentence-transformers' module `StaticEmbedding`, and the folders of model2vec.
///
/// Source: the two libraries' published behaviour (sentence-transformers 6.2, model2vec 0.10).
package struct StaticEmbedding: RecognisedArchitecture {
  package static let name = "static-embedding"
  package static let modelTypes = ["model2vec"]
  package static let signature =
    "config.json with \"model_type\": \"model2vec\", or modules.json that begins with "
    + "StaticEmbedding"

  let table: StaticTable
  let chain: StaticChain
  /// The token that does not count; nil where all do.
  let unknown: Int32?
  /// Tokens a text is cut to.
  package let maximumLength: Int

  package var describingFiles: [String] { chain.files }
  package var input: ModelInput {
    .tokens(maximumLength: maximumLength, vocabulary: table.tokens)
  }
  package var output: ModelOutput { .embedding(width: chain.width(of: table)) }
  package var outputName: String { "embedding" }
  package var preparation: TextPreparation {
    TextPreparation(prompt: chain.prompts.prompts.text, framing: chain.framing)
  }
  package var tokenizerFolder: String { chain.folder }
  package var prompts: Prompts? { chain.framing == .none ? chain.prompts.prompts : nil }
  package var usage: VectorUsage? {
    VectorUsage(similarity: chain.prompts.similarity, includesPrompt: nil)
  }
  package var minTokens: Int { 0 }

  package static func recognise(
    _ files: ModelFiles, weights: any WeightSource
  ) throws -> StaticEmbedding? {
    let settings = try Model2VecSettings(files, weights)
    guard let folder = try settings == nil ? StaticChain.folder(of: files) : "" else { return nil }
    let table = try StaticTable(weights, files, folder: folder, isModel2Vec: settings != nil)
    let tokens = try StaticTokens(files, folder: folder)
    let model =
      try settings.map { settings in
        StaticEmbedding(
          table: table, chain: StaticChain(settings), unknown: try tokens.unknown(),
          maximumLength: settings.maximumLength)
      }
      ?? StaticEmbedding(
        table: table, chain: try StaticChain(files, width: table.width), unknown: nil,
        maximumLength: tokens.maximumLength)
    return model
  }

  package func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    var graph = StaticGraph(model: self, batch: batch, length: length)
    return try graph.build()
  }
}

/// Writes the mean of a table's rows for one batch size B and length S; H is the width.
struct StaticGraph {
  let model: StaticEmbedding
  let batch: Int
  let length: Int
  var graph = GraphBuilder()

  mutating func build() throws(GraphError) -> ModelGraph {
    let (ids, mask) = try graph.tokens(batch: batch, length: length)
    let counted = try counted(ids, mask)
    let rows = try graph.append("rows", Gather(model.table.rows, indices: try places(of: ids)))
    let shares = try shares(of: ids, counted)
    let wide = try graph.append("shares_wide", ExpandDims(shares, axes: [2]))
    let weighted = try graph.append("weighted", ElementwiseBinary(.mul, rows, wide))
    let sum = try graph.append("sum", Reduce(.sum, weighted, axis: 1, keepsAxis: false))
    let count = try graph.append("count", Reduce(.sum, counted, axis: 1, keepsAxis: true))
    let divisor = try graph.append(
      "divisor", ElementwiseBinary(.maximum, count, .literal(.float(1))))
    let mean = try graph.append("mean", ElementwiseBinary(.realDivision, sum, divisor))
    let output = try graph.apply(
      model.chain.steps, to: mean, keeping: model.chain.width(of: model.table))
    return try graph.finish(output: output)
  }

  /// 1 where a token counts, 0 elsewhere: [B, S].
  private mutating func counted(
    _ ids: Operand, _ mask: Operand
  ) throws(GraphError) -> Operand {
    guard let unknown = model.unknown else { return mask }
    let isUnknown = try graph.append(
      "is_unknown", Comparison(.equal, ids, .literal(.integers([unknown], shape: []))))
    let dropped = try graph.append("dropped", Cast(isUnknown, to: .float32))
    let known = try graph.append(
      "known", ElementwiseBinary(.sub, .literal(.float(1)), dropped))
    return try graph.append("counted", ElementwiseBinary(.mul, mask, known))
  }

  /// The table's row of each token: [B, S].
  private mutating func places(of ids: Operand) throws(GraphError) -> Operand {
    guard let mapping = model.table.mapping else { return ids }
    let places = try graph.append("places", Gather(mapping, indices: ids))
    return try graph.append("row_numbers", Cast(places, to: .int32))
  }

  /// By what each token's row is multiplied: [B, S].
  private mutating func shares(
    of ids: Operand, _ counted: Operand
  ) throws(GraphError) -> Operand {
    guard let weights = model.table.weights else { return counted }
    let own = try graph.append("token_weights", Gather(weights, indices: ids))
    return try graph.append("shares", ElementwiseBinary(.mul, own, counted))
  }
}
