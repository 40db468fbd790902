import StrictJSON

/// What a file says about the names of the categories of one feature.
struct XGBoostCategoryNames {
  /// Of texts: where each begins in `values`, and the end; nil for whole numbers.
  var offsets: [Int32]?
  /// Of whole numbers: their type in memory, as XGBoost numbers the kinds of its JSON values.
  var type: Int?
  /// Bytes of texts, maybe less 256, or whole numbers, maybe less 2^width.
  var values: [Int] = []

  /// Widths of the types without a sign, in bits.
  private static let unsigned = [10: 8, 12: 16, 14: 32]
  private static let floats = 7...8
  private static let known = 9...16

  /// The names in the order of the categories' numbers.
  func names(of feature: Int, path: String) throws(TreeError) -> [String] {
    func fault(_ text: String) -> TreeError {
      TreeError(path: path, fault: "the categories of feature \(feature) \(text)")
    }
    if let offsets { return try texts(offsets, fault) }
    guard let type else {
      guard values.isEmpty else { throw fault("have neither 'offsets' nor 'type'") }
      return []
    }
    guard !Self.floats.contains(type) else { throw fault("are numbers with a fraction") }
    guard Self.known.contains(type) else { throw fault("are of type \(type), which is not known") }
    return values.map { value in
      guard value < 0, let width = Self.unsigned[type] else { return "\(value)" }
      return "\(value + 1 << width)"
    }
  }

  private func texts(
    _ offsets: [Int32], _ fault: (String) -> TreeError
  ) throws(TreeError) -> [String] {
    var names: [String] = []
    for (start, end) in zip(offsets, offsets.dropFirst()) {
      guard start >= 0, start <= end, end <= values.count else {
        throw fault("begin at \(start) and end at \(end) of \(values.count) bytes")
      }
      let bytes = values[Int(start)..<Int(end)].map { UInt8(truncatingIfNeeded: $0) }
      guard let name = String(utf8: bytes) else { throw fault("have a name that is not UTF-8") }
      names.append(name)
    }
    return names
  }
}
