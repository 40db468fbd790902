package import Files
package import StrictJSON

/// Every fault of a project at once, in the order of its files and lines.
package struct ProjectFaults: Error, Equatable, CustomStringConvertible {
  package private(set) var faults: [Fault] = []
  /// Errors, those included that are too many to list.
  package private(set) var errorCount = 0
  /// Warnings, those included that are too many to list.
  package private(set) var warningCount = 0

  /// No fault yet.
  package init() {}

  /// Whether there is nothing to say, not even a warning.
  package var isEmpty: Bool { faults.isEmpty }
  /// Whether the project cannot be built.
  package var hasErrors: Bool { errorCount > 0 }
  /// Doubts that let the project be built.
  package var warnings: [Fault] { faults.filter { $0.severity == .warning } }

  /// One line per fault.
  package var description: String { faults.map(\.description).joined(separator: "\n") }

  /// The report of `ingot validate --json`.
  package var json: JSONValue {
    [
      "verdict": hasErrors ? "faulty" : "sound", "faults": .array(faults.map(\.json)),
    ]
  }

  /// Most errors, and most warnings, that are listed; keeps memory bounded for any files.
  static let limit = 1000

  /// Notes a fault; after `limit` of its severity only that there are more.
  package mutating func add(
    _ rule: Rule, _ place: Place, _ message: String, hint: String? = nil,
    option: OptionHint? = nil
  ) {
    let count = countOne(rule.severity)
    if count <= ProjectFaults.limit {
      faults.append(Fault(rule, place, message, hint: hint, option: option))
    } else if count == ProjectFaults.limit + 1 {
      faults.append(more(than: rule.severity, place))
    }
  }

  /// The same faults, with options in their hints as `name` spells them.
  package func naming(_ name: UserOption.Names) -> ProjectFaults {
    var named = self
    for (place, fault) in faults.enumerated() {
      guard let option = fault.option else { continue }
      named.faults[place].hint = (fault.hint ?? "") + option.words(name)
    }
    return named
  }

  private mutating func countOne(_ severity: Severity) -> Int {
    switch severity {
    case .error:
      errorCount += 1
      return errorCount
    case .warning:
      warningCount += 1
      return warningCount
    }
  }

  private func more(than severity: Severity, _ place: Place) -> Fault {
    switch severity {
    case .error:
      Fault(.moreFaults, place, "there are more faults from here on; mend these first")
    case .warning: Fault(.moreWarnings, place, "there are more warnings from here on")
    }
  }

  /// Sorts by place; files in the order in which they were first named.
  ///
  /// - Parameter file: a file whose faults come before all others.
  mutating func sort(first file: String) {
    var rank = [file: 0]
    for fault in faults where rank[fault.place.file] == nil {
      rank[fault.place.file] = rank.count
    }
    let keyed = faults.enumerated().map { index, fault in
      (key: [rank[fault.place.file] ?? 0, fault.place.line, fault.place.column, index], fault)
    }
    faults = keyed.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.1)
  }
}

extension ProjectFaults {
  /// Notes a fault of a JSON text.
  package mutating func add(_ rule: Rule, _ error: JSONError, hint: String? = nil) {
    let place = Place(
      file: error.origin, line: error.position.line, column: error.position.column)
    add(rule, place, error.fault, hint: hint)
  }

  /// Notes that a file cannot be read.
  mutating func add(unreadable file: String, _ error: FileError) {
    add(.unreadableFile, Place(startOf: file), error.fault)
  }
}
