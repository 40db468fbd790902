import Files
import StrictJSON

/// Reads the text of `Booster.save_model` from its start to its end.
///
/// What comes first describes the model, a line a key; then come the trees, and then what training was like. A key
/// that is not known is an error, lest it changes what a model predicts.
struct LightGBMTextReader {
  var text: LightGBMText
  var document = LightGBMDocument()
  /// Of each tree: bytes of its text; nil where the file does not say.
  var treeSizes: [Int32]?

  init(_ file: MappedFile) { text = LightGBMText(file) }

  /// Reads the whole file.
  mutating func read() throws -> LightGBMDocument {
    try text.skipLine()
    try readHeader()
    try readTrees()
    try readTail()
    return document
  }

  func fault(_ words: String, tree: Int? = nil) -> TreeError {
    TreeError(path: text.path, tree: tree, fault: words)
  }

  // MARK: The model

  private mutating func readHeader() throws {
    var keys: Set<String> = []
    text.skipEmptyLines()
    while !text.isAtEnd, !text.starts(with: "Tree="), !text.starts(with: "end of trees\n") {
      let (key, hasValue) = try text.key()
      guard keys.insert(key).inserted else {
        throw text.error("the key \(quoted(key)) appears twice")
      }
      try readValue(of: key, hasValue)
      text.skipEmptyLines()
    }
  }

  private mutating func readValue(of key: String, _ hasValue: Bool) throws {
    guard hasValue || key == "average_output" else {
      throw text.error("\(quoted(key)) is not known, or has no '='")
    }
    switch key {
    case "version": document.version = try text.text()
    case "num_class": document.classCount = try text.integer()
    case "num_tree_per_iteration": document.treesPerIteration = try text.integer()
    case "max_feature_idx": document.lastFeature = try text.integer()
    case "objective": document.objective = try text.text()
    case "average_output":
      try text.skipLine()
      document.averages = true
    case "feature_names":
      document.featureNames = try text.text().split(separator: " ").map(String.init)
    case "feature_infos": try takeInfos(try text.text().split(separator: " "))
    case "tree_sizes": treeSizes = try text.numbers()
    case "label_index", "monotone_constraints": try text.skipLine()
    default: throw text.error("the model has the key \(quoted(key)), which is not known")
    }
  }

  /// Notes features of categories.
  ///
  /// - Parameter infos: of each feature `none`, `[least:largest]`, or its categories, `0:2:1`.
  private mutating func takeInfos(_ infos: [Substring]) throws {
    guard infos.count == document.featureNames.count else {
      throw fault(
        "'feature_infos' has \(Figures.count(infos.count, "value")), 'feature_names' \(document.featureNames.count)"
      )
    }
    for (name, info) in zip(document.featureNames, infos)
    where info != "none" && !info.hasPrefix("[") {
      let categories = info.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
      guard let largest = categories.compactMap(\.self).max(), !categories.contains(nil) else {
        throw fault("feature \(quoted(name)) has \(quoted(String(info))) in 'feature_infos'")
      }
      document.largestCategory[name] = largest
    }
  }

  // MARK: What training was like

  private mutating func readTail() throws {
    while !text.isAtEnd {
      if text.starts(with: "pandas_categorical:") {
        let names = try text.rest().dropFirst("pandas_categorical:".utf8.count)
        document.categoryNames = try LightGBMCategories.names(Array(names), path: text.path)
      } else if text.starts(with: "[categorical_feature: ") {
        takeCategorical(try text.text())
      } else {
        try text.skipLine()
      }
    }
  }

  /// Notes features of categories by their numbers; of names, as the command line takes them, it takes no notice:
  /// `feature_infos` has these features, too.
  private mutating func takeCategorical(_ line: String) {
    let features = line.drop { $0 != " " }.dropFirst().prefix { $0 != "]" }
      .split(separator: ",").map { Int($0) }
    guard !features.contains(nil) else { return }
    document.categoricalFeatures = features.compactMap(\.self)
      .filter(document.featureNames.indices.contains)
  }
}
