import Gate
import Inputs

/// The loss of an embedding that should just pass, by which a search begins.
///
/// A loss of 1 − cosine takes about 1.2 times its root from the share of neighbours kept, and changes one
/// pair of some hundred by some 0.9 times its root: measured on all-MiniLM-L6-v2. Neighbours are lost by
/// errors that are large beside the distances of embeddings, so that where these lie closer together a
/// smaller loss takes as many.
struct StartingLoss {
  /// How far embeddings of different inputs lie apart: the mean of 1 − cosine over all pairs of them.
  let spread: Double

  /// The spread of the sentences that the figures were measured on.
  private static let usualSpread = 0.92

  /// - Parameter embeddings: of one encoder, [inputs, width].
  init(among embeddings: OutputMatrix) {
    var (sum, count) = ([Double](repeating: 0, count: embeddings.width), 0.0)
    for row in 0..<embeddings.rowCount {
      let values = embeddings[row].map(Double.init)
      let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
      guard length > 0, length.isFinite else { continue }
      for (place, value) in values.enumerated() { sum[place] += value / length }
      count += 1
    }
    // The square of a sum of unit vectors counts each pair twice, and each vector with itself.
    let pairs = sum.reduce(0) { $0 + $1 * $1 } - count
    spread = count > 1 ? max(0, 1 - pairs / (count * (count - 1))) : Self.usualSpread
  }

  /// The loss that should just keep all limits.
  func allowed(by limits: Limits) -> Double {
    let (lost, drift) = (1 - limits[.neighbourOverlap], limits[.similarityDriftMax])
    return min(
      0.8 * (1 - limits[.cosineMean]), 0.45 * lost * lost * spread / Self.usualSpread,
      1.3 * drift * drift)
  }
}
