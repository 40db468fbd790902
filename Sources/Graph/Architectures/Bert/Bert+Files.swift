import StrictJSON

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
