import Files
package import Graph
package import Inputs
import StrictJSON
package import Weights

/// Outputs of some inputs that the library made with which a model was trained, to be compared with
/// what Ingot makes of the same model.
///
/// Both sides of the gate are Ingot's own reading of a model; this is the proof of the reading.
package struct SourceCheck: Sendable {
  /// The file of vectors, for messages.
  package let origin: String
  /// The inputs, one for each row.
  let lines: InputLines
  let images: ImageFiles
  let vectors: OutputMatrix
  let type: VectorType
  /// Digest of the file of vectors.
  package let vectorsDigest: ContentDigest
  /// Digest of the file of inputs, its images included.
  package let inputsDigest: ContentDigest

  /// Distinct inputs below which an agreement says nothing.
  static let fewestInputs = 8

  /// Reads both files.
  ///
  /// - Parameter columns: of references, those that are no features; of the inputs they are none either, where
  ///   these have them.
  /// - Throws: `EvaluationError.badSourceCheck` when the rows cannot be those of the inputs or are
  ///   not outputs; errors from reading the files.
  package init(vectors path: String, inputs: String, columns: NamedColumns = .none) throws {
    var file = try InputFile(path: inputs, limit: InputLines.sizeLimit)
    (file.columns, file.areColumnsOfAnother) = (columns, true)
    try self.init(path, file)
  }

  /// Reads vectors, and inputs as a command's option names them: a file, or the standard input.
  ///
  /// - Parameters:
  ///   - columns: of a table, those that are no features.
  ///   - areOfReferences: whether they were named for references, so that the inputs need not have them.
  /// - Throws: as `init(vectors:inputs:columns:)`.
  package init(
    vectors path: String, argument: String, columns: NamedColumns = .none,
    areOfReferences: Bool = false
  ) throws {
    var file = try InputFile(argument: argument, limit: InputLines.sizeLimit)
    (file.columns, file.areColumnsOfAnother) = (columns, areOfReferences)
    try self.init(path, file)
  }

  private init(_ path: String, _ file: InputFile) throws {
    lines = try InputLines(file)
    let digests = try SourceCheck.digests(of: lines)
    images = ImageFiles(folder: Folder.parent(of: file.origin), pinned: digests)
    inputsDigest = ReferenceSet.digest(of: file.bytes, images: digests)
    origin = path
    (vectors, type, vectorsDigest) = try SourceCheck.vectors(of: path)
    try requireRows()
    try requireNumbers()
  }

  /// How the inputs were read, for people; nil if their name says that they are JSON lines.
  package var decision: String? { lines.decision }

  private func requireRows() throws(EvaluationError) {
    let inputs = lines.inputs
    guard vectors.rowCount == inputs.count else {
      throw fault(
        "has \(Figures.count(vectors.rowCount, "row")), \(lines.origin) has "
          + "\(Figures.count(inputs.count, "input")); save one row for each line")
    }
    let distinct = Set(inputs).count
    guard distinct >= SourceCheck.fewestInputs else {
      throw EvaluationError.badSourceCheck(
        origin: lines.origin,
        fault: "has \(Figures.count(distinct, "distinct input")), which say nothing; give "
          + "\(SourceCheck.fewestInputs) or more, like those the app will see")
    }
  }

  private func requireNumbers() throws(EvaluationError) {
    let bad = (0..<vectors.rowCount).filter { !vectors[$0].allSatisfy(\.isFinite) }
    if let first = bad.first {
      throw fault(
        "\(Figures.count(bad.count, "row")) of \(vectors.rowCount) have numbers that are not "
          + "finite, first row \(first) (\(place(first)))")
    }
    guard (1..<vectors.rowCount).contains(where: { vectors[$0] != vectors[0] }) else {
      throw fault("all \(vectors.rowCount) rows are alike, although the inputs differ")
    }
  }

  func fault(_ text: String) -> EvaluationError { .badSourceCheck(origin: origin, fault: text) }

  /// An input and its line, for messages.
  func place(_ row: Int) -> String { "\(lines.inputs[row].label), line \(lines.lines[row])" }
}

extension SourceCheck {
  /// Checks, without running it, that models give such rows.
  ///
  /// - Parameter models: one, or the encoders of one model; those that no input is for are left out.
  /// - Returns: the models that run, each with the numbers of its inputs.
  /// - Throws: `EvaluationError` when an input or the width of a row does not suit them.
  @discardableResult
  package func check(for models: [Model]) throws -> [(model: Model, rows: [Int])] {
    var parts: [(model: Model, rows: [Int])] = []
    for (row, input) in lines.inputs.enumerated() {
      // A single model says itself what it does not take.
      guard let model = models.first(where: { $0.kind == input.kind }) ?? models.first else {
        throw fault("there is no model to compare with")
      }
      if let place = parts.firstIndex(where: { $0.model.kind == model.kind }) {
        parts[place].rows.append(row)
      } else {
        parts.append((model, [row]))
      }
    }
    for (model, rows) in parts {
      try naming(rows, for: model) { try ModelRunner.check($0, for: model) }
      try requireWidth(of: model, rows)
    }
    return parts
  }

