import Gate
import StrictJSON

/// How many inputs drifted how far: a bar for each range of values.
struct HistogramPlot {
  struct Bar {
    let x: String
    let width: String
    let y: String
    let height: String
  }

  struct Mark {
    let x: String
    let textY: String
    let anchor: String
    let label: String
    let isLimit: Bool
  }

  struct Row {
    let range: String
    let count: String
  }

  let label: String
  let bars: [Bar]
  let marks: [Mark]
  let ticks: [FrontierPlot.Column]
  /// Ranges that hold something.
  let rows: [Row]

  private static let count = 32, top = 60.0, floor = 240.0

  /// The cosines of a model's embeddings; nil without any.
  static func cosines(_ details: DriftDetails.Embeddings, _ judgement: Judgement) -> HistogramPlot?
  {
    guard let least = details.cosines.min(), details.cosines.allSatisfy(\.isFinite),
      case .embeddings(let metrics)? = judgement.metrics?.drift
    else { return nil }
    var marks = [("mean", metrics.cosine.mean, false)]
    if let limits = judgement.limits {
      marks.append(("limit of the mean", limits[.cosineMean], true))
      marks.append(("limit of the lowest", limits[.cosineMin], true))
    }
    // A limit far from everything would squeeze the bars.
    let lower = min(least, max(limitsFloor(judgement), 1 - 2 * (1 - least)))
    return HistogramPlot(
      details.cosines, from: min(lower, 1 - 1e-6), to: 1, marks: marks,
      what: "cosine before and after")
  }

  /// The changes of outputs; nil without any.
  static func changes(_ details: DriftDetails.Outputs, _ judgement: Judgement) -> HistogramPlot? {
    guard let most = details.changes.max(), details.changes.allSatisfy(\.isFinite),
      case .outputs(let spread)? = judgement.metrics?.drift
    else { return nil }
    var marks = [("mean", spread.mean, false)]
    if let limits = judgement.limits {
      marks.append(("limit of the mean", limits[.similarityDriftMean], true))
      marks.append(("limit of the largest", limits[.similarityDriftMax], true))
    }
    return HistogramPlot(
      details.changes, from: 0, to: max(most * 1.02, 1e-9), marks: marks,
      what: "largest change of an output")
  }

  private static func limitsFloor(_ judgement: Judgement) -> Double {
    judgement.limits.map { $0[.cosineMin] } ?? 1
  }

  private init(
    _ values: [Double], from lower: Double, to upper: Double,
    marks: [(String, Double, Bool)], what: String
  ) {
    let count = HistogramPlot.count, step = (upper - lower) / Double(count)
    var counts = [Int](repeating: 0, count: count)
    for value in values {
      let share = (value - lower) / (upper - lower) * Double(count)
      counts[min(count - 1, max(0, Int(share)))] += 1
    }
    let most = Double(max(1, counts.max() ?? 1))
    let (left, width) = (3.0, 94.0)
    func place(_ value: Double) -> Double { left + width * (value - lower) / (upper - lower) }
    bars = counts.enumerated().filter { $0.element > 0 }.map { index, number in
      // One input is to be seen beside thousands.
      let height = max(3, (HistogramPlot.floor - HistogramPlot.top) * Double(number) / most)
      return Bar(
        x: Place.percent(left + width * Double(index) / Double(count)),
        width: Place.percent(width / Double(count) * 0.86),
        y: Place.pixels(HistogramPlot.floor - height), height: Place.pixels(height))
    }
    self.marks = HistogramPlot.marks(
      marks.filter { $0.1 >= lower && $0.1 <= upper }, at: place)
    ticks = HistogramPlot.ticks(from: lower, to: upper).map {
      FrontierPlot.Column(at: place($0.value), label: $0.label)
    }
    let decimals = max(2, min(9, 1 - Int(Logarithm.ten(step).rounded(.down))))
    rows = counts.enumerated().filter { $0.element > 0 }.map { index, number in
      let start = lower + step * Double(index)
      return Row(
        range: "\(Figures.fixed(start, decimals)) to \(Figures.fixed(start + step, decimals))",
        count: "\(number)")
    }
    label =
      "\(Figures.count(values.count, "value")) of the \(what), from \(Figures.short(lower)) to "
      + "\(Figures.short(upper)); the table below has how many lie in each range."
  }

  private static func marks(
    _ marks: [(String, Double, Bool)], at place: (Double) -> Double
  ) -> [Mark] {
    marks.enumerated().map { number, mark in
      let x = place(mark.1), words = "\(mark.0) \(Figures.short(mark.1))"
      // In the middle of a phone a text fits neither on the left nor on the right.
      let (anchor, label) =
        switch x {
        case ..<36: ("start", "◂ \(words)")
        case 64...: ("end", "\(words) ▸")
        default: ("middle", words)
        }
      return Mark(
        x: Place.percent(x), textY: "\(14 + 18 * number)", anchor: anchor, label: label,
        isLimit: mark.2)
    }
  }

  private static func ticks(
    from lower: Double, to upper: Double
  ) -> [(value: Double, label: String)] {
    let scale = PlotScale(between: lower, and: upper, from: 0, to: 1)
    return scale.ticks.map { ($0, Figures.text($0, decimals: 9)) }
  }
}
