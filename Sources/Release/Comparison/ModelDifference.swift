import Files
import Formats
import Graph
import Weights

/// Finds differences between two models on disk: weight files or folders.
enum ModelDifference {
  /// Every cause, in their order; empty if there is none that Ingot knows of.
  ///
  /// - Parameter progress: told each tensor.
  /// - Throws: when one of the two cannot be read as its kind.
  static func causes(
    _ left: String, _ right: String, progress: (ComparisonStep) -> Void
  ) throws -> [Cause] {
    let (left, right) = (try ComparedModel(left), try ComparedModel(right))
    var causes = Causes()
    causes.compare(.option, left.facts.options, right.facts.options)
    causes.compare(.baseline, left.facts.source, right.facts.source)
    if left.format == right.format {
      causes.add(try left.tensors.difference(to: right.tensors, progress: progress))
    }
    causes.compare(.tokenizer, left.facts.tokenizer, right.facts.tokenizer)
    causes.compare(.description, left.facts.description, right.facts.description)
    return causes.all
  }
}

/// A model as it is compared.
private struct ComparedModel {
  let format: String
  /// Its statements about itself, its format among them.
  let facts: ModelFacts
  let tensors: ComparedTensors

  init(_ path: String) throws {
    if let folder = ModelFormat.meant(by: path)?.folder {
      let found = try folder.inspect(path, ModelFiles(carriedBy: path, texts: [:]))
      self.init(found.format.name, found.modelFacts, ComparedTensors(found))
    } else {
      let weights = try ModelLoader.weights(of: path)
      self.init(weights.format, try Self.facts(of: weights), ComparedTensors(weights))
    }
  }

  private init(_ format: String, _ facts: ModelFacts, _ tensors: ComparedTensors) {
    self.format = format
    var facts = facts
    facts.options["format"] = format
    self.facts = facts
    self.tensors = tensors
  }

  /// The facts that weights state of themselves; as trained they state them in metadata alone.
  private static func facts(of weights: WeightCollection) throws -> ModelFacts {
    if let format = ModelFormat.written(weights) { return try format.facts(weights) }
    var facts = ModelFacts()
    facts.description = weights.metadata
    return facts
  }
}
