import StrictJSON

/// Reads a file of XGBoost from its start to its end.
///
/// Keys come in any order. One that is not known is an error, lest it changes what a model predicts.
struct XGBoostReader<Scanner: PullScanner> {
  var scanner: Scanner
  var document = XGBoostDocument()

  init(_ scanner: Scanner) { self.scanner = scanner }

  /// Reads the whole file.
  mutating func read() throws -> XGBoostDocument {
    var isComplete = false
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      switch key {
      case "learner":
        try readLearner()
        isComplete = true
      case "version": document.version = try scanner.integers()
      case "Model", "Config":
        throw scanner.error(
          "is a snapshot of training, with the key '\(key)'; save the model with 'save_model'")
      default: throw unknown(key, in: "the file")
      }
    }
    try scanner.finish()
    guard isComplete else { throw missing("learner", in: "the file") }
    return document
  }

  /// An error about a key that is not known.
  func unknown(_ key: String, in place: String) -> ScanError {
    scanner.error("\(place) has the key \(quoted(key)), which is not known")
  }

  func missing(_ key: String, in place: String) -> TreeError {
    TreeError(path: scanner.path, fault: "\(place) has no key '\(key)'")
  }

  private mutating func readLearner() throws {
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      switch key {
      case "attributes": document.attributes = try texts()
      case "feature_names": document.featureNames = try scanner.strings()
      case "feature_types": document.featureTypes = try scanner.strings()
      case "gradient_booster": try readBooster()
      case "learner_model_param":
        document.parameters = try texts(
          known: ["base_score", "boost_from_average", "num_class", "num_feature", "num_target"], key
        )
      case "objective": try readObjective()
      default: throw unknown(key, in: "'learner'")
      }
    }
  }

  private mutating func readObjective() throws {
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      // Beside the name there are parameters of the loss, which only training asks for.
      if key == "name" { document.objective = try scanner.string() } else { try scanner.skip() }
    }
  }

  /// An object of texts.
  ///
  /// - Parameters:
  ///   - known: keys that may be there; nil for any.
  ///   - name: of the object, for messages.
  mutating func texts(
    known: Set<String>? = nil, _ name: String = ""
  ) throws -> [String: String] {
    var texts: [String: String] = [:]
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      if let known, !known.contains(key) { throw unknown(key, in: "'\(name)'") }
      texts[key] = try scanner.string()
    }
    return texts
  }
}
