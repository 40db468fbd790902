import Files
import Formats
import Gate
import Graph
import Inputs
import Release
import Reports
import StrictJSON
import Weights

extension ReportPage {
  /// The page of a build: every model, and what customers got.
  init(_ report: BuildReport, of project: String) throws {
    let delivered = report.packages.map {
      Delivery(
        customer: $0.customer, version: $0.version,
        package: (path: $0.path, bytes: $0.bytes, sha256: $0.sha256), reasons: [])
    }
    let missing = report.refused.map {
      Delivery(customer: $0.customer, version: $0.version, package: nil, reasons: $0.reasons)
    }
    self.init(
      project: project, try ModelReport.all(report.models),
      deliveries: missing + delivered, command: "build", version: IngotCommand.version)
  }
}

extension ModelReport {
  /// The models of a build; of a family one for all members that passed.
  fileprivate static func all(_ models: [BuildReport.Model]) throws -> [ModelReport] {
    var families: Set<String> = []
    return try models.compactMap { model in
      guard let family = model.family, model.verdict == .passed else {
        return try ModelReport(model)
      }
      guard families.insert(family).inserted else { return nil }
      return ModelReport(
        family: family, models.filter { $0.family == family && $0.verdict == .passed })
    }
  }

  /// All members of a family that passed.
  private init(family: String, _ members: [BuildReport.Model]) {
    self.init(name: family, outcome: .passed)
    let evidence = members.compactMap(\.evidence)
    byteCount = evidence.flatMap(\.encoders).reduce(0) { $0 + $1.byteCount }
    trainedBytes = evidence.compactMap(\.trainedBytes).reduce(0, +)
    notes.append(
      "\(Figures.count(members.count, "member")) of this family passed, each judged by itself; "
        + "their receipts are in the packages. Refused ones are shown one by one.")
    commands = [Reproduction.command]
  }

  /// A model of a build.
  init(_ model: BuildReport.Model) throws {
    self.init(name: model.model, outcome: Outcome(model.verdict))
    if let evidence = model.evidence { try take(evidence) }
    if model.isCached {
      notes.append(
        "From the store: an earlier build made and judged it. Only its receipt was kept; to see "
          + "what is behind the figures, build without the store: --no-store.")
    }
    digests.append(NamedDigest("key of the work", model.key))
    commands = [Reproduction.command]
  }

  private mutating func take(_ evidence: BuildEvidence) throws {
    if let verdict = evidence.verdict {
      try take(verdict, on: ImageFiles(folder: Folder.parent(of: evidence.references)))
    } else {
      judgement = evidence.receipts.first.map { Judgement($0) } ?? Judgement(evidence.reasons)
    }
    mends = evidence.mends
    weights = evidence.encoders.flatMap { ReportedWeight.all(of: $0) }
    if !evidence.encoders.isEmpty {
      byteCount = evidence.encoders.reduce(0) { $0 + $1.byteCount }
    }
    trainedBytes = evidence.trainedBytes
    take(evidence.receipts, evidence)
    if !evidence.trials.isEmpty {
      isSearch = true
      candidates = evidence.trials.enumerated().map {
        Candidate($0.element, number: $0.offset + 1)
      }
    } else if let verdict = evidence.verdict, !weights.isEmpty {
      candidates = [Candidate(weightBytes: weights.reduce(0) { $0 + $1.byteCount }, verdict)]
    }
  }

  private mutating func take(_ receipts: [DriftReceipt], _ evidence: BuildEvidence) {
    for receipt in receipts {
      let name = receipt.encoder.map { "\($0.rawValue) encoder" } ?? "weights"
      digests.append(NamedDigest("\(name) as trained", receipt.baseline.weights.hex))
      digests.append(NamedDigest("\(name) as shipped", receipt.candidate.weights.hex))
    }
    // A search is proven on a share, which has a digest of its own.
    let judged = judgement?.metrics.map { Figures.count($0.inputs, "input") } ?? "not run"
    sets.append(
      InputSet(
        role: "references", path: evidence.references, words: judged,
        digest: receipts.first?.references ?? evidence.referencesDigest))
    if let digest = evidence.calibrationDigest {
      let used = receipts.compactMap(\.calibration).first.map { Figures.count($0.inputs, "input") }
      sets.append(
        InputSet(
          role: "calibration", path: evidence.calibration, words: used ?? "all inputs",
          digest: digest))
    }
  }
}

extension ModelReport.Outcome {
  fileprivate init(_ verdict: BuildReport.Model.Verdict) {
    switch verdict {
    case .passed: self = .passed
    case .refused: self = .refused
    case .unusable: self = .unusable
    }
  }
}
