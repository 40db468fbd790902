import Graph
import IngotFeatures
import Trees
import Weights

extension TabularProgram {
  /// Keys of what a program that Ingot wrote says of itself, in the user-defined metadata.
  enum Key {
    /// The requested compression, in words.
    static let recipe = "dev.ingot.recipe"
    /// The digest of the weights that it was made from.
    static let source = "dev.ingot.weights"
    /// The inputs that the weights were fitted to.
    static let calibration = "dev.ingot.calibration"
    /// Numbers of an output of the model: of two classes 1 or 2.
    static let width = "dev.ingot.outputs"
    /// The features as apps give them, where they are more than the numbers that the steps read.
    static let features = "dev.ingot.features"
    /// `probabilities` or `scores`: what the numbers of a classifier are.
    static let gives = "dev.ingot.gives"
  }

  /// Refuses a model that no classic Core ML model can hold.
  ///
  /// - Throws: why, and what to write instead.
  static func check(_ model: Model, isUpdatable: Bool = false) throws {
    if isUpdatable { try checkUpdatable(model) }
    let fault: String?
    switch model.architecture {
    case let forest as ForestModel: fault = forest.faultForCoreML
    case let dense as Dense: fault = dense.faultForCoreML
    case let table as TableModel:
      fault =
        try table.formFault(model.weights).map { fault in
          fault.mend.map { mend in "\(fault.description); \(mend)" }
            ?? "\(fault.description), and Core ML's models of tables have no step for that; leave it out of the pipeline"
        }
        ?? "keeps its steps one by one, as an older version of Ingot did; give the file that it was made of"
    default:
      fault =
        "takes \(model.architecture.input.words), and Core ML's models of tables are trees and "
        + "linear models over named numbers"
    }
    guard let fault else { return }
    let isClassicAlone =
      model.architecture is ForestModel || model.architecture is TableModel
      || (model.architecture as? Dense)?.norm != nil
    let others = ModelFormat.allCases.filter { format in
      !format.type.holdsTablesAlone && !(format.type.programs != nil && isClassicAlone)
    }
    let link = model.architecture is TableModel ? ", or write" : "; write"
    throw TabularPlace(model.origin).fault(
      "\(fault)\(link) \(others.map { $0.type.phrase }.joined(separator: " or "))")
  }

  /// Refuses a model that devices cannot train further.
  private static func checkUpdatable(_ model: Model) throws(TabularError) {
    let fault: String
    switch (model.architecture as? Dense).map({
      ($0.layers.count, $0.output, $0.layers[0].activation)
    }) {
    case (1, .numbers(1), .identity)?, (1, .classes, .softmax)?, (1, .classes, .sigmoid)?: return
    case (1, _, let activation)?:
      fault = "is a linear model with the activation '\(activation.rawValue)'"
    case (let count, _, _)?: fault = "is a network of \(count) layers"
    case nil where model.architecture is ForestModel: fault = "is made of trees"
    case nil: fault = "takes \(model.architecture.input.words)"
    }
    throw TabularPlace(model.origin).fault(
      "\(fault), and of models of tables devices train further a linear regressor, or a linear classifier by "
        + "softmax or one sigmoid; write it without 'updatable'")
  }

