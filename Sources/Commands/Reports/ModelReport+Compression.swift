import Formats
import Gate
import Graph
import Inputs
import Proving
import Reports
import StrictJSON
import WeightCompression
import Weights

extension ModelReport {
  /// A model that was written.
  ///
  /// - Parameter references: nil where nothing judged it.
  init(
    _ name: String, _ report: CompressionReport, _ part: Prover.Part, _ references: ReferenceSet?
  ) throws {
    if let verdict = report.verdict, let references {
      try self.init(name, verdict, on: references.images)
      candidates = [Candidate(weightBytes: report.model.weightBytes.reduce(0, +), verdict)]
    } else {
      self.init(unproven: name)
    }
    try take(trained: part.model, receipts: report.verdict?.receipts ?? [])
    take(report.model)
    if let references { take(references, as: "references") }
    take(part.calibration)
  }

  /// A model that was refused.
  init(
    _ name: String, _ verdict: Verdict, _ compressed: Prover.Compressed, _ part: Prover.Part,
    _ references: ReferenceSet
  ) throws {
    try self.init(name, verdict, on: references.images)
    notes = ["Nothing was written to the output."]
    let bytes = try part.format.storedBytes(of: compressed.planned, part.model)
    weights = ReportedWeight.all(of: compressed.planned, byteCounts: bytes)
    candidates = [Candidate(weightBytes: bytes.reduce(0, +), verdict)]
    try take(trained: part.model, receipts: [])
    take(references, as: "references")
    take(part.calibration)
  }

  /// A candidate that was made before.
  init(
    check candidates: [String], _ verdict: Verdict,
    _ sides: (baseline: GateSide, candidate: GateSide),
    _ references: ReferenceSet
  ) throws {
    try self.init(candidates.joined(separator: ", "), verdict, on: references.images)
    for (path, model) in zip(candidates, sides.candidate.models) {
      weights += try StoredWeights.all(of: model)
      digests.append(NamedDigest(path, model.digest.hex))
    }
    if let model = sides.baseline.models.first, sides.baseline.models.count == 1 {
      try take(trained: model, receipts: verdict.receipts)
    }
    if !weights.isEmpty {
      self.candidates = [
        Candidate(weightBytes: weights.reduce(0) { $0 + $1.byteCount }, verdict)
      ]
    }
    take(references, as: "references")
    if let record = sides.candidate.models.compactMap(\.calibration).first {
      sets.append(
        InputSet(
          role: "calibration", path: nil,
          words: "\(Figures.count(record.inputs, "input")), as the model says",
          digest: record.digest))
    }
  }
}
