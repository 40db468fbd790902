import Graph

/// Which lengths of a graph's values follow the length of the input.
///
/// Found by comparing the graphs of two lengths, so that nothing is assumed about the architecture.
struct FlexibleShapes {
  private let shapes: [String: [Int?]]

  /// - Parameters:
  ///   - graph: for the longest input.
  ///   - other: the same graph for another length; nil when there is one length only.
  init(_ graph: ModelGraph, comparedWith other: ModelGraph?) {
    var shapes: [String: [Int?]] = [:]
    let values = graph.inputs.map { ($0.name, $0.type) } + graph.nodes.map { ($0.name, $0.type) }
    let others =
      other.map { other in
        other.inputs.map(\.type) + other.nodes.map(\.type)
      } ?? values.map(\.1)
    for ((name, type), otherType) in zip(values, others) {
      shapes[name] = zip(type.shape, otherType.shape).map { $0 == $1 ? $0 : nil }
    }
    self.shapes = shapes
  }

  /// Shape of a value; nil if the length is the caller's choice.
  func shape(of value: String) -> [Int?] { shapes[value] ?? [] }
}
