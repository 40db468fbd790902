/// What a step does. Rows are single: of values `[rows, columns]` there is one row.
package enum TabularOperation: Equatable, Sendable {
  /// Trees; of classes the label comes first, then the scores.
  case trees(TabularTrees)
  /// A linear model; of classes the label comes first, then the scores.
  case linear(TabularLinear)
  /// (x − offset) · scale; one of each, or one of each column.
  case scaler(offset: [Float], scale: [Float])
  case normalizer(Norm)
  case imputer(TabularImputer)
  /// A 1 for the category that x is, an axis more.
  case oneHot(TreeLabels, allowsUnknown: Bool)
  case labelMap(TabularLabelMap)
  /// Columns of the first input by the places in the second.
  case pick
  /// Columns of all inputs, as floats.
  case vectorizer(widths: [Int])
  /// Gives the columns names of classes.
  case nameClasses(TreeLabels)

  case cast(TabularType)
  case concat(axis: Int)
  /// To the shape in the second input.
  case reshape(keepsZero: Bool)
  case matrixProduct
  /// alpha · A · B + beta · C.
  case affine(TabularAffine)
  case unary(Unary)
  case binary(Binary)
  /// All inputs, from the first to the last.
  case fold(Fold)
  /// The second input where the first holds, else the third.
  case choose
  /// Over an axis; of files before version 13 over all from the axis on.
  case softmax(axis: Int, coversRest: Bool)
  case place(TabularPlace)
  case reduce(TabularReduction)
  /// To a range, of numbers or of the second and third input.
  case clip(low: Float?, high: Float?)
  /// Parts of an axis by the places in the second input.
  case gather(axis: Int)
  /// Starts, ends, axes and steps in the inputs.
  case slice
  case transpose([Int]?)
  /// Axes here or in the second input; without any all of length 1.
  case squeeze([Int]?)
  case unsqueeze([Int]?)
  case flatten(axis: Int)
  case shape
  /// The value in a shape that is the input.
  case fill(TabularColumn)

  package enum Norm: String, Sendable {
    case largest = "MAX"
    case absolute = "L1"
    case euclidean = "L2"
  }

  package enum Unary: String, Sendable {
    case same = "Identity"
    case relu = "Relu"
    case sigmoid = "Sigmoid"
    case tanh = "Tanh"
    case exponential = "Exp"
    case logarithm = "Log"
    case squareRoot = "Sqrt"
    case negative = "Neg"
    case absolute = "Abs"
    case reciprocal = "Reciprocal"
    case floor = "Floor"
    case sign = "Sign"
    case isMissing = "IsNaN"
    case not = "Not"
  }

  package enum Binary: String, Sendable {
    case add = "Add"
    case subtract = "Sub"
    case multiply = "Mul"
    case divide = "Div"
    case power = "Pow"
    case equal = "Equal"
    case less = "Less"
    case lessOrEqual = "LessOrEqual"
    case greater = "Greater"
    case greaterOrEqual = "GreaterOrEqual"
    case and = "And"
    case or = "Or"
  }

  package enum Fold: String, Sendable {
    case sum = "Sum"
    case mean = "Mean"
    case largest = "Max"
    case smallest = "Min"
  }
}

/// The replacement of one value, as missing ones are marked with.
package enum TabularImputer: Equatable, Sendable {
  /// One value, or one of each column. NaN is replaced where `replaced` is NaN.
  case floats([Float], replaced: Float)
  case integers([Int64], replaced: Int64)
}

/// From keys to values, one each; `other` for what is no key.
package struct TabularLabelMap: Equatable, Sendable {
  package let keys: TabularColumn.Elements
  package let values: TabularColumn.Elements
  /// One element, of the type of the values.
  package let other: TabularColumn.Elements
}

/// alpha · A · B + beta · C, in the precision of the inputs.
package struct TabularAffine: Equatable, Sendable {
  package let alpha: Float
  package let beta: Float
  package let transposesLeft: Bool
  package let transposesRight: Bool
}

/// The place of the largest or the smallest number of an axis.
package struct TabularPlace: Equatable, Sendable {
  package let axis: Int
  package let keepsAxis: Bool
  package let isLargest: Bool
  /// Of equal numbers the last one; else the first.
  package let takesLast: Bool
}

/// A number for each axis that goes.
package struct TabularReduction: Equatable, Sendable {
  package let kind: Kind
  /// nil where they are in the second input, or are all.
  package let axes: [Int]?
  package let keepsAxes: Bool
  /// Without axes the input stays as it is.
  package let keepsWithoutAxes: Bool

  package enum Kind: String, Sendable {
    case sum = "ReduceSum"
    case mean = "ReduceMean"
    case product = "ReduceProd"
    case largest = "ReduceMax"
    case smallest = "ReduceMin"
  }
}

/// What trees and linear models do with the scores of a row.
package enum LeafTransform: String, Sendable {
  case none = "NONE"
  case logistic = "LOGISTIC"
  case softmax = "SOFTMAX"
  /// As softmax, but zeros stay zero.
  case softmaxZero = "SOFTMAX_ZERO"
}

/// Sums over the columns of a row: of each output its coefficients, [outputs, columns].
package struct TabularLinear: Equatable, Sendable {
  package let coefficients: [Float]
  /// One of each output.
  package let intercepts: [Float]
  /// nil of a regression.
  package let labels: TreeLabels?
  package let transform: LeafTransform

  /// Whether of two outputs one is the other below zero.
  var areOpposite: Bool {
    let depth = coefficients.count / max(1, intercepts.count)
    return intercepts.count == 2 && intercepts[0] == -intercepts[1]
      && (0..<depth).allSatisfy { coefficients[$0] == -coefficients[depth + $0] }
  }
}
