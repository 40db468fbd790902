package import Graph

/// Inputs whose values the columns of a table may name.
package protocol FeatureNaming {
  /// The file, for messages.
  var origin: String { get }
  /// Names of the values of every input, in their order; nil if unnamed.
  var features: [String]? { get }
  /// The same inputs with other values, under other names.
  func replacing(_ values: ([Double]) -> [Double], features: [String]) -> Self
}

extension FeatureNaming {
  /// The same inputs with their values in the order that a model takes them in.
  ///
  /// - Throws: `EvaluationError.otherColumns` when the columns are not the model's features.
  package func arranged(for input: ModelInput) throws(EvaluationError) -> Self {
    guard let features, case .features(let names) = input, features != names else { return self }
    let place = Dictionary(features.enumerated().map { ($1, $0) }) { first, _ in first }
    let places = names.compactMap { place[$0] }
    guard places.count == names.count, features.count == names.count else {
      throw .otherColumns(origin: origin, columns: features, features: names)
    }
    return replacing({ values in places.map { values[$0] } }, features: names)
  }
}

extension [Input] {
  /// The inputs with their values replaced; inputs other than values stay as they are.
  package func replacing(_ values: ([Double]) -> [Double]) -> [Input] {
    map { input in
      if case .values(let old) = input { .values(values(old)) } else { input }
    }
  }
}
