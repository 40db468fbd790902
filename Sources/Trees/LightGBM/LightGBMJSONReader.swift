import StrictJSON

/// Reads what `Booster.dump_model` returns, saved as JSON, from its start to its end.
///
/// Keys come in any order. One that is not known is an error, lest it changes what a model predicts.
struct LightGBMJSONReader {
  var scanner: JSONScanner
  private var document = LightGBMDocument()
  /// Words that sets of categories may still take.
  var wordsLeft: Int

  /// Words of sets of categories in any model, and for each byte of the file: a set takes a bit for each
  /// category up to its last, and a file of a few bytes can ask for the last of many.
  private static let words = (any: 4 << 20, perFileByte: 8)

  init(_ scanner: JSONScanner) {
    self.scanner = scanner
    wordsLeft = Self.words.any + Self.words.perFileByte * scanner.window.remaining
  }

  /// Reads the whole file.
  mutating func read() throws -> LightGBMDocument {
    try scanner.beginObject()
    while let key = try scanner.nextKey() { try readValue(of: key) }
    try scanner.finish()
    return document
  }

  private mutating func readValue(of key: String) throws {
    switch key {
    case "version": document.version = try scanner.string()
    case "num_class": document.classCount = try scanner.integer()
    case "num_tree_per_iteration": document.treesPerIteration = try scanner.integer()
    case "max_feature_idx": document.lastFeature = try scanner.integer()
    case "objective": document.objective = try scanner.string()
    case "average_output": document.averages = try scanner.bool()
    case "feature_names": document.featureNames = try scanner.strings()
    case "feature_infos": try readInfos()
    case "tree_info": try readTrees()
    case "pandas_categorical": try readCategoryNames()
    case "name", "label_index", "monotone_constraints", "feature_importances": try scanner.skip()
    default: throw scanner.error("the model has the key \(quoted(key)), which is not known")
    }
  }

  /// Notes features of categories: those with `values`.
  private mutating func readInfos() throws {
    try scanner.beginObject()
    while let name = try scanner.nextKey() {
      try scanner.beginObject()
      while let key = try scanner.nextKey() {
        guard key == "values" else {
          try scanner.skip()
          continue
        }
        if let largest = try scanner.integers().max() {
          document.largestCategory[name] = Int(largest)
        }
      }
    }
  }

  private mutating func readCategoryNames() throws {
    if case .null = try scanner.kind() { return try scanner.skip() }
    try scanner.beginArray()
    while try scanner.nextElement() {
      var names: [String] = []
      try scanner.beginArray()
      while try scanner.nextElement() {
        switch try scanner.kind() {
        case .string: names.append(try scanner.string())
        case .bool: names.append("\(try scanner.bool())")
        default:
          names.append(try LightGBMCategories.name(try scanner.double(), path: scanner.path))
        }
      }
      document.categoryNames.append(names)
    }
  }

  // MARK: Trees

  private mutating func readTrees() throws {
    var first: Int?
    try scanner.beginArray()
    while try scanner.nextElement() {
      let number = document.trees.count
      var tree: LightGBMTree?
      var leafCount: Int?
      try scanner.beginObject()
      while let key = try scanner.nextKey() {
        switch key {
        case "tree_index":
          let index = try scanner.integer()
          // The first is another where a part of the model was dumped.
          let start = first ?? index
          guard (0...Int(Int32.max)).contains(start), index == start + number else {
            throw scanner.error(
              "'tree_index' is \(index), expected \(first.map { $0 + number } ?? 0)")
          }
          first = start
        case "num_leaves": leafCount = try scanner.integer()
        case "tree_structure": tree = try readTree(number)
        case "num_cat", "shrinkage": try scanner.skip()
        default:
          throw scanner.error("tree \(number) has the key \(quoted(key)), which is not known")
        }
      }
      guard let tree, tree.leaves.count == leafCount else {
        throw TreeError(
          path: scanner.path, tree: number,
          fault: "has \(tree?.leaves.count ?? 0) leaves, 'num_leaves' is "
            + "\(leafCount.map(String.init) ?? "missing")")
      }
      try tree.check(number, path: scanner.path)
      document.trees.append(tree)
    }
  }
}
