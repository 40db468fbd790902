// The poolings: token vectors [B, S, H] and a mask [B, S] to [B, H]. Values that several of them
// need are computed once.
extension SentenceGraph {
  mutating func pool(
    _ mode: PoolingMode, _ states: Operand, _ mask: Operand
  ) throws(GraphError) -> Operand {
    switch mode {
    case .firstToken: try firstToken(states, mask)
    case .maximum: try maximum(states, mask)
    case .mean: try mean(states, mask)
    case .meanOfRoot: try meanOfRoot(states, mask)
    case .weightedMean: try weightedMean(states, mask)
    case .lastToken: try lastToken(states, mask)
    }
  }

  // The first token behind the prompt; without a prompt, the first of all.
  private mutating func firstToken(
    _ states: Operand, _ mask: Operand
  ) throws(GraphError) -> Operand {
    let place = sentence.excludedTokens
    guard place > 0, place < length else { return try token(0, of: states, "first_token") }
    let behind = try token(place, of: states, "behind_prompt")
    let first = try token(0, of: states, "first_of_all")
    let isThere = try graph.append(
      "is_behind_prompt", SliceByIndex(mask, begin: [0, place], end: [batch, place + 1]))
    let isMissing = try graph.append(
      "is_prompt_alone", ElementwiseBinary(.sub, .literal(.float(1)), isThere))
    let taken = try graph.append("behind_taken", ElementwiseBinary(.mul, behind, isThere))
    let other = try graph.append("first_taken", ElementwiseBinary(.mul, first, isMissing))
    return try graph.append("first_token", ElementwiseBinary(.add, taken, other))
  }

  private mutating func token(
    _ place: Int, of states: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    try graph.append(
      name,
      SliceByIndex(
        states, begin: [0, place, 0], end: [batch, place + 1, sentence.hidden],
        squeezedAxes: [1]))
  }

  private mutating func maximum(_ states: Operand, _ mask: Operand) throws(GraphError) -> Operand {
    let wide = try wideMask(mask)
    let isToken = try graph.append("pool_is_token", Cast(wide, to: .bool))
    let kept = try graph.append(
      "pool_present", Select(isToken, states, else: .literal(.hiding)))
    return try graph.append("pool_maximum", Reduce(.max, kept, axis: 1, keepsAxis: false))
  }

  private mutating func mean(_ states: Operand, _ mask: Operand) throws(GraphError) -> Operand {
    let sum = try sum(states, mask)
    let count = try graph.append("pool_count", Reduce(.sum, mask, axis: 1, keepsAxis: true))
    return try quotient(sum, count, "pool_mean", "pool_divisor", minimum: 1e-9)
  }

  // The root of the number of tokens is the length of the mask's vector of zeros and ones.
  private mutating func meanOfRoot(
    _ states: Operand, _ mask: Operand
  ) throws(GraphError) -> Operand {
    let sum = try sum(states, mask)
    let root = try graph.append(
      "pool_root", Reduce(.l2Norm, mask, axis: 1, keepsAxis: true))
    return try quotient(
      sum, root, "pool_mean_of_root", "pool_root_divisor", minimum: 1e-9.squareRoot())
  }

  // Token i weighs i + 1; over the length, so that no sum outgrows float16.
  private mutating func weightedMean(
    _ states: Operand, _ mask: Operand
  ) throws(GraphError) -> Operand {
    let ranks = (1...length).map { Float($0) / Float(length) }
    let weights = try graph.append(
      "pool_weights",
      ElementwiseBinary(.mul, mask, .literal(.floats(ranks, shape: [1, length]))))
    let wide = try graph.append("pool_weights_wide", ExpandDims(weights, axes: [2]))
    let weighted = try graph.append("pool_weighted", ElementwiseBinary(.mul, states, wide))
    let sum = try graph.append(
      "pool_weighted_sum", Reduce(.sum, weighted, axis: 1, keepsAxis: false))
    let total = try graph.append(
      "pool_weight", Reduce(.sum, weights, axis: 1, keepsAxis: true))
    return try quotient(
      sum, total, "pool_weighted_mean", "pool_weight_divisor", minimum: 1e-9)
  }

  // The place of the last token is the highest that the mask lets through.
  private mutating func lastToken(
    _ states: Operand, _ mask: Operand
  ) throws(GraphError) -> Operand {
    let places = (1...length).map { Float($0) }
    let placed = try graph.append(
      "pool_places",
      ElementwiseBinary(.mul, mask, .literal(.floats(places, shape: [1, length]))))
    let highest = try graph.append(
      "pool_last_place", Reduce(.max, placed, axis: 1, keepsAxis: true))
    let isLast = try graph.append("pool_is_last", Comparison(.equal, placed, highest))
    var last = try graph.append("pool_last", Cast(isLast, to: .float32))
    if sentence.excludedTokens > 0 {
      // If the text is nothing but the prompt, nothing is taken.
      last = try graph.append("pool_last_token", ElementwiseBinary(.mul, last, mask))
    }
    let wide = try graph.append("pool_last_wide", ExpandDims(last, axes: [2]))
    let alone = try graph.append("pool_alone", ElementwiseBinary(.mul, states, wide))
    return try graph.append("last_token", Reduce(.sum, alone, axis: 1, keepsAxis: false))
  }

  // The sum of the vectors that the mask selects.
  private mutating func sum(_ states: Operand, _ mask: Operand) throws(GraphError) -> Operand {
    try once("pool_sum") { graph throws(GraphError) in
      let wide = try graph.wideMask(mask)
      let kept = try graph.graph.append("pool_kept", ElementwiseBinary(.mul, states, wide))
      return try graph.graph.append("pool_sum", Reduce(.sum, kept, axis: 1, keepsAxis: false))
    }
  }

  private mutating func wideMask(_ mask: Operand) throws(GraphError) -> Operand {
    try once("pool_mask") { graph throws(GraphError) in
      try graph.graph.append("pool_mask", ExpandDims(mask, axes: [2]))
    }
  }

  // Returns a value made earlier, or makes it now.
  private mutating func once(
    _ name: String, _ make: (inout SentenceGraph) throws(GraphError) -> Operand
  ) throws(GraphError) -> Operand {
    let known = Operand.value(name)
    return graph.type(of: known) == nil ? try make(&self) : known
  }

  private mutating func quotient(
    _ x: Operand, _ y: Operand, _ name: String, _ divisorName: String, minimum: Double
  ) throws(GraphError) -> Operand {
    let divisor = try graph.append(
      divisorName, ElementwiseBinary(.maximum, y, .literal(.float(Float(minimum)))))
    return try graph.append(name, ElementwiseBinary(.realDivision, x, divisor))
  }
}
