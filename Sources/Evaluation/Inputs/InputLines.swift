import Files
package import StrictJSON

/// Inputs of a model, one per line of a JSON-lines file, in order.
///
/// A line is `{"text": …}`, `{"values": […]}`, `{"image": …}` or a bare JSON string, which is a text.
package struct InputLines: Sendable {
  /// The file the lines came from.
  package let origin: String
  /// Input `i` stands on line `i + 1`.
  package let inputs: [Input]
  /// The images that lines name, their paths seen from the file.
  package var images: ImageFiles { ImageFiles(folder: Folder.parent(of: origin)) }

  /// Largest file that is read, in bytes.
  static let sizeLimit = 256 << 20
  /// Most lines that are read.
  static let lineLimit = 2_000_000

  /// Reads a file.
  ///
  /// - Throws: `FileError`, or `JSONError` with line and column.
  package static func read(_ path: String) throws -> InputLines {
    let bytes = try MappedFile.contents(of: path, limit: InputLines.sizeLimit)
    return try InputLines(bytes: bytes, origin: path)
  }

  /// Reads the lines of a text; there may be none.
  package init(bytes: [UInt8], origin: String) throws(JSONError) {
    var inputs: [Input] = []
    try JSONLines.parse(bytes, origin: origin, most: InputLines.lineLimit) {
      (node, _) throws(JSONError) in
      inputs.append(try InputLines.input(node, origin: origin))
    }
    self.origin = origin
    self.inputs = inputs
  }

  private static func input(_ node: JSONNode, origin: String) throws(JSONError) -> Input {
    if let text = node.string { return .text(text) }
    guard let object = node.object else {
      throw JSONError(
        origin: origin, position: node.position,
        fault: "a line is \(node.kind), expected a string or \(Input.form)")
    }
    return try Input(object)
  }
}
