package import Graph
package import Inputs
import StrictJSON
package import Weights

/// Runs the weights that ship against reference inputs and decides whether they may.
package struct Gate {
  /// The references that it runs.
  package let references: ReferenceSet
  private let limits: Limits
  private let threshold: Double?
  let agreements: [SourceAgreement]
  let allowsOtherPreparation: Bool
  /// The search before it, for the receipts; nil without one.
  private var search: SearchRecord?
  let jobs: Int
  /// Whether outputs of baselines are kept for the next candidate.
  private(set) var keepsBaselines = false
  /// Which verdicts say what makes the drift.
  package var attribution = Attribution.ofRefusals

  /// When weights are swapped to find those that make the drift.
  package enum Attribution: Sendable { case none, ofRefusals, always }

  /// - Parameters:
  ///   - threshold: from which similarity a pair counts as a match (or a single output as the
  ///     second label, 0.5 when nil); no pair flips without one.
  ///   - agreements: proofs that baselines give the outputs made elsewhere, for the receipts.
  ///   - allowsOtherPreparation: whether a candidate may have another tokenizer, or prepare images
  ///     otherwise; a warning in the receipt then says so.
  ///   - jobs: threads.
  package init(
    on references: ReferenceSet, _ limits: Limits, threshold: Double?,
    agreements: [SourceAgreement] = [], allowsOtherPreparation: Bool = false, jobs: Int
  ) {
    self.references = references
    self.limits = limits
    self.threshold = threshold
    self.agreements = agreements
    self.allowsOtherPreparation = allowsOtherPreparation
    self.jobs = jobs
  }

  /// The same gate after a search, for what that found: receipts name the search.
  ///
  /// - Parameters:
  ///   - shares: the references of the search; its verdict's are those of this gate.
  ///   - searched: candidates that the search's share judged.
  ///   - judged: candidates that the verdict's share judged, the next one included.
  package func after(searchOn shares: ReferenceShares, searched: Int, judged: Int) -> Gate {
    precondition(shares.verdict.digest == references.digest, "a verdict on other references")
    var gate = self
    gate.search = SearchRecord(shares, searchCandidates: searched, verdictCandidates: judged)
    return gate
  }

  /// The same gate for one candidate after the other: a baseline runs on the references once, as long as
  /// its bytes stay the same.
  package func keepingBaselines() -> Gate {
    var gate = self
    gate.keepsBaselines = true
    return gate
  }

  /// Judges a candidate by running both sides. If outputs were given instead of a model, a pass
  /// gives no receipt.
  ///
  /// If a model has an image and a text encoder, both may be candidates, or one: the other is then
  /// the baseline's own. A pass gives one receipt for each candidate.
  ///
  /// - Parameter progress: told each step; called from any thread.
  /// - Throws: `EvaluationError` when the two cannot be compared on this set, rows do not suit it,
  ///   or an agreement the baseline, and errors from reading weights or running a graph. A candidate
  ///   that drifted is a refusal, not an error.
  package func judge(
    _ candidate: GateSide, against baseline: GateSide,
    progress: @escaping @Sendable (GateStep) -> Void = { _ in }
  ) throws -> Verdict {
    let run = try GateRun(of: self, candidate, against: baseline, progress: progress)
    let findings = try run.findings()
    guard let outcome = outcome(run, findings) else {
      return Verdict(refusing: findings, run.evaluation)
    }
    return Verdict(
      outcome: outcome, refusals: [], notices: findings.warnings, metrics: findings.metrics,
      flips: findings.flips, outlooks: [], limits: limits,
      known: findings.known, labels: findings.labels, classes: findings.classes,
      coverage: findings.coverage, causes: findings.causes, trees: findings.trees,
      details: findings.details)
  }

  /// The same of models that were staged together.
  package func judge(_ candidates: [Model], against trained: [Model]) throws -> Verdict {
    try judge(.models(candidates), against: .models(trained))
  }

  /// - Throws: `EvaluationError` when form or threshold do not suit the models.
  func evaluation(_ pairing: EncoderPairing) throws(EvaluationError) -> Evaluation {
    try Evaluation(pairing, limits, threshold: threshold)
  }

  /// How the run passed, nil when it did not. Models pass with their receipts or not at all.
  private func outcome(_ run: GateRun, _ findings: Findings) -> Verdict.Outcome? {
    let receipts = run.provenances.indices.compactMap { index in
      DriftReceipt(
        run.evaluation, run.provenances[index], findings, run.sources[index],
        findings.coverage[run.pairing.candidates[index]], search)
    }
    guard receipts.count == run.provenances.count else { return nil }
    if !receipts.isEmpty { return .passed(receipts) }
    guard findings.reasons.isEmpty, findings.metrics != nil else { return nil }
    return .passedWithoutReceipt
  }
}

