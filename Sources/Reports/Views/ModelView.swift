import Gate
import StrictJSON
import Weights

/// One model as its template takes it: texts, lists, and what is there at all.
struct ModelView {
  struct Card {
    let label: String
    let value: String
    let note: String
  }

  struct Reasons {
    let items: [Finding]
    let outlooks: [String]
    let hasOutlooks: Bool
    let mends: [String]
    let hasMends: Bool
  }

  struct Finding {
    let id: String?
    let sentence: String
  }

  struct Row {
    let number: String
    let weights: String
    let drift: String
    let use: String
    let loss: String
    let judge: String
    let verdict: String
    let isPassed: Bool
  }

  struct Frontier {
    let plot: FrontierPlot?
    let driftName: String
    let isSearch: Bool
    let rows: [Row]
  }

  struct InputSet {
    let role: String
    let path: String?
    let size: String
    let sha256: String
  }

  struct Digest {
    let name: String
    let value: String
  }

  /// Where anchors of the model begin: `m1`.
  let anchor: String
  /// The level of its heading, and that of its parts.
  let level: String
  let part: String
  let isPart: Bool
  let name: String
  let outcome: OutcomeWords
  let cards: [Card]
  let reasons: Reasons?
  let metrics: MetricsView?
  let classes: ClassesView?
  let frontier: Frontier?
  let layers: LayerBars?
  let histogram: HistogramPlot?
  let isCosine: Bool
  let worst: WorstView
  let warnings: [Finding]
  let hasWarnings: Bool
  let notes: [String]
  let sets: [InputSet]
  let hasSets: Bool
  let isCalibrated: Bool
  let digests: [Digest]
  let hasDigests: Bool
  let commands: [String]
  let hasCommands: Bool

  init(_ model: ModelReport, number: Int, isPart: Bool) {
    anchor = "m\(number)"
    self.isPart = isPart
    (level, part) = isPart ? ("2", "3") : ("1", "2")
    name = HostileText.cut(model.name, to: 300)
    outcome = OutcomeWords(model)
    cards = ModelView.cards(model)
    reasons = ModelView.reasons(model)
    metrics = model.judgement.flatMap(MetricsView.init)
    classes = model.judgement.flatMap { ClassesView($0.classes) }
    frontier = ModelView.frontier(model)
    layers = LayerBars(model.weights)
    histogram = model.judgement.flatMap(ModelView.histogram)
    isCosine = if case .embeddings? = model.judgement?.details { true } else { false }
    worst = WorstView(model.judgement?.details, model.pictures)
    warnings = model.judgement?.warnings.map(ModelView.finding) ?? []
    hasWarnings = !warnings.isEmpty
    notes = model.notes
    sets = model.sets.map {
      InputSet(
        role: $0.role, path: $0.path.map { HostileText.cut($0, to: 300) }, size: $0.words,
        sha256: $0.digest.hex)
    }
    hasSets = !sets.isEmpty
    isCalibrated = model.sets.contains { $0.role == "calibration" }
    digests = model.digests.map {
      Digest(name: HostileText.cut($0.name, to: 300), value: $0.digest)
    }
    hasDigests = !digests.isEmpty
    commands = model.commands.map { HostileText.cut($0, to: 4000) }
    hasCommands = !commands.isEmpty
  }

  private static func finding(_ finding: Judgement.Finding) -> Finding {
    Finding(id: finding.id, sentence: HostileText.cut(finding.sentence, to: 2000))
  }

  private static func reasons(_ model: ModelReport) -> Reasons? {
    guard let judgement = model.judgement, !judgement.reasons.isEmpty else { return nil }
    return Reasons(
      items: judgement.reasons.map(finding), outlooks: judgement.outlooks.map(\.text),
      hasOutlooks: !judgement.outlooks.isEmpty,
      mends: model.mends.map { HostileText.cut($0, to: 2000) }, hasMends: !model.mends.isEmpty)
  }

  private static func histogram(_ judgement: Judgement) -> HistogramPlot? {
    switch judgement.details {
    case .embeddings(let details): HistogramPlot.cosines(details, judgement)
    case .outputs(let details): HistogramPlot.changes(details, judgement)
    case nil: nil
    }
  }

  private static func frontier(_ model: ModelReport) -> Frontier? {
    guard !model.candidates.isEmpty else { return nil }
    let isOutputs =
      model.candidates.contains { if case .outputs? = $0.metrics?.drift { true } else { false } }
    return Frontier(
      plot: FrontierPlot(
        model.candidates, limits: model.judgement?.limits, budget: model.budget),
      driftName: isOutputs ? "mean change of outputs" : "1 − mean cosine", isSearch: model.isSearch,
      rows: model.candidates.map(row))
  }

  private static func row(_ candidate: Candidate) -> Row {
    let use = candidate.use.flatMap { $0.isFinite ? $0 : nil }
    return Row(
      number: "\(candidate.number)", weights: Figures.bytes(candidate.weightBytes),
      drift: candidate.metrics.map { Figures.short($0.frontierDrift) } ?? "not measured",
      use: use.map { Figures.percent($0) } ?? "–",
      loss: candidate.predictedLoss.map { $0.isFinite ? Figures.significant($0) : "–" } ?? "–",
      judge: candidate.share ?? "references",
      verdict: candidate.isPassed ? "passed" : "refused", isPassed: candidate.isPassed)
  }
}
