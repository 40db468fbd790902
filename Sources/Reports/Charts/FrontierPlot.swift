import Gate
import StrictJSON

/// Size against drift: a point for each candidate, and the limits as lines.
///
/// Places along the axis of sizes are percentages of the width, so that text keeps its size on any
/// screen; places along the other are pixels.
struct FrontierPlot {
  struct Line {
    let y: String
    /// Where its text goes.
    let textY: String
    let label: String
    /// The limit that was asked for, not that of another profile.
    var isOwn = false
  }

  struct Column {
    let x: String
    /// Which part of the text is there: at the edges it must not be cut off.
    let anchor: String
    let label: String

    /// - Parameter place: 0...100.
    init(at place: Double, label: String) {
      x = Place.percent(place)
      anchor = place < 12 ? "start" : place > 88 ? "end" : "middle"
      self.label = label
    }
  }

  struct Point {
    let x: String
    let y: String
    let isPassed: Bool
    let isRefused: Bool
    /// Judged by references that a search did not see.
    let isVerdict: Bool
    /// Its number, where there is room for it.
    let number: String?
    let numberX: String
    let anchor: String
    let title: String
  }

  let label: String
  let rows: [Line]
  let columns: [Column]
  let limits: [Line]
  let budget: Column?
  let points: [Point]
  let height: String
  let bottom: String
  let axisY: String

  private static let top = 24.0, floor = 292.0

  /// Nil where no candidate was measured.
  init?(_ candidates: [Candidate], limits: Limits?, budget: Int?) {
    let measured = candidates.filter { $0.metrics?.frontierDrift.isFinite == true }
    guard let metrics = measured.first?.metrics else { return nil }
    let isEmbedding = if case .embeddings = metrics.drift { true } else { false }
    let own = limits.map { $0.frontierDrift(ofEmbeddings: isEmbedding) }
    let drifts = measured.compactMap { $0.metrics?.frontierDrift }.map { max($0, 1e-9) }
    let y = PlotScale(
      drifts + (own.map { [$0] } ?? []).filter { $0 > 0 }, isLogarithmic: true, padding: 0.08,
      from: FrontierPlot.floor, to: FrontierPlot.top)
    let x = PlotScale(
      measured.map { Double($0.weightBytes) }, isLogarithmic: false, padding: 0.06, from: 16,
      to: 92)
    rows = y.ticks.map { FrontierPlot.line($0, y, label: Figures.plain(FrontierPlot.clean($0))) }
    columns = x.ticks.map {
      Column(at: x.place(of: $0), label: FrontierPlot.size($0, in: x))
    }
    self.limits = limits.map { FrontierPlot.limits($0, y, ofEmbeddings: isEmbedding) } ?? []
    self.budget = budget.flatMap { bytes in
      guard x.contains(Double(bytes)) else { return nil }
      return Column(at: x.place(of: Double(bytes)), label: "budget")
    }
    points = FrontierPlot.points(measured, x, y)
    (height, bottom) = ("336", Place.pixels(FrontierPlot.floor))
    axisY = "314"
    let passed = measured.count { $0.isPassed }
    label =
      "\(Figures.count(measured.count, "candidate")) by bytes of weights, from left to right, and "
      + (isEmbedding ? "1 minus the mean cosine" : "mean change of outputs")
      + ", from bottom to top: \(passed) passed, \(measured.count - passed) refused. "
      + "The table below has the numbers."
  }

  private static func line(_ value: Double, _ y: PlotScale, label: String) -> Line {
    let place = y.place(of: value)
    return Line(y: Place.pixels(place), textY: Place.pixels(place - 5), label: label)
  }

  /// A round value without the last bits of a product.
  private static func clean(_ value: Double) -> Double { Double(Figures.short(value)) ?? value }

  private static func size(_ bytes: Double, in scale: PlotScale) -> String {
    scale.upper < 1e6
      ? Figures.text(bytes / 1e3, decimals: 2) + " kB"
      : Figures.text(bytes / 1e6, decimals: 2) + " MB"
  }

  /// The limit that was asked for, and those of other profiles where they can be told apart.
  private static func limits(
    _ limits: Limits, _ y: PlotScale, ofEmbeddings: Bool
  ) -> [Line] {
    let key = Limits.frontierKey(ofEmbeddings: ofEmbeddings)
    let others = Limits.Profile.allCases.filter {
      $0 != limits.profile || limits.overridden.contains(key)
    }
    let all = [(limits, "limit ", true)] + others.map { (Limits(of: $0), "", false) }
    var lines: [Line] = [], places: [Double] = []
    for (limits, word, isOwn) in all {
      let drift = limits.frontierDrift(ofEmbeddings: ofEmbeddings)
      let place = y.place(of: drift)
      guard drift > 0, y.contains(drift), places.allSatisfy({ ($0 - place).magnitude >= 20 }) else {
        continue
      }
      places.append(place)
      let name = isOwn && limits.overridden.contains(key) ? "" : "\(limits.profile.rawValue): "
      lines.append(
        Line(
          y: Place.pixels(place), textY: Place.pixels(place - 5),
          label: "\(word)\(name)\(limits.phrase(key))", isOwn: isOwn))
    }
    return lines
  }

  private static func points(
    _ candidates: [Candidate], _ x: PlotScale, _ y: PlotScale
  ) -> [Point] {
    var taken: [(x: Double, y: Double)] = []
    return candidates.map { candidate in
      let drift = candidate.metrics?.frontierDrift ?? 0
      let left = x.place(of: Double(candidate.weightBytes))
      let height = y.place(of: max(drift, 1e-9))
      let isVerdict = candidate.share == "verdict"
      // Some 20 pixels of a small screen, or the height of a digit.
      let side = isVerdict ? -5.0 : 5.0
      let isFree = taken.allSatisfy {
        ($0.x - left - side).magnitude > 6 || ($0.y - height).magnitude > 13
      }
      if isFree { taken.append((left + side, height)) }
      let share = candidate.share.map { ", judged by the \($0) share" } ?? ""
      return Point(
        x: Place.percent(left), y: Place.pixels(height), isPassed: candidate.isPassed,
        isRefused: !candidate.isPassed, isVerdict: isVerdict,
        number: isFree && candidates.count > 1 ? "\(candidate.number)" : nil,
        numberX: isVerdict ? "-13" : "11", anchor: isVerdict ? "end" : "start",
        title: "candidate \(candidate.number): \(Figures.bytes(candidate.weightBytes)), "
          + "drift \(Figures.short(drift)), \(candidate.isPassed ? "passed" : "refused")\(share)")
    }
  }
}
