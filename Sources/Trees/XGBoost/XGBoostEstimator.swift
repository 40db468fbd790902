import Files

/// What a scikit-learn estimator wrote about itself, as JSON in the attribute `scikit_learn`.
///
/// Until version 1.7 that is all of its parameters, with the classes of its label encoder. Later ones take no
/// classes but 0, 1, … and write their kind alone.
struct XGBoostEstimator {
  /// Names of the classes; nil where there are none, or none that are texts or whole numbers.
  private(set) var labels: TreeLabels?

  /// - Parameter path: the file of the model, for messages.
  init(text: String, path: String) throws {
    var file = try MemoryFile(
      path: "\(path), the attribute 'scikit_learn'", byteCount: text.utf8.count)
    unsafe file.write(Array(text.utf8).span.bytes)
    var scanner = try JSONScanner(file.finish())
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      switch key {
      case "classes_": labels = try Self.labels(&scanner)
      case "_le": try readEncoder(&scanner)
      case "missing": try Self.checkMissing(&scanner)
      default: try scanner.skip()
      }
    }
    try scanner.finish()
  }

  private mutating func readEncoder(_ scanner: inout JSONScanner) throws {
    guard try scanner.kind() == .object else { return try scanner.skip() }
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      if key == "classes_" { labels = try Self.labels(&scanner) } else { try scanner.skip() }
    }
  }

  private static func labels(_ scanner: inout JSONScanner) throws -> TreeLabels? {
    guard try scanner.kind() == .array else {
      try scanner.skip()
      return nil
    }
    var (texts, integers, count): ([String], [Int], Int) = ([], [], 0)
    try scanner.beginArray()
    while try scanner.nextElement() {
      count += 1
      switch try scanner.kind() {
      case .string: texts.append(try scanner.string())
      case .number: integers += [Int(exactly: try scanner.double())].compactMap(\.self)
      default: try scanner.skip()
      }
    }
    guard count > 0 else { return nil }
    return texts.count == count
      ? .texts(texts) : integers.count == count ? .integers(integers) : nil
  }

  /// The estimator takes another number for missing, which no file of trees says.
  private static func checkMissing(_ scanner: inout JSONScanner) throws {
    guard try scanner.kind() == .number else { return try scanner.skip() }
    let value = try scanner.double()
    guard value.isNaN else {
      throw scanner.error("the estimator reads \(value) as missing, only NaN is supported")
    }
  }
}
