import StrictJSON

/// Reads a file of CatBoost from its start to its end.
///
/// Keys come in any order. One that is not known is an error, lest it changes what a model predicts.
struct CatBoostReader {
  var scanner: JSONScanner
  var document = CatBoostDocument()
  /// Features whose statistics trees ask for (CTR), by their `feature_index`.
  private var encoded: Set<Int> = []
  /// Whether a tree asks for them.
  var usesStatistics = false

  init(_ scanner: JSONScanner) { self.scanner = scanner }

  /// Reads the whole file.
  mutating func read() throws -> CatBoostDocument {
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      switch key {
      case "features_info": try readFeatures()
      case "model_info": try readInfo()
      case "oblivious_trees": try readObliviousTrees()
      case "trees": try readTrees()
      case "scale_and_bias": try readScaleAndBias()
      case "ctr_data": try scanner.skip()
      default: throw unknown(key, in: "the model")
      }
    }
    try scanner.finish()
    guard encoded.isEmpty, !usesStatistics else { throw statistics }
    return document
  }

  func unknown(_ key: String, in place: String) -> ScanError {
    scanner.error("\(place) has the key \(quoted(key)), which is not known")
  }

  /// An error about features of which trees ask for statistics.
  private var statistics: TreeError {
    let names = encoded.sorted().map { index in
      let name = document.categories[index]?.name ?? ""
      return name.isEmpty ? "categorical feature \(index)" : quoted(name)
    }
    return TreeError(
      path: scanner.path,
      fault: "encodes \(names.joined(separator: ", ")) by statistics of the target (CTR), which is "
        + "not supported; train with a 'one_hot_max_size' of the number of categories, or encode "
        + "them before")
  }

  /// Steps over `null`, as CatBoost writes for nothing.
  mutating func isNull() throws -> Bool {
    guard case .null = try scanner.kind() else { return false }
    try scanner.skip()
    return true
  }

  private mutating func readScaleAndBias() throws {
    try scanner.beginArray()
    guard try scanner.nextElement() else { throw scanner.error("is empty, expected two values") }
    document.scale = try scanner.double()
    guard try scanner.nextElement() else { throw scanner.error("has one value, expected two") }
    if case .number = try scanner.kind() {
      document.bias = [try scanner.double()]
    } else if try !isNull() {
      document.bias = try scanner.doubles()
    }
    guard try !scanner.nextElement() else {
      throw scanner.error("has more than two values, expected the scale and the biases")
    }
  }

  // MARK: Features

  private mutating func readFeatures() throws {
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      switch key {
      case "float_features": document.numbers = try readColumns("a numeric feature")
      case "categorical_features": document.categories = try readColumns("a categorical feature")
      case "ctrs": try readStatistics()
      case "cat_features_hash": try readTexts()
      case "text_features", "embedding_features":
        guard try isNull() else {
          throw scanner.error("the model has the key \(quoted(key)), which is not supported")
        }
      default: throw unknown(key, in: "'features_info'")
      }
    }
  }

  private mutating func readColumns(_ kind: String) throws -> [Int: CatBoostDocument.Feature] {
    var features: [Int: CatBoostDocument.Feature] = [:]
    guard try !isNull() else { return features }
    try scanner.beginArray()
    while try scanner.nextElement() {
      var feature = CatBoostDocument.Feature()
      var index: Int?
      var identifier = ""
      try scanner.beginObject()
      while let key = try scanner.nextKey() {
        switch key {
        case "feature_index": index = try scanner.integer()
        case "flat_feature_index": feature.place = try scanner.integer()
        case "feature_name": feature.name = try scanner.string()
        case "feature_id": identifier = try scanner.string()
        case "nan_value_treatment":
          let name = try scanner.string()
          guard let missing = CatBoostDocument.Missing(rawValue: name) else {
            throw scanner.error("'nan_value_treatment' is \(quoted(name)), which is not known")
          }
          feature.missing = missing
        case "borders", "has_nans", "values", "string_values": try scanner.skip()
        default: throw unknown(key, in: kind)
        }
      }
      if feature.name.isEmpty { feature.name = identifier }
      guard let index, features.updateValue(feature, forKey: index) == nil else {
        throw scanner.error("\(kind) has no 'feature_index', or that of another")
      }
    }
    return features
  }

  /// Notes which features statistics are of.
  private mutating func readStatistics() throws {
    guard try !isNull() else { return }
    try scanner.beginArray()
    while try scanner.nextElement() {
      try scanner.beginObject()
      while let key = try scanner.nextKey() {
        guard key == "elements" else {
          try scanner.skip()
          continue
        }
        try scanner.beginArray()
        while try scanner.nextElement() {
          try scanner.beginObject()
          while let key = try scanner.nextKey() {
            if key == "cat_feature_index" {
              encoded.insert(try scanner.integer())
            } else {
              try scanner.skip()
            }
          }
        }
      }
    }
  }

  /// Texts of categories with their hashes.
  private mutating func readTexts() throws {
    guard try !isNull() else { return }
    try scanner.beginArray()
    while try scanner.nextElement() {
      var hash: Int?
      var text: String?
      try scanner.beginObject()
      while let key = try scanner.nextKey() {
        switch key {
        case "hash": hash = try scanner.integer()
        case "value": text = try scanner.string()
        default: throw unknown(key, in: "'cat_features_hash'")
        }
      }
      guard let text, let hash = hash.flatMap({ UInt32(exactly: $0) }),
        document.categoryPlaces.updateValue(document.categoryTexts.count, forKey: hash) == nil
      else {
        throw scanner.error("a category has no 'value', no 'hash' of 32 bits, or that of another")
      }
      document.categoryTexts.append(text)
    }
  }
}
