/// Writes what becomes of a transformer's token vectors: pooling, the modules behind it, and the cut
/// to a width. The architecture has written all before that; B texts of S tokens, H numbers of each.
struct SentenceGraph {
  let sentence: SentenceEncoder
  let batch: Int
  let length: Int
  var graph: GraphBuilder

  init(_ sentence: SentenceEncoder, behind graph: GraphBuilder, batch: Int, length: Int) {
    self.sentence = sentence
    self.graph = graph
    self.batch = batch
    self.length = length
  }

  /// From token vectors [B, S, H] and mask [B, S], 1 where a token is, to the model's output.
  mutating func finish(_ states: Operand, _ mask: Operand) throws(GraphError) -> ModelGraph {
    let mask = try withoutPrompt(mask)
    var pooled: [Operand] = []
    for mode in sentence.modules.pooling.modes {
      pooled.append(try pool(mode, states, mask))
    }
    let vector =
      pooled.count == 1 ? pooled[0] : try graph.append("pool_joined", Concat(pooled, axis: 1))
    let output = try graph.apply(sentence.modules.steps, to: vector, keeping: sentence.width)
    return try graph.finish(output: output)
  }

  // The mask for pooling; the transformer itself has seen the prompt.
  private mutating func withoutPrompt(_ mask: Operand) throws(GraphError) -> Operand {
    guard sentence.excludedTokens > 0 else { return mask }
    let counts = (0..<length).map { $0 < sentence.excludedTokens ? Float(0) : 1 }
    return try graph.append(
      "pool_tokens",
      ElementwiseBinary(.mul, mask, .literal(.floats(counts, shape: [1, length]))))
  }
}
