import Files
import StrictJSON

extension SourceHint {
  /// `id`, `sentence`, and the figures of the cause.
  func json(_ name: UserOption.Names) -> JSONValue {
    .object(
      members.merging(["id": .string(id.rawValue), "sentence": .string(sentence(name))]) { $1 })
  }

  /// Identifies a cause to programs, in one word. `specs/formats/source-check.md` has a row for each;
  /// existing words never change.
  enum ID: String, CaseIterable {
    case order = "other-order"
    case lengths
    case longTexts = "long-texts"
    case letters
    case someRows = "some-rows"
    case halfPrecision = "half-precision"
    case everyRow = "every-row"
    case activation = "missing-activation"
    case otherLabel = "other-label"
    case otherColumn = "other-column"
    case line = "other-scale"
    case sums = "other-sums"
    case features
  }

  var id: ID {
    switch self {
    case .order: .order
    case .lengths: .lengths
    case .longTexts: .longTexts
    case .letters: .letters
    case .someRows: .someRows
    case .halfPrecision: .halfPrecision
    case .everyRow: .everyRow
    case .outputs(.activation): .activation
    case .outputs(.otherLabel): .otherLabel
    case .outputs(.otherColumn): .otherColumn
    case .outputs(.line): .line
    case .sums: .sums
    case .features: .features
    }
  }

  private var members: FindingMembers {
    switch self {
    case .order(let row, let line): ["row": .integer(row), "line": .integer(line)]
    case .lengths(let lengths): lengths.members
    case .longTexts(let tokens, let limit):
      ["tokens": .integer(tokens), "limit": .integer(limit)]
    case .letters(let kind): ["letters": .string(kind.rawValue)]
    case .everyRow(let ofTexts): ["texts": .bool(ofTexts)]
    case .outputs(let hint): hint.members
    case .sums(let steps, let areExact): ["steps": .integer(steps), "exact": .bool(areExact)]
    case .someRows, .halfPrecision, .features: [:]
    }
  }
}

extension VectorLengths {
  /// `normalised` is the side whose vectors have length 1, or null beside the first lengths.
  fileprivate var members: FindingMembers {
    switch self {
    case .givenAreUnit: ["normalised": "given"]
    case .modelsAreUnit: ["normalised": "model"]
    case .first(let given, let model):
      ["normalised": .null, "given": .double(given), "model": .double(model)]
    }
  }
}

extension OutputHint {
  fileprivate var members: FindingMembers {
    switch self {
    case .activation(let missing): ["activation": .string(missing.rawValue)]
    case .otherLabel: [:]
    case .otherColumn(let given, let model):
      ["column": .integer(given), "modelColumn": .integer(model)]
    case .line(let line):
      [
        "factor": .double(line.slope), "offset": line.offset.map(JSONValue.double) ?? .null,
        "exact": .bool(line.isExact),
      ]
    }
  }
}
