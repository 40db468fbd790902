import Graph

/// A Core ML package's statements to the app that loads it, beyond its architecture.
struct CoreMLStatement: ModelStatement {
  /// In the order of the interface; of a classifier the label's and that of its numbers.
  package let outputNames: [String]
  /// Lengths that a text's tokens may have, ascending; [1] for anything else.
  package let lengths: [Int]
  /// Whether an input may have any length between the first and the last.
  package let isRange: Bool
  /// Type of an embedding; nil of another output.
  package let outputType: CoreMLOptions.OutputType?
  /// The oldest system that loads it; nil of one that Ingot does not write for.
  package let target: DeploymentTarget?
  /// The sentence that holds the names of features in their order; nil if they have none.
  package let featureWords: String?
  /// Description, author, license and version, by the names of a project file; empty if not given.
  package let words: [String: String]

  init(_ model: SpecModel, lengths: [Int]) {
    let description = model.description_p
    let metadata = description.metadata
    self.lengths = lengths
    outputNames = description.output.map(\.name)
    isRange = description.input.contains { $0.isRange }
    outputType =
      description.predictedFeatureName.isEmpty ? description.output.first?.floats : nil
    target = DeploymentTarget.allCases.first {
      $0.specificationVersion == Int(model.specificationVersion)
    }
    featureWords = description.input.first.map(\.shortDescription).flatMap { words in
      words.hasPrefix(CoreMLStatement.featurePrefix) ? words : nil
    }
    words = [
      "description": metadata.shortDescription, "author": metadata.author,
      "license": metadata.license, "version": metadata.versionString,
    ]
  }

  /// The first words of the sentence on features.
  private static let featurePrefix = "The features, in this order: "

  package func words(forFeatures names: [String]) -> String { CoreMLStatement.words(for: names) }

  /// A package's sentence on features with these names.
  static func words(for features: [String]) -> String {
    featurePrefix + features.joined(separator: ", ")
  }

  package var options: [(name: String, found: String?)] {
    let lengths =
      isRange ? [lengths.first, lengths.last].compactMap(\.self) : self.lengths
    return [
      ("minimumDeploymentTarget", target?.rawValue),
      (
        "sequenceLength", lengths.map(String.init).joined(separator: isRange ? "..." : ",")
      ),
    ] + (outputType.map { [("outputType", $0.rawValue)] } ?? [])
  }
}

extension CoreMLPackage {
  /// The statement of the package that a model was read from; nil if it is not from one.
  static func programStatement(of model: Model) -> CoreMLStatement? {
    (model.architecture as? CoreMLProgram)?.statement
  }
}

extension SpecFeatureDescription {
  fileprivate var isRange: Bool {
    if case .shapeRange = type.multiArrayType.flexibility { true } else { false }
  }

  fileprivate var floats: CoreMLOptions.OutputType? {
    guard case .multiArrayType(let array) = type.type else { return nil }
    switch array.dataType {
    case .float16: return .float16
    case .float32: return .float32
    default: return nil
    }
  }
}
