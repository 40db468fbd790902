import IngotFeatures
import StrictJSON
import Trees

/// Categories that branches of trees ask for, as people know them: by their names, or by their codes where a model has
/// no names.
struct CategoryWords {
  /// Of each number of a row the names of its categories; empty where codes are all there is.
  private let names: [[String]]

  init(_ schema: FeatureSchema) {
    names = schema.features.flatMap { feature -> [[String]] in
      guard case .category(let list) = feature.kind, feature.columnCount == 1 else {
        return Array(repeating: [], count: feature.columnCount)
      }
      return [list.names]
    }
  }

  /// Nothing is known of features.
  init() { names = [] }

  /// The categories with these codes, in their order: `'wifi'`, or `3`.
  ///
  /// - Parameter feature: its place in a row.
  func words(_ codes: [Int], of feature: Int) -> [String] {
    let names = names.indices.contains(feature) ? names[feature] : []
    return codes.map { names.indices.contains($0) ? quoted(names[$0]) : "\($0)" }
  }
}

extension TreeEnsemble.CategorySet {
  /// Its categories, ascending.
  var codes: [Int] {
    words.enumerated().flatMap { place, word in
      (0..<64).compactMap { word >> UInt64($0) & 1 == 1 ? place * 64 + $0 : nil }
    }
  }

  /// Categories that one of two sets has, ascending.
  func codes(unlike other: TreeEnsemble.CategorySet) -> [Int] {
    Set(codes).symmetricDifference(other.codes).sorted()
  }
}
