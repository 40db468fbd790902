import StrictJSON

/// Reads a transformer's sizes from its configuration. Absent keys have the values of the library.
protocol ConfigurationReader {
  var config: JSONObject { get }
}

extension ConfigurationReader {
  /// A whole number, or the library's where the key is absent.
  func integer(_ key: String, _ usual: Int, in range: ClosedRange<Int>) throws -> Int {
    config.has(key) ? try config.plainInteger(key, in: range) : usual
  }

  func number(_ key: String, _ usual: Double) throws -> Double {
    config.has(key) ? try config.double(key) : usual
  }

  func flag(_ key: String, _ usual: Bool) throws -> Bool {
    config.has(key) ? try config.bool(key) : usual
  }

  /// Heads and width, which they must divide.
  ///
  /// - Parameter usual: the library's values for absent keys.
  func heads(_ usual: (heads: Int, width: Int)) throws -> (heads: Int, width: Int) {
    let width = try integer("hidden_size", usual.width, in: 1...1 << 20)
    let heads = try integer("num_attention_heads", usual.heads, in: 1...width)
    guard width.isMultiple(of: heads) else {
      throw config.error(
        "'hidden_size' \(width) is not a multiple of 'num_attention_heads' \(heads)",
        at: config.position)
    }
    return (heads, width)
  }

  func layers(_ usual: Int = 12) throws -> Int {
    try integer("num_hidden_layers", usual, in: 1...1000)
  }
}
