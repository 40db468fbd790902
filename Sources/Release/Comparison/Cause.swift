import StrictJSON

/// One thing that differs between two packages or models.
package struct Cause: Equatable, Sendable, CustomStringConvertible {
  /// The kind of a difference; in the order in which causes are named.
  package enum Kind: String, CaseIterable, Sendable {
    /// A package is on one side only.
    case package
    case toolVersion
    /// `SOURCE_DATE_EPOCH`.
    case time
    case app
    case version
    case sdk
    case licenses
    /// A model is on one side only, or is another flow or version of it.
    case models
    /// Options of compression and format.
    case option
    /// The model as trained, or a file that describes it.
    case baseline
    /// The first tensor that is stored otherwise.
    case tensor
    case references
    case limits
    case metrics
    case tokenizer
    /// The file that says how inputs other than texts are made.
    case preprocessing
    /// Architecture, inputs, outputs, words.
    case description
    /// Inputs and outputs that devices run.
    case selfTest
    case file
    /// The same content, packed otherwise.
    case archive
    case bytes
  }

  package let kind: Kind
  /// Path of the package in an output folder; nil if two are compared alone.
  package var package: String?
  /// Name of the model; nil if the cause concerns several models, or there is but one.
  package var model: String?
  /// Which of its kind: an option's key, a tensor's name, a path.
  package var item: String?
  package let left: String
  package let right: String
  /// A note to the cause.
  package var note: String?

  /// One line for people; digests are cut.
  package var description: String {
    let place = [package, model.map { "model '\($0)'" }, name].compactMap { $0 }
    let words = "\(place.joined(separator: ": ")): \(Cause.short(left)) → \(Cause.short(right))"
    return note.map { "\(words) (\($0))" } ?? words
  }

  private var name: String {
    switch kind {
    case .toolVersion: "version of ingot"
    case .sdk: item ?? "SDK versions"
    case .models where item == nil: "model"
    case .bytes, .file, .tokenizer, .preprocessing, .package, .app, .time, .version, .licenses,
      .archive:
      item.map { "\(kind.rawValue) '\($0)'" } ?? kind.rawValue
    default: item.map { "\(kind.words) '\($0)'" } ?? kind.words
    }
  }

  /// A digest by its first digits, and no more than a line of anything else.
  private static func short(_ text: String) -> String {
    let isDigest =
      text.utf8.count == 64
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    if isDigest { return "\(text.prefix(12))…" }
    return text.count > 80 ? "\(text.prefix(79))…" : text
  }

  /// A member of the report of `ingot diff --json`.
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "kind": .string(kind.rawValue), "left": .string(left), "right": .string(right),
      "model": model.map(JSONValue.string) ?? .null, "item": item.map(JSONValue.string) ?? .null,
    ]
    members["package"] = package.map(JSONValue.string)
    members["note"] = note.map(JSONValue.string)
    return .object(members)
  }
}

extension Cause.Kind {
  fileprivate var words: String {
    switch self {
    case .baseline: "model as trained"
    case .references: "reference set"
    case .limits: "limit"
    case .metrics: "metric"
    case .models: "identity"
    case .selfTest: "self-test"
    default: rawValue
    }
  }
}

/// The differences so far, in the order found.
struct Causes {
  private(set) var all: [Cause] = []

  /// Notes a cause unless both sides are the same bytes; nil means that a side has nothing.
  mutating func compare(
    _ kind: Cause.Kind, _ left: String?, _ right: String?, model: String? = nil,
    item: String? = nil
  ) {
    guard left.map(ExactString.init) != right.map(ExactString.init) else { return }
    all.append(
      Cause(
        kind: kind, model: model, item: item, left: left ?? Causes.nothing,
        right: right ?? Causes.nothing))
  }

  /// Compares values by their keys, in the order of the keys.
  ///
  /// - Parameter first: keys that come before all others, in this order.
  mutating func compare(
    _ kind: Cause.Kind, _ left: [String: String], _ right: [String: String], model: String? = nil,
    first: [String] = []
  ) {
    let keys = Set(left.keys).union(right.keys).subtracting(first)
    for key in first + keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      compare(kind, left[key], right[key], model: model, item: key)
    }
  }

  mutating func add(_ causes: [Cause]) { all += causes }

  /// Puts causes into the order of their kinds, those of one kind in the order found.
  mutating func sort() {
    let kinds = Dictionary(
      uniqueKeysWithValues: Cause.Kind.allCases.enumerated().map { ($1, $0) })
    let keyed = all.enumerated().map { (kind: kinds[$1.kind] ?? 0, place: $0, cause: $1) }
    all = keyed.sorted { ($0.kind, $0.place) < ($1.kind, $1.place) }.map(\.cause)
  }

  /// The word for a side that has nothing.
  static let nothing = "nothing"
}
