package import Weights

/// A proof that a graph of fixed length gives the same for a short text when it is cut to the
/// text's length.
///
/// It holds for every text whose mask is 1 at one place at least, and for every length that leaves out
/// places with mask 0 only. What ids and types are there must be rows of the tables that they are
/// looked up in. "The same" is meant of real numbers, with padding's shares of attention
/// exactly zero as they are in float32: e^−104 underflows. Sums of fewer terms may be rounded
/// otherwise.
///
/// The proof follows the tokens from operation to operation. Nothing may count the places; sums
/// over tokens need exact zeros at padding, and limits for what those are multiplied with; a
/// softmax over tokens needs scores whose bound, for these weights, is far less than what the mask takes
/// from them. A step that is not understood or not proven ends the search without a proof.
package struct LengthProof: Sendable {
  /// The graph's tokens.
  package let length: Int
  private let graph: ModelGraph
  private var steps: [String: Step] = [:]

  /// The finding about one operation.
  private struct Step: Sendable {
    let value: TokenValue
    /// Operands that are cut, by number, and along which axes.
    let cuts: [Int: Set<Int>]
    let shortest: Int
  }

  /// Looks for a proof.
  ///
  /// - Parameters:
  ///   - graph: for one text, with the inputs `input_ids` and `attention_mask` [1, length], and
  ///     perhaps `token_type_ids`.
  ///   - weights: those that the graph runs with; each is read a few times at most.
  /// - Returns: nil if there is none.
  /// - Throws: errors of the weights.
  package init?(_ graph: ModelGraph, weights: any WeightSource) throws {
    try self.init(graph, weights: weights, changed: [], before: [:])
  }

  /// The proof for the same graph with some weights replaced; only what depends on them is looked at
  /// anew.
  ///
  /// - Parameter weights: has every weight.
  /// - Returns: nil if there is none.
  package func replacing(_ names: [TensorName], by weights: any WeightSource) throws -> LengthProof?
  {
    try LengthProof(graph, weights: weights, changed: Set(names), before: steps)
  }

  private init?(
    _ graph: ModelGraph, weights: any WeightSource, changed names: Set<TensorName>,
    before: [String: Step]
  ) throws {
    guard let length = LengthProof.length(of: graph) else { return nil }
    self.length = length
    self.graph = graph
    var changed: Set<String> = []
    for node in graph.nodes {
      if let known = before[node.name], !LengthProof.reads(node, changed, names) {
        steps[node.name] = known
        continue
      }
      guard let step = try step(node, weights) else { return nil }
      steps[node.name] = step
      let isOtherMap = step.value.affine?.matrix.map { names.contains($0.name) } ?? false
      if isOtherMap || before[node.name]?.value != step.value { changed.insert(node.name) }
    }
    guard steps[graph.output]?.value.tokens.isEmpty == true else { return nil }
  }

  // The tokens of a graph of texts with a mask.
  private static func length(of graph: ModelGraph) -> Int? {
    let known: Set<String> = ["input_ids", "attention_mask", "token_type_ids"]
    guard let mask = graph.inputs.first(where: { $0.name == "attention_mask" }),
      mask.type.shape.count == 2, mask.type.shape[0] == 1, mask.type.shape[1] > 1,
      graph.inputs.allSatisfy({ known.contains($0.name) && $0.type == mask.type })
    else { return nil }
    return mask.type.shape[1]
  }

  private static func reads(
    _ node: ModelGraph.Node, _ values: Set<String>, _ names: Set<TensorName>
  ) -> Bool {
    node.operation.operands.contains { _, operand in
      switch operand {
      case .value(let name): values.contains(name)
      case .weight(let reference): names.contains(reference.name)
      case .literal: false
      }
    }
  }

  private func step(_ node: ModelGraph.Node, _ weights: any WeightSource) throws -> Step? {
    var walk = TokenWalk(length: length, weights: weights)
    let inputs = node.operation.operands.compactMap { value(of: $0.operand) }
    // Of numbers that are rounded otherwise, integers and comparisons may be others.
    let isExact = inputs.allSatisfy(\.isExact), isWhole = node.type.scalar != .float32
    guard isExact || !isWhole else { return nil }
    let result = try (node.operation as? any TokenFollowing)?.follow(inputs, node.type, &walk)
    // What has no tokens is the same at every length.
    let hasNoTokens = inputs.allSatisfy(\.tokens.isEmpty)
    guard var value = result ?? (hasNoTokens ? TokenValue(node.type) : nil) else { return nil }
    let isMoved = hasNoTokens || node.operation is any TokenMoving
    value.isExact = isWhole || value.choice != nil || isExact && isMoved
    return Step(value: value, cuts: walk.cuts, shortest: walk.shortest)
  }

  private func value(of operand: Operand) -> TokenValue? {
    switch operand {
    case .value(let name): return steps[name]?.value ?? input(name)
    case .weight(let reference):
      var value = TokenValue(ValueType(.float32, reference.shape))
      value.constant = operand
      return value
    case .literal(let literal): return TokenValue(literal)
    }
  }

  private func input(_ name: String) -> TokenValue? {
    guard let input = graph.inputs.first(where: { $0.name == name }) else { return nil }
    var value = TokenValue(input.type, tokens: [1])
    if name == "attention_mask" {
      value.setChoice(MaskChoice(present: 1, absent: 0))
    } else {
      value.magnitudes = Magnitudes(0x1p31, shape: value.reducedShape)
      value.range = graph.rowsOfTables(of: name).min().flatMap { WholeRange(0, $0 - 1) }
    }
    return value
  }

  /// The graph for fewer tokens.
  ///
  /// - Parameter length: at most that of the proof.
  /// - Returns: nil if the graph reads places behind them.
  package func graph(length short: Int) throws(GraphError) -> ModelGraph? {
    guard (1...length).contains(short), steps.values.allSatisfy({ $0.shortest <= short }) else {
      return nil
    }
    var builder = GraphBuilder()
    for input in graph.inputs {
      _ = builder.input(input.name, ValueType(input.type.scalar, [1, short]))
    }
    var names = Set(graph.nodes.map(\.name)).union(graph.inputs.map(\.name))
    for node in graph.nodes {
      guard let step = steps[node.name] else { return nil }
      var operands = node.operation.operands.map(\.operand)
      for (number, axes) in step.cuts.sorted(by: { $0.key < $1.key }) {
        var name = "\(node.name)_first_tokens_\(number)"
        while !names.insert(name).inserted { name += "_" }
        operands[number] = try builder.cut(operands[number], along: axes, to: short, name)
      }
      let shape = step.value.shape(withTokens: short)
      let shortened = (node.operation as? any TokenFollowing)?.shortened(operands, shape: shape)
      _ = try builder.append(node.name, shortened ?? node.operation, precision: node.precision)
    }
    return try builder.finish(output: .value(graph.output))
  }
}

extension GraphBuilder {
  /// The first places of an operand along some axes.
  fileprivate mutating func cut(
    _ operand: Operand, along axes: Set<Int>, to count: Int, _ name: String
  ) throws(GraphError) -> Operand {
    guard let shape = type(of: operand)?.shape else { return operand }
    let end = shape.indices.map { axes.contains($0) ? count : shape[$0] }
    return try append(name, SliceByIndex(operand, begin: end.map { _ in 0 }, end: end))
  }
}
