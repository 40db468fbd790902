import StrictJSON
import Weights

/// A transformer like BERT: tables of words and positions, then blocks of attention and two linear
/// layers, each with a norm behind the sum.
///
/// To add one: its keys, and what its `PostNormShape` has that BERT's has not.
protocol PostNormEncoder: TransformerArchitecture {
  /// Reads `config.json`.
  ///
  /// - Throws: on keys and values that are not understood, and on weights under names that the
  ///   library would not read.
  static func shape(_ config: JSONObject, weights: any WeightSource) throws -> PostNormShape
  /// The layers behind it in a classifier of texts.
  static var head: ClassifierHead { get }
}

extension PostNormEncoder {
  static func transformer(
    _ config: JSONObject, weights: any WeightSource
  ) throws -> any TextTransformer {
    try shape(config, weights: weights)
  }

  static func head(_ task: HeadTask, _ config: JSONObject) -> ClassifierHead? {
    switch task {
    case .texts: head
    case .tokens: .everyToken
    }
  }
}

extension PostNormShape: TextTransformer {
  var unusedPositions: Int { padding.map { $0 + 1 } ?? 0 }
  var unreadLayers: [String] { pooler.map { [$0] } ?? [] }

  func readingTypes() -> any TextTransformer {
    var copy = self
    copy.readsTypes = (segments ?? 0) > 1
    return copy
  }

  func states(batch: Int, length: Int) throws(GraphError) -> TokenStates {
    var builder = PostNormGraph(shape: self, batch: batch, length: length)
    return try builder.build()
  }
}
