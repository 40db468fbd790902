import StrictJSON
import Weights

/// The prefix of an encoder's weights in a checkpoint of transformers that was saved with a head.
package struct WeightPrefix: Sendable {
  /// Before all names: empty, or the library's word for the encoder and a dot.
  let text: String
  /// The library's word for the encoder: `bert`.
  let word: String

  /// That of weights whose names were not looked at yet.
  static let none = WeightPrefix(word: "")

  private init(word: String) {
    self.word = word
    text = ""
  }

  /// The prefix of a checkpoint.
  ///
  /// If one name begins with the word, even without a dot, transformers takes the prefix from all
  /// and ignores those that lack it: a model without prefix then runs on random numbers.
  ///
  /// - Parameters:
  ///   - word: the library's word for the encoder: `bert`.
  ///   - table: the table of tokens, without prefix.
  ///   - place: the file that describes the model, for messages.
  /// - Throws: if names with and without the prefix are mixed.
  init(
    _ word: String, table: TensorName, _ weights: any WeightSource, of place: String
  ) throws(ModelError) {
    self.word = word
    guard let first = weights.names.first(where: { $0.text.utf8.starts(with: word.utf8) }) else {
      text = ""
      return
    }
    let prefix = "\(word)."
    if weights.shape(of: "\(prefix)\(table)") == nil, weights.shape(of: table) != nil {
      throw .unsupported(
        place: ModelError.weightsBeside(place),
        found: "\(quoted(first)), for which the library looks for every weight under "
          + "'\(prefix)', beside '\(table)'",
        supported: "all weights with '\(prefix)' before their names, or none")
    }
    text = prefix
  }

  /// Refuses a weight without the prefix beside the one that has it: the library then does not know
  /// which to take.
  ///
  /// - Parameter used: names of the model's weights, prefix included.
  func refuseBareTwins(
    of used: [TensorName], _ weights: any WeightSource, _ place: String
  ) throws(ModelError) {
    guard !text.isEmpty else { return }
    for name in used where name.text.utf8.starts(with: text.utf8) {
      let bare = TensorName(
        String(decoding: name.text.utf8.dropFirst(text.utf8.count), as: UTF8.self))
      guard weights.shape(of: bare) != nil else { continue }
      throw .unsupported(
        place: ModelError.weightsBeside(place),
        found: "\(quoted(bare)) beside weights under '\(text)'",
        supported: "all weights with '\(text)' before their names, or none")
    }
  }
}

extension JSONObject {
  /// A whole number, or what the library takes where the key is missing.
  func integer(_ key: String, usual: Int, in range: ClosedRange<Int>) throws(JSONError) -> Int {
    has(key) ? try plainInteger(key, in: range) : usual
  }

  /// True or false, or what the library takes where the key is missing.
  func bool(_ key: String, usual: Bool) throws(JSONError) -> Bool {
    has(key) ? try bool(key) : usual
  }

  /// A number, or what the library takes where the key is missing.
  func double(_ key: String, usual: Double) throws(JSONError) -> Double {
    has(key) ? try double(key) : usual
  }

  /// Refuses a table of other rows than the file says.
  ///
  /// - Parameters:
  ///   - key: which says the number of rows.
  ///   - rows: that number.
  func requireRows(
    _ key: String, _ rows: Int, of table: TensorName, _ weights: any WeightSource
  ) throws(JSONError) {
    guard let shape = weights.shape(of: table), shape.count == 2, shape[0] != rows else { return }
    throw error(
      "\(quoted(key)) is \(rows), the table '\(table)' has \(shape[0]) rows",
      at: self[key]?.position ?? position)
  }

  /// The heads that divide rows of a width.
  ///
  /// - Parameter isPaired: whether the numbers of a head must be even, as rotary positions want.
  /// - Throws: if they do not divide it.
  func heads(_ key: String, usual: Int, width: Int, of widthKey: String, isPaired: Bool)
    throws(JSONError) -> Int
  {
    let heads = try integer(key, usual: usual, in: 1...width)
    guard width.isMultiple(of: heads) else {
      throw error(
        "'\(widthKey)' \(width) is not a multiple of '\(key)' \(heads)", at: position)
    }
    guard !isPaired || (width / heads).isMultiple(of: 2) else {
      throw error(
        "'\(widthKey)' \(width) over '\(key)' \(heads) is odd, and rotary positions turn pairs",
        at: position)
    }
    return heads
  }
}
