/// One step of a model over named features. All values are numbers of 32 bits, [rows, width].
package struct TableStep: Equatable, Sendable {
  /// Letters, digits and `_`; no two steps have the same.
  package let name: String
  package let kind: Kind
  /// As many as the kind takes.
  package let inputs: [Operand]
  /// Of `columns`: which columns of the input, in which order.
  package let places: [Int]
  /// Of what looks at a whole row: how many columns belong together; nil for all of them.
  package let group: Int?
  /// Of `trees`: how their sums are made.
  package let sums: Sums?
  /// The operator and the node of a library's file that it was made of; nil where nothing is known.
  package let node: String?

  /// What a step reads.
  package enum Operand: Equatable, Hashable, Sendable {
    /// The features, or what an earlier step made.
    case value(String)
    /// An array of the model, by its name: a row of numbers, or the matrix of `linear`.
    case array(String)
  }

  /// How leaves are added up.
  package struct Sums: Equatable, Sendable {
    /// Outputs of the trees.
    package let count: Int
    /// What sums are divided by.
    package let divisor: Double
    /// Whether leaves are added in 32 bits.
    package let addsFloats: Bool

    package init(count: Int, divisor: Double, addsFloats: Bool) {
      (self.count, self.divisor, self.addsFloats) = (count, divisor, addsFloats)
    }
  }

  package init(
    _ name: String, _ kind: Kind, _ inputs: [Operand], places: [Int] = [], group: Int? = nil,
    sums: Sums? = nil, node: String? = nil
  ) {
    (self.name, self.kind, self.inputs) = (name, kind, inputs)
    (self.places, self.group, self.sums, self.node) = (places, group, sums, node)
  }

  /// What a step computes. Two widths go together where they are equal or one of them is 1.
  package enum Kind: String, CaseIterable, Sendable {
    /// Columns of the input by their places.
    case columns
    /// The columns of all inputs.
    case join
    /// A row of numbers, the same for every row of the features.
    case numbers
    /// x · weightᵀ + bias: weight [outputs, columns], bias [outputs], which may be left out.
    case linear
    /// The sums of the leaves of trees, whose arrays begin with the name of the step.
    case trees

    case add, subtract, multiply, divide
    /// The larger of two.
    case larger
    /// 1 where it holds, else 0.
    case equal, less
    case atLeast = "at-least"
    /// The second where the first is not 0, else the third.
    case choose
    /// 1 for each number of the array that a column is: [rows, columns · numbers].
    case matches

    case relu, sigmoid, tanh, exponential
    case squareRoot = "square-root"
    /// Without the fraction.
    case truncate

    /// One number for each group of columns.
    case sum, mean, largest
    /// The place of the largest of a group, from 0; of equal ones the first.
    case place
    /// Of each group.
    case softmax
    /// A row over the sum of its magnitudes.
    case l1
    /// A row over the root of the sum of its squares.
    case l2

    /// How many inputs it takes.
    package var inputCounts: ClosedRange<Int> {
      switch self {
      case .columns, .numbers, .trees, .relu, .sigmoid, .tanh, .exponential, .squareRoot,
        .truncate, .sum, .mean, .largest, .place, .softmax, .l1, .l2:
        1...1
      case .join: 1...TableProgram.stepLimit
      case .linear: 2...3
      case .add, .subtract, .multiply, .divide, .larger, .equal, .less, .atLeast, .matches: 2...2
      case .choose: 3...3
      }
    }

    /// Whether it may have a group.
    package var hasGroups: Bool {
      [.sum, .mean, .largest, .place, .softmax].contains(self)
    }
  }
}
