package import StrictJSON
import Weights

/// A transformer like BERT: tables of words and positions, then blocks of attention and two linear
/// layers, each with a norm behind the sum.
///
/// To add one: its keys, and what its `PostNormShape` has that BERT's has not.
package protocol PostNormEncoder: SentenceArchitecture {
  /// The numbers and names of the transformer.
  var shape: PostNormShape { get }
  /// A transformer and what lies around it.
  init(shape: PostNormShape, sentence: SentenceEncoder)
  /// Reads `config.json`.
  ///
  /// - Throws: on keys and values that are not understood, and on weights under names that the
  ///   library would not read.
  static func shape(_ config: JSONObject, weights: any WeightSource) throws -> PostNormShape
  /// The layers behind it in a classifier of texts.
  static var head: ClassifierHead { get }
}

extension PostNormEncoder {
  package var vocabulary: Int { shape.vocabulary }

  package static func recognise(_ files: ModelFiles, weights: any WeightSource) throws -> Self? {
    guard let reader = try SentenceReader(files, modelTypes: modelTypes),
      try TextClassifier.encoder(of: files) == nil
    else { return nil }
    let shape = try shape(reader.config, weights: weights)
    let encoder = Self(
      shape: shape,
      sentence: try reader.encoder(
        hidden: shape.hidden, positions: shape.positions, unused: shape.unusedPositions))
    let place = reader.config.origin
    let used = try encoder.graph(batch: 1, length: 1).weights.map(\.name)
    try shape.names.refuseBareTwins(of: used, pooler: shape.pooler, weights, place)
    try encoder.check(weights, of: place)
    return encoder
  }

  package func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    var transformer = PostNormGraph(shape, batch: batch, length: length)
    let (states, mask) = try transformer.build()
    var end = SentenceGraph(sentence, behind: transformer.graph, batch: batch, length: length)
    return try end.finish(states, mask)
  }
}
