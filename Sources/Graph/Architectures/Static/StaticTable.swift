import Weights

/// The tensors of a static model: rows, and for each token its row and its weight where they differ
/// from token to token.
struct StaticTable: Sendable {
  /// [rows, width]
  let rows: Operand
  /// The row of each token, [tokens]: of a vocabulary whose rows were merged. Nil if token i has
  /// row i.
  let mapping: Operand?
  /// The weight of each token, [tokens]; nil if all are 1.
  let weights: Operand?
  /// Numbers of a token's vector.
  let width: Int
  /// Ids that the table takes.
  let tokens: Int

  private static let ownNames: [TensorName] = ["embedding.weight", "embeddings"]
  private static let mappingName: TensorName = "mapping"
  private static let weightsName: TensorName = "weights"

  /// - Parameter isModel2Vec: whether model2vec reads the model, and not sentence-transformers.
  /// - Throws: if the table is missing, or its shapes do not fit.
  init(
    _ source: any WeightSource, _ files: ModelFiles, folder: String, isModel2Vec: Bool
  ) throws {
    let known = isModel2Vec ? Array(Self.ownNames.reversed()) : Self.ownNames
    let name = known.first { source.shape(of: $0) != nil } ?? known[0]
    guard let shape = source.shape(of: name) else {
      throw ModelError.missingWeight(origin: files.origin, name: name)
    }
    guard shape.count == 2, shape[0] > 0, shape[1] > 0 else {
      throw ModelError.wrongShape(
        origin: files.origin, name: name, found: shape, expected: [1, 1])
    }
    if let type = source.wholeNumberType(of: name), !isModel2Vec {
      throw ModelError.unsupported(
        place: files.name(of: SentenceModules.file), found: "\(quoted(name)) of type \(type)",
        supported: "floating point, which sentence-transformers needs")
    }
    rows = .weight(WeightReference(name, shape, role: .tokenTable))
    width = shape[1]
    // With a plain table sentence-transformers looks for nothing else.
    let hasMore = isModel2Vec || name == "embeddings"
    mapping = hasMore ? Self.perToken(Self.mappingName, source) : nil
    weights = hasMore ? Self.perToken(Self.weightsName, source) : nil
    tokens = mapping.flatMap(\.rows) ?? shape[0]
    try checkPlaces(source, files, rows: shape[0])
  }

  private static func perToken(_ name: TensorName, _ source: any WeightSource) -> Operand? {
    source.shape(of: name).map { .weight(WeightReference(name, $0, role: .statistic)) }
  }

  /// Refuses places outside the table, and numbers of tokens that differ.
  private func checkPlaces(_ source: any WeightSource, _ files: ModelFiles, rows: Int) throws {
    for (name, operand) in [(Self.mappingName, mapping), (Self.weightsName, weights)] {
      guard case .weight(let reference) = operand, reference.shape != [tokens] else { continue }
      throw ModelError.wrongShape(
        origin: files.origin, name: name, found: reference.shape, expected: [tokens])
    }
    guard mapping != nil else { return }
    let places = try source.floats(of: Self.mappingName)
    guard let bad = places.first(where: { !(0..<Float(rows)).contains($0) || $0 != $0.rounded() })
    else { return }
    throw ModelError.unsupported(
      place: files.origin, found: "\(bad) in '\(Self.mappingName)'",
      supported: "rows of a table that has \(rows)")
  }
}

extension Operand {
  /// The first length of a weight.
  fileprivate var rows: Int? {
    if case .weight(let reference) = self { reference.shape.first } else { nil }
  }
}