/// How far a judgement is: so much is done, of so much.
package enum GateStep: Sendable {
  case comparingWeights(Int, of: Int)
  /// Inputs, of both sides together.
  case running(Int, of: Int)
  case lookingForNeighbours(Int, of: Int)
}

extension Gate {
  /// The receipts of one earlier verdict of encoders together, for the very same models,
  /// reference set and limits.
  ///
  /// Every digest is computed anew from the bytes at hand, those of encoders that are not
  /// candidates and those of a source check too, and the recorded metrics are held to the limits
  /// again. Only the records say that the metrics were measured; to be sure, run the gate again.
  ///
  /// - Parameters:
  ///   - records: one for each model of `candidate`, in their order.
  ///   - shares: the references of the search that the records must name, its verdict's being
  ///     `references`; nil if they must name none.
  ///   - source: the source check that the records must name; nil if they must name none.
  /// - Returns: as many receipts, or nil when a record is of anything else, they are not of one
  ///   verdict, or one predates the check of rows that references do not reach.
  /// - Throws: as `check(baseline:candidate:on:threshold:)`, and errors from reading weights.
  package static func recall(
    _ records: [RecordedReceipt], baseline: [Model], candidate: [Model],
    references: ReferenceSet, searchedOn shares: ReferenceShares? = nil, limits: Limits,
    threshold: Double?, source: SourceCheck? = nil
  ) throws -> [DriftReceipt]? {
    let pairing = try EncoderPairing(.models(candidate), against: .models(baseline), on: references)
    let evaluation = try Evaluation(pairing, limits, threshold: threshold)
    try requireDistinct(pairing)
    let provenances = pairing.provenances(try pairing.judged())
    guard let first = records.first, records.count == provenances.count,
      records.allSatisfy({ $0.isOfOneVerdict(with: first) }),
      first.search?.isOf(shares) ?? (shares == nil),
      zip(records, pairing.candidates).allSatisfy({ $0.coverage != nil || $1 != .text }),
      zip(records, pairing.candidates).allSatisfy({ record, kind in
        source?.suits(record.source, kind) ?? (record.source == nil)
      })
    else { return nil }
    let receipts = zip(records, provenances).compactMap { DriftReceipt($0, evaluation, $1) }
    return receipts.count == records.count ? receipts : nil
  }
}

