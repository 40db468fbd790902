package import Files

/// Models of XGBoost as `save_model` writes them: `model.json` and `model.ubj`.
///
/// Both forms hold the same values under the same keys (xgboost.readthedocs.io, "Introduction to Model IO").
/// What is read here was compared with XGBoost 3.2, and with what its sources since 1.0 write.
///
/// A model predicts as the object that wrote it: the scikit-learn estimators stop at their best iteration
/// where training stopped early, a `Booster` takes all trees; a note says so (`XGBoostBuilder+Iterations`). Sums
/// begin with `base_score` and take a tree after another, in 32 bits, as XGBoost does for one row as for blocks of
/// rows. Leaves of `dart` are weighed before, as `Booster.predict` does; its `inplace_predict`, which the estimators
/// use, adds and subtracts `base_score` around each, and differs in last bits.
package enum XGBoostModel: TreeLibrary {
  package static let orderedFloatSums: String? = "XGBoost"

  /// The key that comes first in the files.
  private static let firstKey = "learner"

  /// Whether a file is one of XGBoost, by its first bytes, of either form.
  ///
  /// - Parameter start: 64 bytes are enough for files as they are written; more for texts laid out anew.
  package static func recognises(_ start: [UInt8]) -> Bool {
    guard start.first == UInt8(ascii: "{") else { return false }
    if start.dropFirst().starts(with: ubjsonKey) { return true }
    let text = start.dropFirst().drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if text.starts(with: "\"\(firstKey)\"".utf8) { return true }
    return text.starts(with: "\"version\"".utf8) && holds("\"\(firstKey)\"", text)
  }

  /// The key with its length, of type L and 64 bits.
  private static let ubjsonKey: [UInt8] =
    [UInt8(ascii: "L"), 0, 0, 0, 0, 0, 0, 0, UInt8(firstKey.utf8.count)] + Array(firstKey.utf8)

  private static func holds(_ word: String, _ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.indices.contains { bytes[$0...].starts(with: word.utf8) }
  }

  /// Reads a model.
  ///
  /// The file is read once from its start to its end, and the memory behind is let go.
  ///
  /// - Throws: `ScanError` for what is not of the form or is not known, `TreeError` for what is not sound,
  ///   with the tree and the node.
  package static func read(_ file: MappedFile) throws -> TreeModel {
    let start = file.start(2)
    // An object of UBJSON goes on with the type of a length, one of JSON with a quote or with space.
    let isBinary = start.count == 2 && "LlIUi".utf8.contains(start[1])
    let document: XGBoostDocument
    if isBinary {
      var reader = XGBoostReader(try UBJSONScanner(file))
      document = try reader.read()
    } else {
      var reader = XGBoostReader(try JSONScanner(file))
      document = try reader.read()
    }
    return try XGBoostBuilder(
      path: file.path, fileByteCount: file.byteCount, document: document
    ).model()
  }
}
