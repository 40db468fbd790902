package import Files

/// Models of CatBoost as `save_model(format="json")` writes them.
///
/// The sources of CatBoost 1.2 (`json_model_helpers.cpp`) say what the values mean. Features are rounded to 32
/// bits, leaves are added in 64.
///
/// Categories are read where trees ask for one of them by its hash (`one_hot_max_size`) and the file says of
/// which text that is. Trees that ask for statistics of categories (CTR) are refused, as are texts and
/// embeddings.
package enum CatBoostModel: TreeLibrary {
  /// Keys that may come first: they are sorted.
  private static let firstKeys = ["ctr_data", "features_info", "model_info", "oblivious_trees"]

  /// Whether a file is one of CatBoost, by its first bytes.
  ///
  /// - Parameter start: 64 bytes are enough.
  package static func isCatBoost(start: [UInt8]) -> Bool {
    guard start.first == UInt8(ascii: "{") else { return false }
    let text = start.dropFirst().drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return firstKeys.contains { text.starts(with: "\"\($0)\"".utf8) }
  }

  package static func recognises(_ start: [UInt8]) -> Bool { isCatBoost(start: start) }

  /// Reads a model.
  ///
  /// The file is read once from its start to its end, and the memory behind is let go.
  ///
  /// - Throws: `ScanError` for what is not of the form, `TreeError` for what is not sound or is not supported, with
  ///   the tree, and the node in the order in which the file has them; of an oblivious tree they are numbered
  ///   level by level.
  package static func read(_ file: MappedFile) throws -> TreeModel {
    var reader = CatBoostReader(try JSONScanner(file))
    return try CatBoostBuilder(path: file.path, document: try reader.read()).model()
  }
}
