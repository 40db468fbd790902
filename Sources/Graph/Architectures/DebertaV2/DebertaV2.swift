import StrictJSON
import Weights

/// Hugging Face's DebertaV2Model, of DeBERTa-v2 and v3: attention between contents and distances.
///
/// Source: He et al. 2020, arXiv:2006.03654, and 2021, arXiv:2111.09543, and the file layout of
/// Hugging Face transformers.
package struct DebertaV2: SentenceArchitecture {
  package static let name = "deberta-v2"

  let shape: DebertaV2Shape
  package let sentence: SentenceEncoder

  package var vocabulary: Int { shape.vocabulary }

  package static func recognise(
    _ files: ModelFiles, weights: any WeightSource
  ) throws -> DebertaV2? {
    guard let reader = try SentenceReader(files, modelType: name) else { return nil }
    let shape = try DebertaV2Shape(reader.config, weights: weights)
    let model = DebertaV2(
      shape: shape,
      sentence: try reader.encoder(hidden: shape.hidden, positions: shape.positions))
    let place = reader.config.origin
    let used = try model.graph(batch: 1, length: 1).weights.map(\.name)
    try shape.prefix.refuseBareTwins(of: used, weights, place)
    try model.check(weights, of: place)
    return model
  }

  package func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    var builder = DebertaV2Graph(shape, batch: batch, length: length)
    let (states, mask) = try builder.build()
    var end = SentenceGraph(sentence, behind: builder.graph, batch: batch, length: length)
    return try end.finish(states, mask)
  }
}