/// Proof that a candidate was run against its baseline and kept every limit.
///
/// Only `Gate` makes one: the initialisers are private to this file, nothing else decodes one, and
/// the initialisers themselves look at the limits again. Packaging takes nothing else.
package struct DriftReceipt: Equatable, Sendable {
  /// The bytes that were the measure.
  package let baseline: ModelDigests
  /// The bytes that were run and may ship.
  package let candidate: ModelDigests
  /// Name of the architecture that was run.
  package let architecture: String
  /// The inputs the candidate was fitted to, which are not the references; nil if it was not.
  package let calibration: CalibrationRecord?
  /// The texts whose tokens the candidate kept; nil if it has all of them.
  package let vocabulary: VocabularyRecord?
  /// The other encoder of the model, which ran beside; nil for a model that was judged alone.
  package let partner: PartnerEncoder?
  /// The check against the library it was trained with; nil if there was none.
  package let source: SourceRecord?
  /// The known outputs of the reference set that the baseline met; nil if it knows none.
  package let known: KnownRecord?
  /// How both models decided lines with true labels; nil if the set has none.
  package let labels: LabelRecord?
  /// What became of the classes that lost inputs; empty where none did.
  package let classes: [ClassFlips]
  /// How much the references reach; nil of an encoder of anything but texts.
  package let coverage: CoverageRecord?
  /// Digest of the reference set's bytes, or of the share of it that proved what a search found.
  package let references: ContentDigest
  /// The search that found the candidate; nil without one.
  package let search: SearchRecord?
  package let limits: Limits
  package let threshold: Double?
  package let metrics: DriftMetrics
  /// Every flip that was tolerated, in the order of the lines.
  package let flips: [RecordedFlip]
  package let warnings: [String]
  /// The receipt's bytes as they are packed; a folder names its receipt by their digest.
  package private(set) var packedBytes: [UInt8] = []

  /// Which encoder was judged beside another; nil for a model that was judged alone.
  package var encoder: EncoderKind? { partner?.encoder.other }

  /// Nil when there is a reason against it, or a limit is missed after all.
  fileprivate init?(
    _ evaluation: Evaluation, _ provenance: Provenance, _ findings: Findings,
    _ source: SourceRecord?, _ coverage: CoverageRecord?, _ search: SearchRecord?
  ) {
    guard findings.reasons.isEmpty, let metrics = findings.metrics, metrics.nonFinite.isEmpty,
      // What a search is proven by tells of the search.
      evaluation.references.cut?.share != .verdict || search != nil,
      provenance.calibration?.digest != evaluation.references.digest,
      evaluation.limits.misses(metrics).isEmpty, metrics.flips == findings.flips.count
    else { return nil }
    self.init(
      evaluation, provenance, source, findings.known, findings.labels, coverage, search,
      classes: ClassFlips.recorded(findings.classes), metrics: metrics,
      flips: findings.flips.map(RecordedFlip.init), warnings: findings.warnings.map(\.sentence))
  }

  /// Nil when a record is of other bytes, another set or other limits, or misses its limits.
  fileprivate init?(_ record: RecordedReceipt, _ evaluation: Evaluation, _ provenance: Provenance) {
    guard record.provenance == provenance, record.references == evaluation.references.digest,
      record.limits == evaluation.limits, record.threshold == evaluation.threshold,
      record.metrics.nonFinite.isEmpty,
      evaluation.limits.forRecorded.misses(record.metrics).isEmpty,
      record.metrics.flips == record.flips.count,
      provenance.calibration?.digest != evaluation.references.digest,
      record.known?.samples ?? 0 == evaluation.knownSamples,
      record.labels?.lines ?? 0 == evaluation.labelledLines
    else { return nil }
    self.init(
      evaluation, provenance, record.source, record.known, record.labels, record.coverage,
      record.search,
      classes: record.classes, metrics: record.metrics, flips: record.flips,
      warnings: record.warnings)
  }

  private init(
    _ evaluation: Evaluation, _ provenance: Provenance, _ source: SourceRecord?,
    _ known: KnownRecord?, _ labels: LabelRecord?, _ coverage: CoverageRecord?,
    _ search: SearchRecord?, classes: [ClassFlips], metrics: DriftMetrics, flips: [RecordedFlip],
    warnings: [String]
  ) {
    baseline = provenance.baseline
    candidate = provenance.candidate
    architecture = provenance.architecture
    calibration = provenance.calibration
    vocabulary = provenance.vocabulary
    partner = provenance.partner
    self.source = source
    self.known = known
    self.labels = labels
    self.classes = classes
    self.coverage = coverage
    self.search = search
    references = evaluation.references.digest
    limits = evaluation.limits
    threshold = evaluation.threshold
    self.metrics = metrics
    self.flips = flips
    self.warnings = warnings
    packedBytes = CanonicalJSON.bytes(of: json)
  }
}
