/// One feature of a model's rows: its name, what its values are, and how they become numbers.
public struct Feature: Hashable, Sendable {
  /// What the values of a feature are.
  public enum Kind: Hashable, Sendable {
    /// A number, as it is.
    case number
    /// True is 1, false is 0.
    case boolean
    /// One of several categories.
    case category(CategoryList)
    /// A number that goes round, such as an hour: the sine and the cosine of 2π × value ÷ period.
    case cyclic(period: Double)
  }

  /// What happens to a missing value.
  public enum Missing: Hashable, Sendable {
    /// It is an error.
    case refused
    /// The model takes it, as NaN.
    case taken
    /// This number takes its place; of a category the code.
    case replaced(by: Double)
  }

  /// As the model has it.
  public let name: String
  /// What its values are.
  public let kind: Kind
  /// What happens to a missing value.
  public let missing: Missing
  /// Numbers that mean a missing value, such as −999; ascending, none for categories.
  public let absent: [Double]

  /// A feature; `FeatureSchema` checks that it makes sense.
  public init(
    _ name: String, _ kind: Kind = .number, missing: Missing = .refused, absent: [Double] = []
  ) {
    (self.name, self.kind, self.missing, self.absent) = (name, kind, missing, absent.sorted())
  }

  /// Whether it is a number, given as it is and never missing.
  public var isPlain: Bool { self == Feature(name) }

  /// Numbers that it takes in a row.
  public var columnCount: Int {
    switch kind {
    case .number, .boolean: 1
    case .cyclic: 2
    case .category(let list): list.encoding == .oneHot ? list.names.count : 1
    }
  }

  /// Names of its numbers in a row: its own, or `network=wifi`, `hour sine`.
  public var columnNames: [String] {
    switch kind {
    case .number, .boolean: [name]
    case .cyclic: ["\(name) sine", "\(name) cosine"]
    case .category(let list):
      list.encoding == .oneHot ? list.names.map { "\(name)=\($0)" } : [name]
    }
  }
}

/// The categories of a feature, and how they become numbers.
public struct CategoryList: Hashable, Sendable {
  /// What a category that is not in the list is.
  public enum Unknown: Hashable, Sendable {
    /// A missing value.
    case missing
    /// An error.
    case refused
    /// This code; of one-hot columns all are 0 where no category has it.
    case code(Int)
  }

  /// How a category becomes numbers.
  public enum Encoding: String, Hashable, Sendable {
    /// One number: the code.
    case ordinal
    /// A number for each category, 1 for the one it is.
    case oneHot = "one-hot"
  }

  /// In the order of their codes 0, 1, …; whole numbers in digits. Empty where values are the codes
  /// themselves.
  public let names: [String]
  /// What others are.
  public let unknown: Unknown
  /// How they become numbers.
  public let encoding: Encoding

  /// A list of categories; `FeatureSchema` checks that it makes sense.
  public init(_ names: [String], unknown: Unknown = .refused, encoding: Encoding = .ordinal) {
    (self.names, self.unknown, self.encoding) = (names, unknown, encoding)
  }
}
