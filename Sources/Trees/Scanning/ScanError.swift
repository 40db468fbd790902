/// A fault of a document that is scanned: its syntax, or a value of another kind than expected.
package struct ScanError: Error, Equatable, CustomStringConvertible {
  /// The file.
  package let path: String
  /// Where in it.
  package let place: ScanPlace
  /// The fault.
  package let fault: String

  package init(path: String, place: ScanPlace, fault: String) {
    self.path = path
    self.place = place
    self.fault = fault
  }

  package var description: String {
    switch place {
    case .line(let line, let column): "\(path):\(line):\(column): \(fault)"
    case .byte(let offset): "\(path): byte \(offset): \(fault)"
    }
  }
}

/// A place in a document.
package enum ScanPlace: Hashable, Sendable {
  /// Of a text: both from 1, the column in bytes.
  case line(Int, column: Int)
  /// Of a binary file: bytes before it.
  case byte(Int)
}
