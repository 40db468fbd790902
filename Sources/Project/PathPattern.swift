/// A path with placeholders for what differs from one custom model to the next.
package struct PathPattern: Equatable, Sendable {
  /// The value that a placeholder is replaced by.
  package enum Placeholder: String, CaseIterable, Sendable {
    case flowName, modelVersion, flowId, appId
  }

  private enum Part: Equatable, Sendable {
    case text(String)
    case placeholder(Placeholder)
  }

  private let parts: [Part]

  /// A path that is taken as it is.
  init(literal path: String) { parts = [.text(path)] }

  /// Reads a pattern.
  ///
  /// - Returns: nil with the faulty word when braces do not pair up or hold no known placeholder.
  static func parse(_ text: String) -> Result<PathPattern, PatternFault> {
    var parts: [Part] = []
    var rest = text[...]
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
        return .failure(PatternFault(word: nil))
      }
      let word = String(rest[rest.index(after: open)..<close])
      guard let placeholder = Placeholder(rawValue: word) else {
        return .failure(PatternFault(word: word))
      }
      parts.append(.text(String(rest[..<open])))
      parts.append(.placeholder(placeholder))
      rest = rest[rest.index(after: close)...]
    }
    return .success(PathPattern(parts: parts + [.text(String(rest))]))
  }

  private init(parts: [Part]) { self.parts = parts }

  /// The path for given values.
  package func path(_ value: (Placeholder) -> String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .placeholder(let placeholder): value(placeholder)
      }
    }.joined()
  }

  /// Whether the path differs from one custom model to the next.
  var hasPlaceholders: Bool { Placeholder.allCases.contains(where: uses) }

  /// Whether a placeholder is part of the path.
  func uses(_ placeholder: Placeholder) -> Bool { parts.contains(.placeholder(placeholder)) }

  /// The path of a pattern without placeholders.
  package var literal: String { path { "{\($0.rawValue)}" } }
}

/// Why a text is not a pattern.
struct PatternFault: Error {
  /// The word between the braces; nil when they do not pair up.
  let word: String?

  var message: String {
    word.map { "'{\($0.prefix(40))}' is no placeholder" } ?? "a brace has no partner"
  }

  var hint: String {
    let known = PathPattern.Placeholder.allCases.map(\.rawValue)
    guard let word, let near = Suggestion.nearest(to: word, among: known) else {
      return "placeholders: " + known.map { "{\($0)}" }.joined(separator: ", ")
    }
    return "did you mean '{\(near)}'?"
  }
}
