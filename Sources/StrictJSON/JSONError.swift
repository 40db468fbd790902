/// A fault in the syntax or the content of a JSON text, with its place.
package struct JSONError: Error, Equatable, CustomStringConvertible {
  /// The file, or another name for where the text came from.
  package let origin: String
  /// The position in the text.
  package let position: JSONPosition
  /// The fault.
  package let fault: String
  /// What to do about it, where more is known than the fault says.
  package let mend: String?

  /// Describes a fault found at a place; also for callers that check values further.
  package init(origin: String, position: JSONPosition, fault: String, mend: String? = nil) {
    self.mend = mend
    self.origin = origin
    self.position = position
    self.fault = fault
  }

  package var description: String { "\(origin):\(position): \(fault)" }
}

/// A place in a text: line and column, both from 1, the column in bytes.
package struct JSONPosition: Hashable, Sendable, CustomStringConvertible {
  // Every value of a text has a position; eight bytes instead of sixteen show.
  private let storedLine: UInt32
  private let storedColumn: UInt32

  /// Numbers beyond 32 bits are capped.
  package init(line: Int, column: Int) {
    storedLine = UInt32(clamping: line)
    storedColumn = UInt32(clamping: column)
  }

  package var line: Int { Int(storedLine) }
  package var column: Int { Int(storedColumn) }
  package var description: String { "\(line):\(column)" }
}
