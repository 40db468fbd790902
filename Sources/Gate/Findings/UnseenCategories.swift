import Graph
import IngotFeatures
import Inputs
import StrictJSON

/// Categories of a feature that no reference has.
package struct UnseenCategories: Equatable, Sendable {
  /// The feature.
  package let name: String
  package let count: Int
  /// Categories that the feature has.
  package let all: Int
  /// The first of them, in the order of the model.
  package let first: [String]

  /// Names in a warning, at most.
  private static let maxNamed = 3

  /// The fact as a sentence.
  var sentence: String {
    let names = first.map { quoted($0) }
    let named =
      count <= names.count
      ? Figures.list(words: names) : names.joined(separator: ", ") + ", …"
    return "no reference has \(count) of \(all) \(all == 1 ? "category" : "categories") of feature "
      + "\(quoted(name)) (\(named)): what the model makes of \(count == 1 ? "it" : "them") was not judged"
  }

  var members: FindingMembers {
    [
      "feature": .string(name), "count": .integer(count), "categories": .integer(all),
      "first": .array(first.map(JSONValue.string)),
    ]
  }

  /// One for each feature whose values are named categories, in their order; none where references have all.
  static func all(of slot: EncoderSlot, _ references: ReferenceSet) -> [UnseenCategories] {
    guard case .features(let schema) = (slot.baseline ?? slot.candidate)?.architecture.input else {
      return []
    }
    let rows = slot.inputs.compactMap { number -> [Double]? in
      guard case .values(let row) = references.inputs[number],
        row.count == schema.features.count || row.count == schema.columnCount
      else { return nil }
      return row
    }
    // A code for each feature, or the numbers that the model makes of them.
    let areCodes = rows.allSatisfy { $0.count == schema.features.count }
    guard areCodes || rows.allSatisfy({ $0.count == schema.columnCount }) else { return [] }
    var found: [UnseenCategories] = []
    var column = 0
    for feature in schema.features {
      defer { column += areCodes ? 1 : feature.columnCount }
      guard !rows.isEmpty, case .category(let list) = feature.kind, !list.names.isEmpty else {
        continue
      }
      let isSeen = seen(list, areCodes ? .ordinal : list.encoding, rows, column)
      let unseen = list.names.indices.filter { !isSeen[$0] }
      guard !unseen.isEmpty else { continue }
      found.append(
        UnseenCategories(
          name: feature.name, count: unseen.count, all: list.names.count,
          first: unseen.prefix(maxNamed).map { list.names[$0] }))
    }
    return found
  }

  /// Of each category whether a row has it.
  ///
  /// - Parameter column: the first number of the feature in a row.
  private static func seen(
    _ list: CategoryList, _ encoding: CategoryList.Encoding, _ rows: [[Double]], _ column: Int
  ) -> [Bool] {
    var isSeen = [Bool](repeating: false, count: list.names.count)
    for row in rows {
      switch encoding {
      case .oneHot:
        for place in isSeen.indices where row[column + place] != 0 { isSeen[place] = true }
      case .ordinal:
        guard let code = Int(exactly: row[column]), isSeen.indices.contains(code) else { continue }
        isSeen[code] = true
      }
    }
    return isSeen
  }
}
