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
    var vector =
      pooled.count == 1 ? pooled[0] : try graph.append("pool_joined", Concat(pooled, axis: 1))
    for (index, step) in sentence.modules.steps.enumerated() {
      vector = try apply(step, index, to: vector)
    }
    let output = try kept(vector)
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

  /// The first numbers of each row, where not all are kept.
  private mutating func kept(_ vector: Operand) throws(GraphError) -> Operand {
    let width = sentence.width
    guard let whole = graph.type(of: vector)?.shape.last, width < whole else { return vector }
    return try graph.append(
      "kept", SliceByIndex(vector, begin: [0, 0], end: [batch, width]))
  }

  private mutating func apply(
    _ step: SentenceStep, _ index: Int, to x: Operand
  ) throws(GraphError) -> Operand {
    let isLast = index == sentence.modules.steps.count - 1
    let name = "module\(index + 2)"
    switch step {
    case .normalize:
      return isLast ? try graph.unitRows(x) : try graph.unitRows(x, name)
    case .layerNorm(let source, let width):
      func weight(_ part: String) -> Operand {
        .weight(WeightReference("\(source).\(part)", [width], role: .norm))
      }
      return try graph.append(
        name, LayerNorm(x, gamma: weight("weight"), beta: weight("bias"), epsilon: 1e-5))
    case .dense(let dense):
      return try activate(dense.activation, try linear(dense, x, name), name)
    }
  }

  private mutating func linear(
    _ dense: SentenceDense, _ x: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    let weight = WeightReference(
      "\(dense.name).weight", [dense.outputs, dense.inputs], role: .matrix(outputAxis: 0))
    let bias = WeightReference("\(dense.name).bias", [dense.outputs], role: .bias)
    return try graph.append(
      name, Linear(x, weight: .weight(weight), bias: dense.hasBias ? .weight(bias) : nil))
  }

  private mutating func activate(
    _ activation: SentenceDense.Activation, _ x: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    let result = "\(name)_active"
    switch activation {
    case .identity: return x
    case .tanh: return try graph.append(result, ElementwiseUnary(.tanh, x))
    case .relu: return try graph.append(result, ElementwiseUnary(.relu, x))
    case .sigmoid: return try graph.append(result, ElementwiseUnary(.sigmoid, x))
    case .gelu: return try graph.append(result, Gelu(x, mode: .exact))
    case .silu: return try graph.silu(x, result)
    }
  }
}
