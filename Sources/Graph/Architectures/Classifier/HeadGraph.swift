import Weights

/// Writes the layers of a head behind the token vectors of B texts of S tokens, H numbers each.
struct HeadGraph {
  let head: ClassifierHead
  let labels: Int
  let transformer: any TextTransformer
  let tokens: TokenStates
  private let batch: Int
  private let length: Int
  private(set) var graph: GraphBuilder

  init(
    _ head: ClassifierHead, labels: Int, behind transformer: any TextTransformer, batch: Int,
    length: Int
  ) throws(GraphError) {
    self.head = head
    self.labels = labels
    self.transformer = transformer
    self.batch = batch
    self.length = length
    tokens = try transformer.states(batch: batch, length: length)
    graph = tokens.graph
  }

  private var hidden: Int { transformer.hidden }

  /// One number for each label: [B, labels], or [B, S, labels] where each token is classified.
  mutating func logits() throws(GraphError) -> Operand {
    var x = try vectors()
    if let layer = head.layer { x = try dense(layer, x) }
    return try graph.linear(
      x, head.output, "logits", inputs: hidden, outputs: labels, hasBias: head.outputHasBias)
  }

  private mutating func dense(
    _ layer: ClassifierHead.Layer, _ x: Operand
  ) throws(GraphError) -> Operand {
    let source = (layer.isPooler ? transformer.prefix.text : "") + layer.name
    let wide = try graph.linear(
      x, source, "pooled", inputs: hidden, outputs: hidden, hasBias: layer.hasBias)
    let active = try graph.activate(layer.activation, wide, "pooled_active")
    guard let norm = layer.norm else { return active }
    return try graph.norm(
      active, gain: "\(norm.name).weight", shift: norm.hasShift ? "\(norm.name).bias" : nil,
      "pooled_norm", width: hidden, epsilon: norm.epsilon)
  }

  // MARK: Which vectors

  private mutating func vectors() throws(GraphError) -> Operand {
    switch head.vectors {
    case .each: tokens.states
    case .first:
      try graph.append(
        "first_token",
        SliceByIndex(
          tokens.states, begin: [0, 0, 0], end: [batch, 1, hidden], squeezedAxes: [1]))
    case .mean: try mean()
    case .last(let padding): try last(padding)
    }
  }

  private mutating func mean() throws(GraphError) -> Operand {
    let sum = try sum(tokens.mask, "token")
    let count = try graph.append(
      "token_count", Reduce(.sum, tokens.mask, axis: 1, keepsAxis: true))
    return try graph.append("mean_token", ElementwiseBinary(.realDivision, sum, count))
  }

  /// The library looks for the last place whose id is not the padding's. It takes the first place
  /// where all are.
  private mutating func last(_ padding: Int?) throws(GraphError) -> Operand {
    let counted = try padding.map { padding throws(GraphError) in try besides(padding) }
    let ranks = (1...length).map { Float($0) }
    let ranked = try graph.append(
      "token_ranks",
      ElementwiseBinary(
        .mul, counted ?? tokens.mask, .literal(.floats(ranks, shape: [1, length]))))
    let first = [Float](repeating: 0, count: length - 1)
    let places = try graph.append(
      "token_places",
      ElementwiseBinary(.maximum, ranked, .literal(.floats([1] + first, shape: [1, length]))))
    let highest = try graph.append(
      "last_place", Reduce(.max, places, axis: 1, keepsAxis: true))
    let isLast = try graph.append("is_last", Comparison(.equal, places, highest))
    return try sum(try graph.append("last", Cast(isLast, to: .float32)), "last")
  }

  // 1 where a token is that is not the padding token: [B, S].
  private mutating func besides(_ padding: Int) throws(GraphError) -> Operand {
    let own = Operand.literal(.integers([Int32(clamping: padding)], shape: []))
    let isPadding = try graph.append(
      "is_padding", Comparison(.equal, .value("input_ids"), own))
    let paddings = try graph.append("paddings", Cast(isPadding, to: .float32))
    let others = try graph.append(
      "no_paddings", ElementwiseBinary(.sub, .literal(.float(1)), paddings))
    return try graph.append("kept_tokens", ElementwiseBinary(.mul, others, tokens.mask))
  }

  // The sum of the vectors where the mask is 1: [B, H].
  private mutating func sum(_ mask: Operand, _ name: String) throws(GraphError) -> Operand {
    let wide = try graph.append("\(name)_wide", ExpandDims(mask, axes: [2]))
    let kept = try graph.append(
      "\(name)_kept", ElementwiseBinary(.mul, tokens.states, wide))
    return try graph.append("\(name)_sum", Reduce(.sum, kept, axis: 1, keepsAxis: false))
  }
}
