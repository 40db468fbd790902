package import Files
package import StrictJSON

/// One fault of a project's own files, with its place and, if there is one, the way to fix it.
package struct Fault: Equatable, Sendable, CustomStringConvertible {
  package let rule: Rule
  package let place: Place
  package let message: String
  package internal(set) var hint: String?
  /// An option that fixes it, too.
  let option: OptionHint?

  package init(
    _ rule: Rule, _ place: Place, _ message: String, hint: String? = nil,
    option: OptionHint? = nil
  ) {
    self.option = option
    self.rule = rule
    self.place = place
    self.message = message
    self.hint = hint
  }

  package var severity: Severity { rule.severity }

  package var description: String { "\(place): \(message)" }

  package var json: JSONValue {
    var object: [String: JSONValue] = [
      "file": .string(place.file), "line": .integer(place.line),
      "column": .integer(place.column), "message": .string(message),
      "rule": .string(rule.rawValue), "severity": .string(severity.rawValue),
    ]
    if let hint { object["hint"] = .string(hint) }
    return .object(object)
  }
}

/// A place in a text file; line and column from 1.
package struct Place: Hashable, Sendable, CustomStringConvertible {
  package let file: String
  package let line: Int
  package let column: Int

  package var description: String { "\(file):\(line):\(column)" }
}

extension Place {
  /// Where a file begins.
  package init(startOf file: String) { self.init(file: file, line: 1, column: 1) }
}

/// An option that fixes a fault, and the words before its name in a hint.
package struct OptionHint: Equatable, Sendable {
  let lead: String
  package let option: UserOption

  package init(_ lead: String, _ option: UserOption) {
    (self.lead, self.option) = (lead, option)
  }

  /// The end of a hint; empty if a user has no such option.
  func words(_ name: UserOption.Names) -> String { name(option).map { lead + $0 } ?? "" }
}
