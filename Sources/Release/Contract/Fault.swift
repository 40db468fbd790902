package import StrictJSON

/// One fault of a project's own files, with its place and, where there is one, the way to mend it.
package struct Fault: Equatable, Sendable, CustomStringConvertible {
  package let place: Place
  package let message: String
  package let hint: String?

  package init(_ place: Place, _ message: String, hint: String? = nil) {
    self.place = place
    self.message = message
    self.hint = hint
  }

  package var description: String { "\(place): \(message)" }

  package var json: JSONValue {
    var object: [String: JSONValue] = [
      "file": .string(place.file), "line": .integer(place.line),
      "column": .integer(place.column), "message": .string(message),
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

/// Every fault of a project at once, in the order of its files and lines.
package struct ProjectFaults: Error, Equatable, CustomStringConvertible {
  package private(set) var faults: [Fault] = []

  package var isEmpty: Bool { faults.isEmpty }

  /// One line per fault.
  package var description: String { faults.map(\.description).joined(separator: "\n") }

  /// The report of `ingot validate --json`.
  package var json: JSONValue {
    [
      "verdict": isEmpty ? "sound" : "faulty", "faults": .array(faults.map(\.json)),
    ]
  }

  /// Most faults that are listed; keeps memory bounded whatever the files.
  static let limit = 1000

  /// Notes a fault; after `limit` of them only that there are more.
  mutating func add(_ place: Place, _ message: String, hint: String? = nil) {
    if faults.count < ProjectFaults.limit {
      faults.append(Fault(place, message, hint: hint))
    } else if faults.count == ProjectFaults.limit {
      faults.append(Fault(place, "there are more faults from here on; mend these first"))
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
