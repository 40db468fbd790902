package import Graph
import Tokenization
package import WeightCompression
import Weights

extension CoreMLOptions {
  /// Lengths of token inputs, ascending; without a choice the longest text the model takes; [1] for
  /// features.
  ///
  /// - Throws: `CoreMLError.sequenceLength`.
  package func lengths(of model: Model) throws(CoreMLError) -> [Int] {
    guard case .tokens(let maximum, _) = model.architecture.input else {
      guard sequenceLengths.isEmpty else {
        throw .sequenceLength(
          origin: model.origin, fault: "the model takes no text; leave it out")
      }
      return [1]
    }
    let lengths = Set(sequenceLengths).sorted()
    if let wrong = lengths.first(where: { !(1...maximum).contains($0) }) {
      throw .sequenceLength(
        origin: model.origin,
        fault: "\(wrong) is outside 1...\(maximum), the tokens the model takes")
    }
    if let longest = lengths.last { try requireText(of: model, in: longest) }
    return lengths.isEmpty ? [maximum] : lengths
  }

  /// Refuses a length in which a prompt that the pooling leaves out takes every place: all texts would
  /// get one vector, of zeros where it is a mean.
  private func requireText(of model: Model, in length: Int) throws(CoreMLError) {
    let excluded = model.architecture.excludedTokens
    guard length <= excluded else { return }
    let prompt = model.architecture.preparation.prompt
    // Behind the prompt there has to be room for one token of the text, and for the one that ends it.
    throw .sequenceLength(
      origin: model.origin,
      fault: "\(length) leaves no room for texts: the prompt \(prompt.debugDescription) takes "
        + "\(excluded) tokens with what the tokenizer puts before it, and the pooling leaves them "
        + "out; give at least \(excluded + 2), or another prompt")
  }

  /// Whether one package of a model can take inputs of several lengths, as far as its graphs tell.
  ///
  /// - Throws: the graph's faults.
  package static func takesSeveralLengths(_ model: Model) throws(GraphError) -> Bool {
    guard case .tokens(let maximum, _) = model.architecture.input else { return false }
    return try takesLengths(model, from: (maximum + 1) / 2, to: maximum)
  }

  /// Whether the graphs of two lengths differ only in shapes.
  private static func takesLengths(
    _ model: Model, from minimum: Int, to maximum: Int
  ) throws(GraphError) -> Bool {
    guard case .any = model.architecture.shapes else { return false }
    let longest = try model.architecture.graph(batch: 1, length: maximum)
    let shortest = try model.architecture.graph(batch: 1, length: minimum)
    return GraphsOfLengths.fixed(longest, shortest) == nil
  }

  /// Refuses lengths that no package of a model can have, before any work; what is not text, or a
  /// package already, is judged where it is written.
  ///
  /// - Throws: `CoreMLError.sequenceLength`, and the graph's faults.
  package func checkLengths(of model: Model) throws {
    guard !sequenceLengths.isEmpty, case .tokens = model.architecture.input,
      case .any = model.architecture.shapes
    else { return }
    let lengths = try lengths(of: model)
    guard lengths.count > 1 else { return }
    if try CoreMLOptions.takesLengths(model, from: lengths[0], to: lengths[lengths.count - 1]) {
      return
    }
    throw CoreMLError.sequenceLength(
      origin: model.origin,
      fault: "a package of this model has inputs of one length only, because its graph counts "
        + "places (relative or rotary positions, windows, a causal mask, a pooling of the last token "
        + "or by weights); give one length")
  }

  /// The oldest system that can load a model compressed as planned.
  ///
  /// - Throws: `CoreMLError` naming what does not suit the options, or that no package can be made.
  package func target(of model: Model, _ tensors: [PlannedTensor]) throws -> DeploymentTarget {
    try CoreMLPackage.requireFinite(model)
    return try target(
      of: model.origin, tensors.map { ($0.name, $0.scheme) }, lengths: try lengths(of: model))
  }

  /// The oldest system that can load a model stored so.
  ///
  /// - Parameter tensors: names and schemes.
  /// - Throws: `CoreMLError.target` naming the part that needs a newer system than was asked for.
  func target(
    of origin: String, _ tensors: [(name: TensorName, scheme: Scheme?)], lengths: [Int]
  ) throws(CoreMLError) -> DeploymentTarget {
    var needed = DeploymentTarget.iOS16
    for (name, scheme) in tensors {
      let lowest = DeploymentTarget.lowest(for: scheme)
      if let target, let scheme, lowest > target {
        throw .target(
          origin: origin, what: "tensor '\(name)': \(scheme.label)", needs: lowest,
          requested: target)
      }
      needed = max(needed, lowest)
    }
    if !isRange {
      let lowest = DeploymentTarget.lowest(forChoiceOf: lengths)
      if let target, target < lowest {
        throw .target(
          origin: origin, what: "a choice of sequence lengths", needs: lowest, requested: target)
      }
      needed = max(needed, lowest)
    }
    return target ?? needed
  }
}

extension DeploymentTarget {
  /// The oldest system that can load a package of texts with these lengths to choose among.
  ///
  /// Before iOS 18 only one input may have several shapes, and token models have two.
  package static func lowest(forChoiceOf lengths: [Int]) -> DeploymentTarget {
    lengths.count > 1 ? .iOS18 : .iOS16
  }
}
