import Graph

/// An operation of the graph that a program can hold: how it is written, and how it is read back.
///
/// A new operation is one file in `Operations/` with this conformance, and its type in
/// `CoreMLOperations.all`.
protocol CoreMLOperation: Operation {
  /// MIL's names for it.
  static var milNames: [String] { get }
  /// In which precision it computes.
  var precision: PrecisionRule { get }
  /// Parameters beside its operands, as constants.
  ///
  /// - Parameters:
  ///   - shape: of its output; nil lengths are chosen by the caller of the model.
  ///   - target: which opset names the parameters.
  func parameters(_ shape: [Int?], _ target: DeploymentTarget) -> [OperationParameter]
  /// Appends it to a program. There is a way that suits most: operands and parameters by MIL's names.
  func write(_ node: ModelGraph.Node, to program: inout ProgramWriter) throws
  /// Reads one operation of a program.
  static func read(_ source: OperationReader) throws -> ReadResult
}

extension CoreMLOperation {
  var precision: PrecisionRule { .half }

  func parameters(_ shape: [Int?], _ target: DeploymentTarget) -> [OperationParameter] { [] }

  func write(_ node: ModelGraph.Node, to program: inout ProgramWriter) throws {
    try program.append(self, node)
  }
}

/// Every operation that is written and read.
enum CoreMLOperations {
  static let all: [any CoreMLOperation.Type] = [
    Cast.self, Clip.self, Comparison.self, Concat.self, Conv.self, CumulativeSum.self,
    ElementwiseBinary.self, ElementwiseUnary.self, ExpandDims.self, Gather.self, Gelu.self,
    LayerNorm.self, Linear.self,
    Matmul.self, Reduce.self, Reshape.self, ScaledDotProductAttention.self, Select.self,
    SliceByIndex.self, Softmax.self, Tile.self, Transpose.self,
  ]

  /// The operation that MIL calls so.
  static let byName: [String: any CoreMLOperation.Type] = Dictionary(
    all.flatMap { type in type.milNames.map { ($0, type) } }
  ) { first, _ in first }
}

/// In which precision an operation computes on a device.
enum PrecisionRule: Equatable {
  /// float16.
  case half
  /// float32: sums of squares overflow, and tiny bounds vanish in float16.
  case full
  /// float32 where an operand is, else float16.
  case inherited
}

/// A constant parameter of an operation.
struct OperationParameter {
  enum Content: Hashable {
    case bool(Bool)
    case bools([Bool])
    case int(Int)
    case ints([Int])
    case string(String)
    /// In the precision the operation computes in.
    case float(Float)
  }

  let name: String
  let content: Content

  init(_ name: String, _ content: Content) {
    self.name = name
    self.content = content
  }
}
