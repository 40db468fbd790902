package import Files

/// Models of LightGBM: the text of `Booster.save_model`, and what `Booster.dump_model` returns, as JSON.
///
/// Both forms name their values alike. The sources of LightGBM 4.7 (`gbdt_model_text.cpp`, `tree.cpp`) say what
/// they mean; older versions since 2.1 wrote the same text, and version 4.7 reads it so.
///
/// Rows go through the trees as `Booster.predict` sends those of a matrix: numbers from −1e-35 to 1e-35 are 0;
/// what is missing counts as 0 where training met nothing missing; a category that is missing, negative or
/// unknown goes right. Trees are those of the file: `save_model` leaves out what comes after the best
/// iteration. What the classes were called it does not write.
package enum LightGBMModel: TreeLibrary {
  /// What the text starts with.
  private static let textStart = "tree\nversion="

  /// Whether a file is one of LightGBM, by its first bytes, of either form.
  ///
  /// - Parameter start: 64 bytes are enough for files as they are written; more for texts laid out anew.
  package static func isLightGBM(start: [UInt8]) -> Bool {
    if start.starts(with: textStart.utf8) { return true }
    guard start.first == UInt8(ascii: "{") else { return false }
    let text = start.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    // As it is written, and with its keys sorted.
    return text.starts(with: #"{"name":"tree","version":"v"#.utf8)
      || text.starts(with: #"{"average_output":"#.utf8)
  }

  package static func recognises(_ start: [UInt8]) -> Bool { isLightGBM(start: start) }

  /// Reads a model.
  ///
  /// The file is read once from its start to its end, and the memory behind is let go.
  ///
  /// - Throws: `ScanError` and `JSONError` for what is not of the form, `TreeError` for what is not sound or is not known, with
  ///   the tree and the node: branches are numbered as LightGBM does, leaves follow them.
  package static func read(_ file: MappedFile) throws -> TreeModel {
    let document: LightGBMDocument
    if file.start(1).first == UInt8(ascii: "{") {
      var reader = LightGBMJSONReader(try JSONScanner(file))
      document = try reader.read()
    } else {
      var reader = LightGBMTextReader(file)
      document = try reader.read()
    }
    return try LightGBMBuilder(path: file.path, document: document).model()
  }
}
