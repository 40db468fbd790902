package import Search
import StrictJSON

extension TerminalDrawing {
  /// Bytes of each layer, a bar for each.
  ///
  /// - Parameter printable: makes a name from a file safe to show.
  package func layers(_ weights: [ReportedWeight], printable: (String) -> String) -> String {
    let layers = WeightLayer.all(weights)
    let most = Double(max(1, layers.map(\.byteCount).max() ?? 1))
    return bars(
      layers.map { layer in
        Bar(
          label: printable(layer.name), share: Double(layer.byteCount) / most,
          note: Figures.bytes(layer.byteCount)
            + (layer.bits.map { ", \(Figures.text($0, decimals: 1)) bits" } ?? ""))
      })
  }

  /// The candidates of a search: their sizes as bars, and their drift as a line.
  package func trials(_ trials: [Trial]) -> String {
    let candidates = trials.enumerated().map {
      Candidate(JudgedTrial($0.element), number: $0.offset + 1)
    }
    let most = Double(max(1, candidates.map(\.weightBytes).max() ?? 1))
    let bars = bars(
      candidates.map { candidate in
        let use = candidate.use.flatMap { $0.isFinite ? Figures.percent($0) : nil }
        return Bar(
          label: "\(candidate.number) \(mark(isGood: candidate.isPassed))",
          share: Double(candidate.weightBytes) / most,
          note: Figures.bytes(candidate.weightBytes) + (use.map { ", \($0) of the limits" } ?? ""),
          isGood: candidate.isPassed)
      })
    let drifts = candidates.compactMap { $0.metrics?.frontierDrift }.filter(\.isFinite)
    guard drifts.count > 1 else { return bars }
    return bars + "drift  \(sparkline(drifts.map { Logarithm.ten(max($0, 1e-9)) }))\n"
  }
}
