import Files
package import StrictJSON
import Weights

/// A file of inputs as it was given, and the text in it.
///
/// The digest of a set is that of the bytes as given; a `.gz` is inflated for reading only.
package struct InputFile: Sendable {
  /// The path that means standard input.
  package static let standardInput = "-"

  /// The file, for messages.
  package let origin: String
  /// The bytes as they were given.
  package let bytes: [UInt8]
  /// The text: the bytes, inflated if they were compressed.
  let text: [UInt8]
  /// The form of its lines.
  let form: LineForm
  /// Whether the form was guessed from the text because the name says nothing.
  let isFormGuessed: Bool

  /// Reads a file.
  ///
  /// - Parameter limit: most bytes, before and after inflating.
  /// - Throws: `FileError`, or `JSONError` for a file that cannot be inflated.
  package init(path: String, limit: Int) throws {
    try self.init(
      bytes: try MappedFile.contents(of: path, limit: limit), origin: path, limit: limit)
  }

  /// Reads the file that a command's option names, or standard input to its end.
  ///
  /// - Throws: as `init(path:limit:)`.
  package init(argument: String, limit: Int) throws {
    guard argument == InputFile.standardInput else {
      try self.init(path: argument, limit: limit)
      return
    }
    try self.init(
      bytes: try StandardInput.contents(limit: limit), origin: StandardInput.name, limit: limit)
  }

  /// Takes bytes that were read.
  package init(bytes: [UInt8], origin: String, limit: Int) throws(JSONError) {
    self.origin = origin
    self.bytes = bytes
    var name = Folder.name(of: origin)
    if name.hasSuffix(".gz") || Gzip.isGzip(bytes) {
      if name.hasSuffix(".gz") { name.removeLast(3) }
      do throws(WeightsError) {
        text = try Gzip.inflate(bytes, origin: origin, limit: limit)
      } catch {
        throw JSONError(
          origin: origin, position: JSONPosition(line: 1, column: 1), fault: error.fault)
      }
    } else {
      text = bytes
    }
    let told = LineForm(name: name)
    form = told ?? LineForm(text: text)
    isFormGuessed = told == nil
  }
}

extension WeightsError {
  /// The fault without its place.
  fileprivate var fault: String {
    if case .malformed(_, let fault) = self { fault } else { "\(self)" }
  }
}
