import StrictJSON

/// Hugging Face's BertModel with the modules behind it that sentence-transformers' `modules.json`
/// prescribes.
///
/// Source: the model's published equations (Devlin et al. 2018, arXiv:1810.04805) and the file
/// layout of Hugging Face transformers and sentence-transformers.
package struct Bert: SentenceArchitecture {
  /// How the token vectors become one sentence vector; the raw value is the library's word. In the
  /// order in which the library joins several that older files switch on.
  package enum Pooling: String, CaseIterable, Sendable {
    case firstToken = "cls"
    case maximum = "max"
    case mean
    case meanOfRoot = "mean_sqrt_len_tokens"
    case weightedMean = "weightedmean"
    case lastToken = "lasttoken"
  }

  package static let name = "bert"

  let shape: BertShape
  package let sentence: SentenceEncoder

  package var vocabulary: Int { shape.vocabulary }

  package func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    var builder = BertGraph(bert: self, batch: batch, length: length)
    return try builder.build()
  }
}

extension Bert.Pooling {
  /// The switch that stood for it up to sentence-transformers 5.3.
  package var oldKey: String {
    switch self {
    case .firstToken: "pooling_mode_cls_token"
    case .maximum: "pooling_mode_max_tokens"
    case .mean: "pooling_mode_mean_tokens"
    case .meanOfRoot: "pooling_mode_mean_sqrt_len_tokens"
    case .weightedMean: "pooling_mode_weightedmean_tokens"
    case .lastToken: "pooling_mode_lasttoken"
    }
  }

  static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension Bert {
  package static func recognise(_ files: ModelFiles, weights: any WeightSource) throws -> Bert? {
    guard let reader = try SentenceReader(files, modelType: name) else { return nil }
    let shape = try BertShape(reader.config, weights: weights)
    let bert = Bert(
      shape: shape,
      sentence: try reader.encoder(hidden: shape.hidden, positions: shape.positions))
    let place = reader.config.origin
    let used = try bert.graph(batch: 1, length: 1).weights.map(\.name)
    try shape.names.refuseBareTwins(of: used, weights, place)
    try bert.check(weights, of: place)
    return bert
  }
}
