import StrictJSON

/// The outcomes of a family's members by number, for people: there may be thousands.
struct FamilyTally {
  let name: String
  private var passed = 0
  /// Those among the passed that the store had.
  private var recalled = 0
  private var refused = 0
  private var unusable = 0
  private var hasBegun = false
  /// What was doubtful, by its text, each with its first member and their number.
  private var warnings: [String: (first: String, count: Int)] = [:]
  private var order: [String] = []

  /// Most different warnings that are told of one family.
  private static let warningLimit = 5

  init(_ name: String) { self.name = name }

  /// Counts a member.
  mutating func add(_ model: BuildReport.Model) {
    switch model.verdict {
    case .passed:
      passed += 1
      if model.isCached { recalled += 1 }
    case .refused: refused += 1
    case .unusable: unusable += 1
    }
  }

  /// Whether work on a member begins for the first time.
  mutating func begin() -> Bool {
    defer { hasBegun = true }
    return !hasBegun
  }

  /// Notes what is doubtful of a member.
  mutating func warn(_ member: String, _ text: String) {
    if warnings[text] == nil { order.append(text) }
    warnings[text, default: (member, 0)].count += 1
  }

  /// `1998 passed (3 from the store), 1 refused, 1 cannot be used`.
  var words: String {
    let stored = recalled > 0 ? " (\(recalled) from the store)" : ""
    return "\(passed) passed\(stored)" + (refused > 0 ? ", \(refused) refused" : "")
      + (unusable > 0 ? ", \(unusable) cannot be used" : "")
  }

  /// A line for each different warning.
  var warningLines: [String] {
    let lines = order.prefix(FamilyTally.warningLimit).compactMap { text in
      warnings[text].map { first, count in
        count == 1
          ? "\(first): \(text)" : "\(first) and \(count - 1) more of '\(name)': \(text)"
      }
    }
    let others = order.dropFirst(FamilyTally.warningLimit).reduce(0) {
      $0 + (warnings[$1]?.count ?? 0)
    }
    guard others > 0 else { return lines }
    return lines + ["\(name): \(Figures.count(others, "further warning")), see the receipts"]
  }
}

extension BuildReport {
  /// A line for each family: how many of its members passed.
  package var familyLines: [String] {
    var order: [String] = []
    var tallies: [String: FamilyTally] = [:]
    for model in models {
      guard let family = model.family else { continue }
      if tallies[family] == nil { order.append(family) }
      tallies[family, default: FamilyTally(family)].add(model)
    }
    return order.compactMap { name in tallies[name].map { "\(name): \($0.words)" } }
  }
}