  private func requireWidth(of model: Model, _ rows: [Int]) throws(EvaluationError) {
    let output = model.architecture.output
    guard output.width == vectors.width else {
      throw fault(
        "has rows of \(Figures.count(vectors.width, "number")), '\(model.origin)' gives "
          + output.words + SourceHint.width(given: vectors.width, output))
    }
    guard case .embedding = output,
      let zero = rows.first(where: { vectors[$0].allSatisfy { $0 == 0 } })
    else { return }
    throw fault("row \(zero) (\(place(zero))) is all zero, which has no cosine")
  }

  /// Runs models over the inputs and compares.
  ///
  /// - Parameters:
  ///   - models: as `check(for:)` takes them.
  ///   - jobs: threads.
  ///   - progress: told how many inputs are done, of how many; called from any thread.
  /// - Throws: as `check(for:)`, and errors from running a model. Rows that differ are a finding,
  ///   not an error.
  package func run(
    _ models: [Model], jobs: Int,
    progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) throws -> SourceFinding {
    var done = 0
    let parts = try check(for: models).map { model, rows in
      // Taken before anything runs, as those of a comparison are.
      let digests = try model.digests()
      let before = done
      let outputs = try naming(rows, for: model) { inputs in
        try ModelRunner(model: model, jobs: jobs).outputs(for: inputs, images: images) { count, _ in
          progress(before + count, lines.inputs.count)
        }
      }
      done += rows.count
      try requireFinite(outputs, of: model, rows)
      let comparison = SourceComparison(
        model: outputs, given: vectors.picking(rows), meaning: model.architecture.output,
        type: type, sums: SumRule(model, type))
      return SourceFinding.Part(
        model: model, rows: rows, outputs: outputs, comparison: comparison,
        agreement: SourceAgreement(self, model, digests, comparison))
    }
    return try SourceFinding(check: self, parts: parts)
  }

  /// Whether a receipt's record can be of this check, for a model of one kind: of the very same
  /// files, or of none where no input is for the model.
  func suits(_ record: SourceRecord?, _ kind: InputKind) -> Bool {
    let count = lines.inputs.filter { $0.kind == kind }.count
    guard let record else { return count == 0 }
    return record.vectors == vectorsDigest && record.type == type && record.inputs == inputsDigest
      && record.count == count && record.fault == nil
  }

  private func requireFinite(
    _ outputs: OutputMatrix, of model: Model, _ rows: [Int]
  ) throws(EvaluationError) {
    let bad = rows.indices.first { !outputs[$0].allSatisfy(\.isFinite) }
    guard let bad else { return }
    throw .badSourceCheck(
      origin: model.origin, fault: "gives numbers that are not finite for \(place(rows[bad]))")
  }

  /// Runs `work` on inputs; one it cannot use is named by file and line.
  private func naming<Result>(
    _ rows: [Int], for model: Model, _ work: ([Input]) throws -> Result
  ) throws -> Result {
    let inputs = try lines.arranged(for: model.architecture.input).inputs
    do {
      return try work(rows.map { inputs[$0] })
    } catch let error as EvaluationError {
      throw error.placed(in: lines.origin) { lines.lines[rows[$0]] }
    }
  }
}

/// Proof that a model's outputs agree with those made elsewhere of the same inputs.
///
/// Only `SourceCheck` makes one: the initialiser is private to this file, nothing else decodes one.
/// It is bound to the weights and describing files that were run, and the gate puts it into receipts
/// of no other baseline.
package struct SourceAgreement: Equatable, Sendable {
  /// The model's kind of input, which tells encoders of one model apart.
  let kind: InputKind
  /// The bytes that were run.
  let baseline: ModelDigests
  /// The record for the receipt.
  package let record: SourceRecord

  /// Nil when a row differs.
  fileprivate init?(
    _ check: SourceCheck, _ model: Model, _ digests: ModelDigests, _ comparison: SourceComparison
  ) {
    guard comparison.failing.isEmpty else { return nil }
    kind = model.kind
    baseline = digests
    record = SourceRecord(
      vectors: check.vectorsDigest, type: check.type, inputs: check.inputsDigest,
      count: comparison.rows.count, cosine: comparison.cosine,
      maxDifference: comparison.maxDifference)
  }
}
