import Files
import Formats
import Graph
import StrictJSON
import Weights

/// Finds differences between two models on disk: weight files, folders or Core ML packages.
enum ModelDifference {
  /// Every cause, in their order; empty if there is none that Ingot knows of.
  ///
  /// - Throws: when one of the two cannot be read as its kind.
  static func causes(_ left: String, _ right: String) throws -> [Cause] {
    let (left, right) = (try ModelFacts(left), try ModelFacts(right))
    var causes = Causes()
    causes.compare(.option, left.options, right.options)
    causes.compare(.baseline, left.baseline, right.baseline)
    if left.options["format"] == right.options["format"] {
      causes.add(try left.tensors.difference(to: right.tensors))
    }
    causes.compare(.tokenizer, left.tokenizer, right.tokenizer)
    causes.compare(.description, left.description, right.description)
    return causes.all
  }
}

/// A model's description of itself.
private struct ModelFacts {
  var options: [String: String] = [:]
  /// Digest of the weights it was made of, as far as it names them.
  var baseline: String?
  let tensors: ComparedTensors
  var tokenizer: String?
  var description: [String: String] = [:]

  init(_ path: String) throws {
    if CoreMLPackage.isMeant(path) {
      try self.init(
        CoreMLInspection(path, files: ModelFiles(carriedBy: path, texts: [:])))
    } else {
      try self.init(ModelWeights.open(path))
    }
  }

  private init(_ package: CoreMLInspection) throws {
    tensors = ComparedTensors(package)
    var metadata = package.metadata
    options["format"] = CoreMLPackage.name
    options["recipe"] = metadata.removeValue(forKey: CoreMLPackage.recipeKey)
    options["specificationVersion"] = "\(package.specificationVersion)"
    options["opset"] = package.opset
    baseline = metadata.removeValue(forKey: CoreMLPackage.sourceKey)
    description = metadata
    description["inputs"] = package.inputs.map(\.words).joined(separator: "; ")
    description["outputs"] = package.outputs.map(\.words).joined(separator: "; ")
    description["operations"] = package.operations.sorted { $0.key < $1.key }
      .map { "\($0.key) × \($0.value)" }.joined(separator: ", ")
  }

  private init(_ weights: WeightCollection) throws {
    tensors = ComparedTensors(weights)
    var metadata = weights.metadata
    options["format"] = weights.format
    guard CompressedSafetensors.isCompressed(weights) else {
      description = metadata
      return
    }
    options["recipe"] = metadata.removeValue(forKey: CompressedSafetensors.recipeKey)
    baseline = metadata.removeValue(forKey: CompressedSafetensors.sourceKey)
    // The tensors themselves show their differences.
    metadata[CompressedSafetensors.tensorsKey] = nil
    let texts = try JSONParser.parseObject(
      Array(metadata.removeValue(forKey: CompressedSafetensors.filesKey)?.utf8 ?? "{}".utf8),
      origin: weights.origin)
    for member in texts.members {
      let digest = ContentDigest(of: Array(try texts.string(member.key).utf8)).hex
      if member.key == CoreMLPackage.tokenizerFile {
        tokenizer = digest
      } else {
        description[member.key] = digest
      }
    }
    description.merge(metadata) { file, _ in file }
  }
}

extension CoreMLInspection.Feature {
  fileprivate var words: String {
    "\(name) \(type)" + (description.isEmpty ? "" : ": \(description)")
  }
}
