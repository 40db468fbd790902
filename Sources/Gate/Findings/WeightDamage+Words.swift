package import StrictJSON

/// What can be wrong with a candidate, in one word for programs. `specs/formats/explanation.md` lists
/// them; existing words never change.
package enum DamageKind: String, CaseIterable, Sendable {
  case scaled, negated, transposed, permuted, shuffled, saturated, zeroed
  case notFinite = "not-finite"
  /// Small errors everywhere, as fewer bits make them.
  case rounding
  /// Some rows are other numbers.
  case rows
  /// Other numbers, in no way that is known.
  case other
  case tokenizer, preprocessing
  /// The program does something else than the baseline's.
  case program
}

extension WeightDamage {
  /// The kind in one word.
  package var kind: DamageKind {
    switch self {
    case .pattern(let pattern): pattern.kind
    case .rounding: .rounding
    case .other: .other
    }
  }

  /// The damage as words that follow the weight's name.
  package var text: String {
    switch self {
    case .pattern(let pattern): pattern.text
    case .rounding: "plain rounding"
    case .other: "its values are others than the baseline's"
    }
  }
}

extension DamageCount {
  /// `plain rounding of 24 weights`, `2 weights zeroed`.
  var words: String {
    let weights = Figures.count(count, "weight")
    return switch kind {
    case .rounding: "plain rounding of \(weights)"
    case .other: "\(weights) with other values"
    case .scaled, .negated, .transposed, .permuted, .shuffled, .saturated, .zeroed, .notFinite,
      .rows, .tokenizer, .preprocessing, .program:
      "\(weights) \(kind.rawValue)"
    }
  }

  /// `kind` and `count`.
  var json: JSONValue { ["kind": .string(kind.rawValue), "count": .integer(count)] }
}

extension WeightPattern {
  /// The kind in one word.
  package var kind: DamageKind {
    switch self {
    case .scaled, .scaledLines: .scaled
    case .negated: .negated
    case .transposed: .transposed
    case .permuted: .permuted
    case .shuffled: .shuffled
    case .saturated: .saturated
    case .zeroed: .zeroed
    }
  }

  /// The pattern as words that follow the weight's name.
  package var text: String {
    switch self {
    case .scaled(let factor):
      "its values are \(Figures.text(factor, decimals: 3)) times the baseline's"
    case .scaledLines(let part, let factor):
      "\(part.words) scaled\(part.firstWords): "
        + "\(Figures.text(factor, decimals: 3)) times the baseline's"
    case .negated(let part): "\(part.words) negated\(part.firstWords)"
    case .transposed: "it is transposed"
    case .permuted(let axis, let row, let source):
      "its \(line(axis))s are permuted: \(line(axis)) \(row) is the baseline's \(line(axis)) \(source)"
    case .shuffled(let axis, let row, let source):
      "its \(line(axis))s are in another order: \(line(axis)) \(row) is the baseline's "
        + "\(line(axis)) \(source)"
    case .saturated(let part, let limit, let largest):
      "\(part.words) clipped at \(Figures.significant(limit)), the baseline's reach "
        + Figures.significant(largest)
    case .zeroed(let part): "\(part.words) zero, the baseline's are not\(part.firstWords)"
    }
  }

  private func line(_ axis: Int) -> String { DamagedPart.Unit(axis: axis).rawValue }

  /// `kind`, and its figures.
  package var json: JSONValue { .object(figures.merging(["kind": .string(kind.rawValue)]) { $1 }) }

  private var figures: [String: JSONValue] {
    switch self {
    case .scaled(let factor): ["factor": .double(factor)]
    case .scaledLines(let part, let factor):
      part.members.merging(["factor": .double(factor)]) { $1 }
    case .negated(let part), .zeroed(let part): part.members
    case .transposed: [:]
    case .permuted(let axis, let row, let source), .shuffled(let axis, let row, let source):
      ["axis": .integer(axis), "index": .integer(row), "source": .integer(source)]
    case .saturated(let part, let limit, let largest):
      part.members.merging(["limit": .double(limit), "largest": .double(largest)]) { $1 }
    }
  }
}

extension DamagedPart {
  /// `all its values are` or `3 of its 384 rows are`.
  fileprivate var words: String {
    if count == all { return "all its \(unit.rawValue)s are" }
    return "\(count) of its \(all) \(unit.rawValue)s \(count == 1 ? "is" : "are")"
  }

  /// `, the first row 17`; empty of all, and of single values.
  fileprivate var firstWords: String {
    unit == .value || count == all ? "" : ", the first \(unit.rawValue) \(first)"
  }

  fileprivate var members: [String: JSONValue] {
    [
      "unit": .string(unit.rawValue), "count": .integer(count), "of": .integer(all),
      "first": .integer(first),
    ]
  }
}
