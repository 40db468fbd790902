import StrictJSON

/// The features of a model's rows, in the order in which the model takes them.
public struct FeatureSchema: Hashable, Sendable {
  /// At least one, with distinct names.
  public let features: [Feature]
  /// Numbers of a row: a feature may take several.
  public let columnCount: Int

  /// Most numbers of a row.
  package static let columnLimit = 1 << 20
  /// Codes beyond it, 32-bit floats do not tell apart.
  static let codeLimit = 1 << 24

  /// Checks features.
  ///
  /// - Throws: `FeatureError` for a name that is empty or appears twice, and for what makes no sense.
  public init(_ features: [Feature]) throws(FeatureError) {
    guard !features.isEmpty else { throw .schema("a schema needs at least one feature") }
    var known: Set<String> = []
    var columns = 0
    for feature in features {
      guard !feature.name.isEmpty, known.insert(feature.name).inserted else {
        throw .feature(name: feature.name, fault: "has an empty name, or one that appears twice")
      }
      if let fault = feature.fault { throw .feature(name: feature.name, fault: fault) }
      columns += feature.columnCount
      guard columns <= Self.columnLimit else {
        throw .schema("a row has more than \(Self.columnLimit) numbers, the most that are read")
      }
    }
    self.features = features
    columnCount = columns
  }

  /// Whether both are the same, names byte for byte: characters that look alike are looked up as others.
  package func isExactly(_ other: FeatureSchema) -> Bool {
    self == other
      && zip(features, other.features).allSatisfy { ours, theirs in
        ours.texts.count == theirs.texts.count
          && zip(ours.texts, theirs.texts).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
      }
  }

  /// Whether the features have the names that a program's numbers get which says nothing of them: `feature 1`, …
  package var isUnnamed: Bool {
    self == FeatureSchema(names: features.indices.map { "feature \($0 + 1)" })
  }

  /// Numbers with these names, given as they are, none missing.
  ///
  /// - Parameter names: as a model has them; they are not checked.
  package init(names: [String]) {
    features = names.map { Feature($0) }
    columnCount = names.count
  }

  /// The names of the features, in their order.
  public var names: [String] { features.map(\.name) }

  /// Whether all are numbers, given as they are and never missing: the names say all.
  public var isPlain: Bool { features.allSatisfy(\.isPlain) }

  /// Names of the numbers of a row, in their order.
  public var columnNames: [String] { features.flatMap(\.columnNames) }

  /// What is wrong with a row of numbers as the model takes them; nil if it may be one.
  public func fault(ofRow row: [Double]) -> String? {
    guard row.count == columnCount else {
      return "has \(Figures.count(row.count, "number")), the model takes \(columnCount)"
    }
    var place = 0
    for feature in features {
      let columns = row[place..<place + feature.columnCount]
      place += feature.columnCount
      guard columns.allSatisfy({ Float($0).isFinite || $0.isNaN && feature.missing == .taken })
      else { return "has \(columns.map { "\($0)" }.joined(separator: ", ")) for '\(feature.name)'" }
    }
    return nil
  }
}

extension Feature {
  /// What makes no sense; nil if all does.
  fileprivate var fault: String? {
    if case .replaced(let value) = missing, !Float(value).isFinite {
      return "replaces a missing value by \(value), expected a finite number of 32 bits"
    }
    guard absent.allSatisfy(\.isFinite) else {
      return "has a number for missing that is not finite"
    }
    switch kind {
    case .number, .boolean: return nil
    case .cyclic(let period):
      guard period > 0, Float(period).isFinite else {
        return "has the period \(period), expected one above 0"
      }
      return missing == .taken ? "is encoded, so its missing values cannot be 'taken'" : nil
    case .category(let list): return absent.isEmpty ? fault(of: list) : "has numbers for missing"
    }
  }

  private func fault(of list: CategoryList) -> String? {
    var known: Set<ExactString> = []
    if let twice = list.names.first(where: { !known.insert(ExactString($0)).inserted }) {
      return "has the category \(quoted(twice)) twice"
    }
    if case .code(let code) = list.unknown, code.magnitude > FeatureSchema.codeLimit {
      return "has the code \(code) for unknown categories, at most \(FeatureSchema.codeLimit) is"
        + " told apart"
    }
    if list.unknown == .missing, missing == .refused {
      return "takes unknown categories as missing, and refuses missing values"
    }
    guard list.encoding == .oneHot else { return nil }
    if list.names.isEmpty { return "is one-hot and has no categories" }
    return missing == .taken ? "is encoded, so its missing values cannot be 'taken'" : nil
  }
}

extension Feature {
  /// Its name, and those of its categories.
  fileprivate var texts: [String] {
    if case .category(let list) = kind { [name] + list.names } else { [name] }
  }
}
