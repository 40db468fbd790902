/// A path with placeholders for what differs from one model to the next.
package struct PathPattern: Equatable, Sendable {
  /// The value that a placeholder is replaced by.
  package enum Placeholder: String, CaseIterable, Sendable {
    case flowName, modelVersion, flowId, appId
    /// The member of a family.
    case member

    /// Those of custom models.
    static let ofFlows: [Placeholder] = [.flowName, .modelVersion, .flowId, .appId]
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
  static func parse(
    _ text: String, knowing known: [Placeholder] = Placeholder.ofFlows
  ) -> Result<PathPattern, PatternFault> {
    var parts: [Part] = []
    var rest = text[...]
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
        return .failure(PatternFault(word: nil, known: known))
      }
      let word = String(rest[rest.index(after: open)..<close])
      guard let placeholder = Placeholder(rawValue: word), known.contains(placeholder) else {
        return .failure(PatternFault(word: word, known: known))
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

  /// The pattern for one member of a family.
  func filling(member: String) -> PathPattern {
    PathPattern(parts: parts.map { $0 == .placeholder(.member) ? .text(member) : $0 })
  }

  /// What comes before the first member's name, and behind it up to the next `/` or the end; nil
  /// where there is no member, or two in one part of the path.
  var aroundMember: (before: String, after: String)? {
    guard let place = parts.firstIndex(of: .placeholder(.member)),
      case .text(let rest)? = parts.dropFirst(place + 1).first
    else { return nil }
    let before = PathPattern(parts: Array(parts[..<place])).literal
    guard let slash = rest.firstIndex(of: "/") else {
      return parts.count > place + 2 ? nil : (before, rest)
    }
    return (before, String(rest[..<slash]))
  }

  /// The path of a pattern without placeholders.
  package var literal: String { path { "{\($0.rawValue)}" } }
}

/// Why a text is not a pattern.
struct PatternFault: Error {
  /// The word between the braces; nil when they do not pair up.
  let word: String?
  /// Those that may be there.
  let known: [PathPattern.Placeholder]

  var message: String {
    word.map { "'{\($0.prefix(40))}' is no placeholder" } ?? "a brace has no partner"
  }

  var hint: String {
    if word == PathPattern.Placeholder.member.rawValue {
      return "families are for 'models': each custom model is one model"
    }
    let known = known.map(\.rawValue)
    guard let word, let near = Suggestion.nearest(to: word, among: known) else {
      return "placeholders: " + known.map { "{\($0)}" }.joined(separator: ", ")
    }
    return "did you mean '{\(near)}'?"
  }
}
