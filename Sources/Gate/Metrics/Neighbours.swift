import Inputs

/// Which inputs are nearest to an input, before and after.
///
/// Each input asks among the inputs of each kind: an image looks for images, and for texts. Among
/// all at once it would only ever find its own kind, because the embeddings of an image encoder and
/// of a text encoder are far apart (Liang et al. 2022, "Mind the Gap").
struct Neighbours {
  /// Mean share of the nearest neighbours kept.
  private(set) var overlap = 1.0
  /// Share of nearest neighbours that stay the same.
  private(set) var topOne = 1.0

  /// Neighbours that are compared: ten, or a quarter of the inputs where there are fewer than
  /// forty, one at least.
  static func count(inputs: Int) -> Int { inputs < 40 ? max(1, inputs / 4) : 10 }

  /// - Parameters:
  ///   - rows: the rows of each kind.
  ///   - moved: kinds with a row that changed.
  init(before: Vectors, after: Vectors, rows: [InputKind: [Int]], moved: Set<InputKind>) {
    var overlaps: [Double] = [], topOnes: [Double] = []
    for asking in rows.keys.sorted() {
      for asked in rows.keys.sorted() where moved.contains(asking) || moved.contains(asked) {
        guard let all = rows[asked], let askers = rows[asking] else { continue }
        let maximum = Neighbours.count(inputs: all.count)
        // Where all there are must be named there is nothing to choose.
        guard all.count - (asking == asked ? 1 : 0) > maximum else { continue }
        var kept = 0, sameFirst = 0
        for row in askers {
          let old = before.nearest(to: row, among: all, maximum: maximum)
          let new = after.nearest(to: row, among: all, maximum: maximum)
          kept += Set(old).intersection(new).count
          if old.first == new.first { sameFirst += 1 }
        }
        overlaps.append(Double(kept) / Double(maximum * askers.count))
        topOnes.append(Double(sameFirst) / Double(askers.count))
      }
    }
    guard !overlaps.isEmpty else { return }
    overlap = Statistics.mean(overlaps)
    topOne = Statistics.mean(topOnes)
  }
}
