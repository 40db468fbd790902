/// A fault in a JSON text or in what it says, with its place.
package struct JSONError: Error, Equatable, CustomStringConvertible {
  /// The file, or another name for where the text came from.
  package let origin: String
  /// Where in the text.
  package let position: JSONPosition
  /// What is wrong there.
  package let fault: String

  /// Describes a fault found at a place; also for callers that check values further.
  package init(origin: String, position: JSONPosition, fault: String) {
    self.origin = origin
    self.position = position
    self.fault = fault
  }

  package var description: String { "\(origin):\(position): \(fault)" }
}

/// A place in a text: line and column, both from 1, the column in bytes.
package struct JSONPosition: Hashable, Sendable, CustomStringConvertible {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package var description: String { "\(line):\(column)" }
}
