package import Graph
package import Weights

/// The facts of a tensor that are known before its values are read.
package struct DiagnosedTensor: Hashable, Sendable {
  /// The use of a tensor.
  package enum Use: Hashable, Sendable {
    /// A graph uses it.
    case weight(WeightRole)
    /// No graph uses it; the words describe it.
    case unused(String)
    /// Only the tensor is known, without a graph.
    case unknown
    /// It is stored in a compressed model.
    case stored
  }

  package let name: TensorName
  /// As the graph needs it, if one uses the tensor.
  package let shape: [Int]
  package let use: Use
  /// The stored type's name.
  package let type: String
  /// Whether the stored type has whole numbers or truth values only.
  package let isInteger: Bool
  /// Whether it is an array of trees, whose whole numbers are no wonder.
  package let isOfTrees: Bool

  package init(
    _ name: TensorName, _ shape: [Int], _ use: Use, type: String, isInteger: Bool,
    isOfTrees: Bool = false
  ) {
    self.name = name
    self.shape = shape
    self.use = use
    self.type = type
    self.isInteger = isInteger
    self.isOfTrees = isOfTrees
  }

  /// Whether a graph uses it.
  package var isUsed: Bool { if case .weight = use { true } else { false } }

  /// Statistics of the values, as thorough as the use asks for.
  ///
  /// - Parameter values: row-major, as many as the shape says.
  package func statistics(of values: [Float]) -> TensorStatistics {
    TensorStatistics(values, shape: shape, axes: axes)
  }

  /// The same of values that come piece by piece.
  ///
  /// - Parameter elementCount: number of values to come.
  package func scan(elementCount: Int) -> StatisticsScan {
    StatisticsScan(elementCount: elementCount, shape: shape, axes: axes)
  }

  /// Bytes that such a scan needs in addition to the pieces.
  package func scanByteCount(elementCount: Int) -> Int {
    StatisticsScan.byteCount(elementCount: elementCount, shape: shape, axes: axes)
  }

  /// The axes of channels and inputs, of weights that are compressed.
  private var axes: (channels: Int, inputs: Int)? {
    guard mayBeCompressed, shape.count > 1 else { return nil }
    guard case .weight(let role) = use else { return (0, 1) }
    return (role.channelAxis, role.inputAxis)
  }

  /// Whether compression may change it: matrices, tables of tokens, and tensors that may be either.
  var mayBeCompressed: Bool {
    switch use {
    case .weight(let role): role.isCompressible
    case .unknown: shape.count > 1 && !isInteger
    case .unused, .stored: false
    }
  }

  /// Whether a format that rounds floats stores it in float16.
  var mayBecomeFloat16: Bool {
    switch use {
    case .weight(let role): ![.statistic, .threshold].contains(role)
    case .unknown: !isInteger
    case .unused, .stored: false
    }
  }

  /// A word for its channels.
  var channelWord: String {
    switch use {
    case .weight(.matrix): "output channels"
    case .weight, .unknown, .unused, .stored: "rows"
    }
  }

  /// A word for places of its input axis.
  var inputWord: String {
    switch use {
    case .weight(.matrix): "input channels"
    case .weight, .unknown, .unused, .stored: "columns"
    }
  }
}
