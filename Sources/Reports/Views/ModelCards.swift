import Gate
import StrictJSON

/// How a model ended, as a mark, a word and a colour.
struct OutcomeWords {
  let style: String
  let mark: String
  let words: String

  init(_ model: ModelReport) {
    switch model.outcome {
    case .passed:
      (style, mark) = ("pass", "✓")
      words = "passed" + (model.judgement?.limits.map { " \($0.words)" } ?? "")
    case .refused:
      (style, mark) = ("refuse", "✕")
      words = "refused" + (model.judgement?.limits.map { " by \($0.words)" } ?? "")
    case .unusable: (style, mark, words) = ("refuse", "✕", "cannot be used")
    case .unproven: (style, mark, words) = ("none", "–", "unproven: no references")
    }
  }
}

extension ModelView {
  /// The figures that a reader wants first.
  static func cards(_ model: ModelReport) -> [Card] {
    [size(model)].compactMap(\.self) + drift(model) + [search(model)].compactMap(\.self)
  }

  private static func size(_ model: ModelReport) -> Card? {
    let stored = model.weights.reduce(0) { $0 + $1.byteCount }
    guard let bytes = model.byteCount ?? (stored > 0 ? stored : nil) else { return nil }
    let note: String
    if let trained = model.trainedBytes, trained > 0, bytes > 0 {
      let (more, word) = bytes > trained ? (bytes, "larger") : (trained, "smaller")
      let factor = Double(more) / Double(min(bytes, trained))
      note =
        "\(Figures.text(factor, decimals: 1)) times \(word) than \(Figures.bytes(trained))"
    } else {
      note = model.byteCount == nil ? "weights" : "all files"
    }
    return Card(label: "size", value: Figures.bytes(bytes), note: note)
  }

  private static func drift(_ model: ModelReport) -> [Card] {
    guard let judgement = model.judgement, let metrics = judgement.metrics else { return [] }
    func limit(_ key: Limits.Key) -> String {
      guard let limits = judgement.limits else { return "" }
      return "\(key.isFloor ? "at least" : "at most") \(Figures.plain(limits[key]))"
    }
    switch metrics.drift {
    case .embeddings(let metrics):
      return [
        Card(
          label: "cosine, mean", value: Figures.text(metrics.cosine.mean, unlike: 1, fewest: 4),
          note: limit(.cosineMean)),
        Card(
          label: "cosine, lowest", value: Figures.text(metrics.cosine.min, unlike: 1, fewest: 4),
          note: limit(.cosineMin)),
        Card(
          label: "neighbours kept",
          value: Figures.text(metrics.neighbourOverlap, unlike: 1, fewest: 3),
          note: limit(.neighbourOverlap)),
      ]
    case .outputs(let spread):
      return [
        Card(
          label: "change, mean", value: Figures.text(spread.mean, unlike: 0, fewest: 4),
          note: limit(.similarityDriftMean)),
        Card(
          label: "change, largest", value: Figures.text(spread.max, unlike: 0, fewest: 4),
          note: limit(.similarityDriftMax)),
      ]
    }
  }

  private static func search(_ model: ModelReport) -> Card? {
    guard model.isSearch else { return nil }
    let passed = model.candidates.count { $0.isPassed }
    return Card(
      label: "judgements of candidates", value: "\(model.candidates.count)",
      note: "\(passed) passed")
  }
}
