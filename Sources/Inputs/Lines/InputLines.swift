import Files
package import StrictJSON

/// Inputs of a model, in the order of a file's lines.
///
/// Each input of a line counts, as in a pair: `a` before `b`, alternatives in their order.
package struct InputLines: Sendable {
  /// The file the lines came from.
  package let origin: String
  package let inputs: [Input]
  /// The line of each input, from 1.
  package let lines: [Int]
  /// Names of the values of every input, where the file is a table of features.
  package let features: [String]?
  /// A note on how the file was read, for people; nil if its name says JSON lines.
  package let decision: String?
  /// Every image that a line names, with its place.
  package let namedImages: [NamedImage]
  /// The images that lines name, their paths seen from the file.
  package var images: ImageFiles { ImageFiles(folder: Folder.parent(of: origin)) }

  /// Largest file that is read, in bytes, before and after inflating.
  package static let sizeLimit = 256 << 20
  /// Most lines that are read.
  static let lineLimit = 2_000_000

  /// Reads a file.
  ///
  /// - Throws: `FileError`, or `JSONError` with line and column.
  package static func read(_ path: String) throws -> InputLines {
    try InputLines(try InputFile(path: path, limit: sizeLimit))
  }

  /// Reads the file that a command's option names, or standard input.
  ///
  /// - Parameter columns: of a table, those that are passed over.
  /// - Throws: as `read`.
  package init(argument: String, columns: NamedColumns = .none) throws {
    var file = try InputFile(argument: argument, limit: InputLines.sizeLimit)
    file.columns = columns
    try self.init(file)
  }

  /// Reads the lines of a text, which may be empty.
  package init(bytes: [UInt8], origin: String) throws(JSONError) {
    try self.init(try InputFile(bytes: bytes, origin: origin, limit: InputLines.sizeLimit))
  }

  /// Reads the lines of a file.
  ///
  /// - Parameter blankLines: what one among plain lines is.
  package init(_ file: InputFile, blankLines: BlankLines = .refused) throws(JSONError) {
    var inputs: [Input] = []
    var lines: [Int] = []
    var images: [NamedImage] = []
    let reading = try LineReader(
      file: file, maximum: InputLines.lineLimit, blankLines: blankLines
    ).read { (line, number) throws(JSONError) in
      for placed in line.inputs {
        inputs.append(placed.input)
        lines.append(number)
        if let image = NamedImage(placed, line: number) { images.append(image) }
      }
    }
    origin = file.origin
    self.inputs = inputs
    self.lines = lines
    namedImages = images
    features = reading.features
    decision = reading.decision
  }
}

extension InputLines: FeatureNaming {
  package func replacing(_ inputs: [Input]) -> InputLines { InputLines(self, inputs: inputs) }

  private init(_ other: InputLines, inputs: [Input]) {
    (origin, lines, decision) = (other.origin, other.lines, other.decision)
    namedImages = other.namedImages
    self.inputs = inputs
    features = nil
  }
}
