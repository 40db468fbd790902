import Graph
import Files
import Weights

/// Graphs of a model of fixed lengths for texts that are shorter, where the outputs are proven to be the
/// same: a text of 14 tokens in a package for 256 is run as 16.
///
/// A proof is of weights, too: other weights need their own. It is looked for once for each of the
/// model's lengths.
final class ShortTexts: Sendable {
  private struct Key: Hashable {
    let length: Int
    let tokens: Int
  }

  private struct Known {
    /// By the model's lengths; nil where there is none.
    var proofs: [Int: LengthProof?] = [:]
    var graphs: [Key: ModelGraph?] = [:]
  }

  /// Places that are left out in about the time that a proof takes.
  private static let leastSaving = 2048
  /// Lengths are multiples of this, so that there are few graphs.
  private static let step = 8

  private let model: Model
  private let weights: any WeightSource
  /// The graphs for other weights, and the names of those that differ from them.
  private let base: (graphs: ShortTexts, names: [TensorName])?
  private let known = Mutex(Known())

  /// - Parameter weights: those that the graphs run with.
  /// - Returns: nil for a model that has graphs of every length, or that takes no texts.
  convenience init?(_ model: Model, weights: any WeightSource) {
    guard case .tokens = model.architecture.input, case .single = model.architecture.shapes else {
      return nil
    }
    self.init(model, weights: weights, base: nil)
  }

  private init(
    _ model: Model, weights: any WeightSource, base: (graphs: ShortTexts, names: [TensorName])?
  ) {
    self.model = model
    self.weights = weights
    self.base = base
  }

  /// The same for some weights replaced.
  func replacing(_ names: [TensorName], by weights: any WeightSource) -> ShortTexts {
    let all = ReplacedWeights(names: Set(names), new: weights, old: self.weights)
    return ShortTexts(model, weights: all, base: (self, names))
  }

  /// The model's lengths for which a proof takes less time than it saves.
  ///
  /// - Parameter texts: of each the model's length, and its tokens.
  static func worthwhile(_ texts: [(length: Int, tokens: Int)]) -> Set<Int> {
    var savings: [Int: Int] = [:]
    for text in texts {
      savings[text.length, default: 0] += max(0, text.length - rounded(text.tokens))
    }
    return Set(savings.filter { $0.value >= leastSaving }.keys)
  }

  private static func rounded(_ tokens: Int) -> Int { (tokens + step - 1) / step * step }

  /// The length at which a text's output is proven, at most that of its batch, and the graph for it.
  ///
  /// - Parameters:
  ///   - length: of the model's, to which the text would be padded.
  ///   - tokens: of the text.
  /// - Returns: nil for a text that is run at the model's own length: without a proof; without tokens,
  ///   as its mask shows none; and where nothing would be left out.
  /// - Throws: errors of the model's graph and weights.
  func graph(length: Int, tokens: Int) throws -> (length: Int, graph: ModelGraph)? {
    let short = ShortTexts.rounded(tokens)
    guard tokens > 0, short < length else { return nil }
    let key = Key(length: length, tokens: short)
    if let found = known.withLock({ $0.graphs[key] }) { return found.map { (short, $0) } }
    let graph = try proof(length)?.graph(length: short)
    known.withLock { $0.graphs[key] = .some(graph) }
    return graph.map { (short, $0) }
  }

  // Looked for by one thread while others wait.
  private func proof(_ length: Int) throws -> LengthProof? {
    try known.withLock { known in
      if let found = known.proofs[length] { return found }
      let proof: LengthProof?
      if let base {
        proof = try base.graphs.proof(length)?.replacing(base.names, by: weights)
      } else {
        proof = try LengthProof(try model.graph(batch: 1, length: length), weights: weights)
      }
      known.proofs[length] = .some(proof)
      return proof
    }
  }
}

/// Weights of one source with some from another in their place.
private struct ReplacedWeights: WeightSource {
  /// Those that come from `new`.
  let replaced: Set<TensorName>
  let new: any WeightSource
  let old: any WeightSource

  init(names: Set<TensorName>, new: any WeightSource, old: any WeightSource) {
    (replaced, self.new, self.old) = (names, new, old)
  }

  var names: [TensorName] { old.names }

  private func source(of name: TensorName) -> any WeightSource {
    replaced.contains(name) ? new : old
  }

  func shape(of name: TensorName) -> [Int]? { source(of: name).shape(of: name) }

  func floats(of name: TensorName) throws -> [Float] { try source(of: name).floats(of: name) }

  func forEachPiece(of name: TensorName, _ body: (Span<Float>) -> Bool) throws {
    try source(of: name).forEachPiece(of: name, body)
  }
}
