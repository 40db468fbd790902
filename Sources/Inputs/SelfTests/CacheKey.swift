import Graph
import StrictJSON
package import Weights

extension Model {
  /// Names what the model gives: two models have one key if they compute the same of the same inputs, so that
  /// the embeddings that one gave may be compared with those of the other.
  ///
  /// The key is a digest of the operations and their parameters, of the numbers of every weight as the model
  /// runs them, in the order of their use, of what prepares its inputs, and of the classes of its
  /// outputs. The names of values and weights, descriptions and how weights are stored do not count. Other roundings of the same weights have another key:
  /// they give other embeddings, if only by a little.
  ///
  /// - Parameter preparation: what prepares the inputs, as bytes that are the same where it is the same.
  /// - Throws: errors of the graph and of reading weights.
  package func cacheKey(preparation: [UInt8]) throws -> ContentDigest {
    let graph = try architecture.longestGraph()
    var numbers = DigestStream()
    for reference in graph.weights {
      let floats = try weights.floats(of: reference.name)
      numbers.update(floats)
    }
    let facts: JSONValue = [
      "cacheKey": 1, "graph": .array(graph.lines.map(JSONValue.string)),
      "labels": .array(architecture.output.labels.map(JSONValue.string)),
      "preparation": .string(ContentDigest(of: preparation).hex),
      "weights": .string(numbers.finish().hex),
    ]
    return ContentDigest(of: Array(facts.compact.utf8))
  }
}

extension Architecture {
  /// The graph for one input of the greatest length, which shows all that depends on places: angles
  /// of rotary positions, windows, distances. A model takes texts beyond `mostPlaces` tokens in the
  /// same way as up to there.
  fileprivate func longestGraph() throws(GraphError) -> ModelGraph {
    let mostPlaces = 8192
    let length =
      switch (shapes, input) {
      case (.single(let lengths), _): lengths.last ?? 1
      case (.any, .tokens(let maximum, _)): min(maximum, mostPlaces)
      case (.any, _): 1
      }
    return try graph(batch: 1, length: max(length, minTokens))
  }
}

extension ModelOutput {
  /// The classes that numbers are of, in their order; none for others.
  fileprivate var labels: [String] {
    switch self {
    case .classes(let labels, _, _), .tokenClasses(let labels, _): labels.words
    case .embedding, .numbers: []
    }
  }
}

extension ModelGraph {
  /// Its operations as text: values and weights by their numbers, in the order of their use.
  fileprivate var lines: [String] {
    var values: [String: Int] = [:]
    for (place, input) in inputs.enumerated() { values[input.name] = place }
    var weightNumbers: [TensorName: Int] = [:]
    for (place, weight) in weights.enumerated() { weightNumbers[weight.name] = place }
    func text(_ operand: Operand) -> String {
      switch operand {
      case .value(let name): "v\(values[name] ?? -1)"
      case .weight(let reference): "w\(weightNumbers[reference.name] ?? -1)\(reference.shape)"
      case .literal(let literal): literal.line
      }
    }
    var lines = inputs.map { "\($0.name) \($0.type)" }
    for node in nodes {
      let operands = node.operation.operands.map { "\($0.parameter)=\(text($0.operand))" }
      let parameters = node.operation.parameters.map { "\($0.name)=\($0.text)" }
      lines.append(
        "\(node.operation.milName)(\((operands + parameters).joined(separator: ", "))) \(node.type)"
      )
      values[node.name] = values.count
    }
    return lines + ["v\(values[output] ?? -1)"]
  }
}

extension Literal {
  /// A digest of its numbers, which may be many: one for each place and number of a head.
  fileprivate var line: String {
    var digest = DigestStream()
    switch self {
    case .floats(let numbers, _): digest.update(numbers)
    case .integers(let numbers, _): digest.update(numbers)
    }
    return "\(digest.finish().hex)\(type)"
  }
}

extension Operation {
  /// Everything of it that is no operand, by the names that it gives them.
  fileprivate var parameters: [(name: String, text: String)] {
    Mirror(reflecting: self).children.compactMap { child in
      guard let name = child.label, !(child.value is Operand), !(child.value is Operand?),
        !(child.value is [Operand])
      else { return nil }
      if let number = child.value as? Float { return (name, "\(number.bitPattern)") }
      return (name, "\(child.value)")
    }
  }
}