  /// A model of tables that `check` lets pass, with these numbers.
  ///
  /// The program is written, read again, and compared: number by number with the one that was meant, and
  /// on rows around its thresholds with the model.
  ///
  /// - Parameters:
  ///   - metadata: what the program says about itself.
  ///   - isUpdatable: whether devices are to train it further.
  /// - Returns: the program, and its bytes.
  static func make(
    of model: Model, _ numbers: TabularNumbers, _ metadata: Metadata, isUpdatable: Bool = false
  ) throws -> (program: TabularProgram, bytes: [UInt8]) {
    var options = TabularOptions(output: model.architecture.outputName, metadata: metadata)
    options.metadata.userDefined[Key.width] = "\(model.architecture.output.width)"
    if case .classes(_, _, let scale) = model.architecture.output {
      options.metadata.userDefined[Key.gives] = scale == .scores ? "scores" : "probabilities"
    }
    let path = model.origin
    let program: TabularProgram
    let probe: TabularProbe
    switch model.architecture {
    case let forest as ForestModel:
      let trees = try forest.trees(numbers, path)
      for feature in trees.features { options.texts[feature.name] = feature.words }
      if trees.features.contains(where: { $0 != TreeFeature($0.name) }) {
        options.metadata.userDefined[Key.features] = try trees.schema.text
      }
      program = try TabularProgram(trees, path: path, options: options)
      probe = TabularProbe(trees)
    case let dense as Dense:
      let linear = try LinearNumbers(dense, numbers)
      if !dense.features.isPlain {
        options.metadata.userDefined[Key.features] = dense.features.text
        for feature in dense.features.features { options.texts[feature.name] = feature.words }
      }
      program = try linear.chain(dense, trainable: isUpdatable ? options.output : nil)
        .program(path: path, options: options)
      probe = try TabularProbe(linear, dense, isRounded: isUpdatable)
    default: throw TabularPlace(path).fault("is not a model of tables")
    }
    let bytes = try program.serialized()
    guard bytes.count <= TabularProgram.fileLimit else {
      throw TabularPlace(path).fault(
        "would have \(bytes.count) bytes as a Core ML model, which has at most \(TabularProgram.fileLimit); "
          + "write it as safetensors")
    }
    let again = try TabularProgram(reading: bytes, path: path)
    // By bytes: NaN, which imputers replace, equals nothing.
    guard try again.serialized() == bytes else {
      throw TabularPlace(path).fault("reads back from Core ML's message with other numbers")
    }
    try probe.compare(again, path: path)
    return (again, bytes)
  }
}

extension ForestModel {
  /// Why Core ML cannot hold the trees, by what their description says; nil if nothing there is against it.
  fileprivate var faultForCoreML: String? {
    if case .numbers(let width) = output, width > 1 {
      return "gives \(width) numbers, and a regressor of Core ML's gives one"
    }
    if case .classes(_, 1, .scores) = output {
      return
        "gives one score that decides at 0, and Core ML decides between two classes at one half"
    }
    switch header.transform {
    case .exponential: return "gives exp of a sum, for which Core ML's trees have no step"
    case .isolation: return "is an isolation forest, for whose score Core ML's trees have no step"
    case .oneVersusRest:
      return "divides sigmoids by their sum (one-vs-rest), for which Core ML's trees have no step"
    case .identity, .sigmoid, .softmax, .share: return nil
    }
  }

  /// The ensemble with these numbers.
  fileprivate func trees(_ numbers: TabularNumbers, _ path: String) throws -> TreeModel {
    let ensemble = try TreeEnsemble(header, path: path) { array in
      try numbers.values(of: TreeSum.reference(array, header).name)
    }
    return TreeModel(
      ensemble: ensemble, features: description.features, task: description.task,
      library: description.library, givesProbabilities: description.givesProbabilities,
      outputName: description.outputName)
  }
}

extension TreeFeature {
  /// What an app's developer is told about the input.
  fileprivate var words: String {
    switch kind {
    case .number: "A number; NaN where it is missing"
    case .boolean: "1 is true, 0 is false; NaN where it is missing"
    case .category(let names) where names.isEmpty:
      "The number of a category; NaN where it is missing"
    case .category(let names):
      "A category: "
        + names.enumerated().map { "\($0.offset) is '\($0.element)'" }.joined(separator: ", ")
        + "; NaN where it is missing"
    }
  }
}

extension TreeModel {
  /// The features as apps give them.
  fileprivate var schema: FeatureSchema {
    get throws(FeatureError) { try FeatureSchema(features.map(\.feature)) }
  }
}

extension FeatureSchema {
  /// Its one text.
  fileprivate var text: String { String(decoding: json, as: UTF8.self) }

  /// The features that a program says it has.
  ///
  /// - Throws: if the text is none of features.
  init(stated text: String, at place: TabularPlace) throws(TabularError) {
    do throws(FeatureError) {
      self = try FeatureSchema(json: Array(text.utf8))
    } catch {
      throw place.fault(
        "'\(TabularProgram.Key.features)' does not describe features: \(error.description)")
    }
  }
}
