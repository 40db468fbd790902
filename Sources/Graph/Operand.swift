package import Weights

/// An input of an operation: an earlier value, a weight, or a literal.
package enum Operand: Hashable, Sendable {
  /// A graph input or the output of an earlier operation, by its name.
  case value(String)
  /// A weight, by reference; its numbers come from a `WeightSource` when the graph runs.
  case weight(WeightReference)
  /// Numbers that are part of the graph itself.
  case literal(Literal)
}

/// Small constants that belong to a graph rather than to its weights.
package enum Literal: Hashable, Sendable {
  case floats([Float], shape: [Int])
  case integers([Int32], shape: [Int])

  /// Hides a score or a missing number: below every value that a model computes in float32.
  /// Programs are written with −10000 instead, which float16 can hold.
  package static let hiding = Literal.float(-1e30)

  /// A float scalar.
  package static func float(_ value: Float) -> Literal { .floats([value], shape: []) }

  package var type: ValueType {
    switch self {
    case .floats(_, let shape): ValueType(.float32, shape)
    case .integers(_, let shape): ValueType(.int32, shape)
    }
  }
}

/// A weight as a graph uses it.
package struct WeightReference: Hashable, Sendable {
  /// Name of the tensor in the weight files.
  package let name: TensorName
  /// Shape the graph needs; the stored tensor may leave out leading axes of length 1.
  package let shape: [Int]
  package let role: WeightRole
  /// Whether floats that are stored for it have 32 bits in every format: what reads them has doubles.
  package let keepsFloats: Bool

  package init(
    _ name: TensorName, _ shape: [Int], role: WeightRole, keepsFloats: Bool = false
  ) {
    self.name = name
    self.shape = shape
    self.role = role
    self.keepsFloats = keepsFloats
  }

  package var elementCount: Int { shape.reduce(1, *) }
}

/// The use of a weight in its graph; decides how it is compressed.
package enum WeightRole: Hashable, Sendable {
  /// A matrix that multiplies; `outputAxis` is the axis of its output channels.
  case matrix(outputAxis: Int)
  /// One row per token, looked up by id: [vocabulary, width].
  case tokenTable
  /// One row per position or segment.
  case positionTable
  case bias
  /// Gain or shift of a normalisation.
  case norm
  /// Numbers that are never rounded: means and scales of input features, and the weights and places
  /// of tokens in a table.
  case statistic
  /// What the branches of decision trees compare features with. A rule of a recipe that names this role says
  /// how they are stored; nothing else compresses them.
  case threshold
  /// Numbers of the graph itself, such as the signs of two columns: a program holds them as constants
  /// of their own, and a graph that is read from it has them as weights.
  case number

  /// Whether a weight of this role is compressed; the others stay as they are.
  package var isCompressible: Bool {
    switch self {
    case .matrix, .tokenTable: true
    case .positionTable, .bias, .norm, .statistic, .threshold, .number: false
    }
  }

  /// Whether a rule of a recipe may say how weights of this role are stored.
  package var takesRules: Bool { isCompressible || self == .threshold }

  /// The axis along which channels have scales or palettes of their own.
  package var channelAxis: Int {
    if case .matrix(let axis) = self { axis } else { 0 }
  }

  /// The axis that a product sums over, or of a row's elements: the one after the channel axis if
  /// that is the first, else the one before it.
  package var inputAxis: Int { channelAxis == 0 ? 1 : channelAxis - 1 }

  /// A word for listings.
  package var label: String {
    switch self {
    case .matrix: "matrix"
    case .tokenTable: "token table"
    case .positionTable: "position table"
    case .bias: "bias"
    case .norm: "norm"
    case .statistic: "statistic"
    case .threshold: "threshold"
    case .number: "number"
    }
  }
}

/// Element types a value of a graph can have; a subset of MIL's.
package enum ScalarType: String, Hashable, Sendable {
  case float32 = "fp32"
  /// Features only, where trees compare all of their digits.
  case float64 = "fp64"
  case int32
  case bool
}

/// Element type and concrete shape of a value.
package struct ValueType: Hashable, Sendable, CustomStringConvertible {
  package let scalar: ScalarType
  /// Outermost axis first; empty for a scalar.
  package let shape: [Int]

  package init(_ scalar: ScalarType, _ shape: [Int]) {
    self.scalar = scalar
    self.shape = shape
  }

  /// Number of elements.
  package var elementCount: Int { shape.reduce(1, *) }

  /// Words of 32 bits that they take in memory; a bool takes one.
  package var wordCount: Int { scalar == .float64 ? 2 * elementCount : elementCount }

  package var description: String { "\(scalar.rawValue) \(shape)" }
}
