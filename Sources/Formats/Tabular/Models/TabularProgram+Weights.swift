import Files
import Graph
import IngotFeatures
import StrictJSON
import Trees
import Weights

extension TabularProgram {
  /// Keys of a collection's metadata.
  private enum Stated {
    /// `model.json` of the model.
    static let description = "coreml.description"
    /// The kind of the Core ML model.
    static let kind = "coreml.model"
  }

  /// The arrays and the description of the model that a program is.
  ///
  /// - Parameter file: the file of its bytes.
  /// - Throws: what no model of Ingot's can do.
  func weights(_ file: MappedFile, path: String) throws -> WeightCollection {
    let table = try TabularTable(self, path: path)
    var stated = metadata.userDefined
    for (key, text) in [
      ("description", metadata.text), ("author", metadata.author), ("license", metadata.license),
      ("version", metadata.version),
    ] where !text.isEmpty {
      stated[key] = text
    }
    stated[Stated.kind] = step.word
    switch table.predictor {
    case .treeClassifier(let ensemble, let labels):
      return try trees(ensemble, .classification(labels: labels), table, &stated, file, path)
    case .treeRegressor(let ensemble):
      return try trees(ensemble, .regression, table, &stated, file, path)
    case .linearClassifier, .linearRegressor:
      return try linear(table, &stated, file, path)
    default: throw TabularPlace(path).fault("predicts nothing")
    }
  }

  /// Whether weights were read from such a program.
  static func isSource(_ weights: WeightCollection) -> Bool {
    weights.metadata[Stated.kind] != nil && weights.metadata[Stated.description] != nil
  }

  /// The files that describe the model of weights that `isSource`.
  static func files(_ weights: WeightCollection) -> ModelFiles {
    ModelFiles(
      carriedBy: weights.origin,
      texts: [
        TreeDescription.fileName: Array(weights.metadata[Stated.description, default: "{}"].utf8)
      ])
  }

  /// What such weights say of themselves.
  static func facts(_ weights: WeightCollection) -> ModelFacts {
    var facts = ModelFacts()
    var metadata = weights.metadata
    facts.options["recipe"] = metadata.removeValue(forKey: Key.recipe)
    facts.source = metadata.removeValue(forKey: Key.source)
    facts.description = metadata
    return facts
  }

  private func trees(
    _ ensemble: TreeEnsemble, _ task: TreeTask, _ table: TabularTable,
    _ stated: inout [String: String], _ file: MappedFile, _ path: String
  ) throws -> WeightCollection {
    let isScore = metadata.userDefined[Key.gives].map { $0 == "scores" } ?? !ensemble.givesShares
    let isOne = metadata.userDefined[Key.width] == "1"
    guard table.row.norm == nil else {
      throw table.place.fault(
        "has a normalizer before trees, which Ingot does not run; train the trees on values as they are"
      )
    }
    var cells = try CellTrees(table.row.cells, at: table.place)
    if let text = stated.removeValue(forKey: Key.features) { try cells.state(text) }
    try requireGiven(
      table.row.cells, refused: cells.features.filter { $0.missing == .refused }.map(\.name),
      at: table.place)
    let ensemble = try cells.ensemble(ensemble)
    let model = TreeModel(
      ensemble: isOne ? try ensemble.second(path) : ensemble,
      features: cells.features, task: task, library: "Core ML",
      givesProbabilities: task == .regression ? nil : !isScore, outputName: predicted)
    stated[Stated.description] = TreeDescription(model).text
    return try TreeFiles.collection(model, path, [file], stating: stated)
  }

  // Core ML calls an input optional that an app may leave out; the model then needs a rule for missing values.
  private func requireGiven(
    _ cells: [TabularCell], refused: [String], at place: TabularPlace
  ) throws(TabularError) {
    let optional = Set(inputs.filter(\.isOptional).map(\.name))
    guard !optional.isEmpty else { return }
    let refused = Set(refused)
    for cell in cells where optional.contains(cell.input) && refused.contains(cell.name) {
      throw place.fault(
        "has the optional input '\(cell.input)', but the model refuses a missing value of '\(cell.name)'; let the "
          + "input be required, or put an imputer before the model")
    }
  }

  private func linear(
    _ table: TabularTable, _ stated: inout [String: String], _ file: MappedFile, _ path: String
  ) throws -> WeightCollection {
    // The network of a regressor predicts nothing by name.
    let name = predicted ?? outputs[0].name
    let numbers = try LinearDescription(
      table, output: name, schema: metadata.userDefined[Key.features],
      hasTwoColumns: metadata.userDefined[Key.width] == "2", at: table.place)
    try requireGiven(
      table.row.cells, refused: numbers.features.filter { $0.missing == .refused }.map(\.name),
      at: table.place)
    stated[Key.features] = nil
    stated[Stated.description] = numbers.description.pretty
    return try WeightCollection(
      origin: path, format: "Core ML \(table.predictor.word)", metadata: stated,
      arrays: numbers.arrays, sources: [file])
  }
}

extension TreeEnsemble {
  /// Whether sums are shares of classes as they are, or become such. coremltools does not divide the votes of
  /// forests of several classes (its issue 1541): these are scores.
  fileprivate var givesShares: Bool {
    if transform != .identity || outputCount == 1 { return true }
    let shares = base + leaves
    return shares.allSatisfy { $0 >= 0 } && largestSum <= divisor * (1 + 1e-6)
  }

  /// What all outputs of a row together are at most, before they are divided.
  private var largestSum: Double {
    roots.reduce(base.reduce(0, +)) { sum, root in
      var largest = -Double.infinity
      var open = [root]
      while let node = open.popLast() {
        if node >= 0 {
          open += [left[Int(node)], right[Int(node)]]
        } else {
          let first = Int(-1 - node) * leafWidth
          largest = max(largest, leaves[first..<first + leafWidth].reduce(0, +))
        }
      }
      return sum + largest
    }
  }

  /// The second of two outputs alone, where Ingot wrote both of one.
  fileprivate func second(_ path: String) throws -> TreeEnsemble {
    guard outputCount == 2, leafWidth == 2 else { return self }
    var header = header
    header.base = [base[1]]
    header.leafWidth = 1
    return try TreeEnsemble(header, path: path) { array in
      let values = values(of: array)
      return array == .leaves ? Array(values.suffix(leafCount)) : values
    }
  }
}
