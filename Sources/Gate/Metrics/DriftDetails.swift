package import Inputs

/// What lies behind the metrics: how far each input drifted, and the worst of everything, with whole
/// inputs.
package enum DriftDetails: Equatable, Sendable {
  case embeddings(Embeddings)
  case outputs(Outputs)

  /// An input of the reference set, and the first line that holds it.
  package struct Subject: Equatable, Sendable {
    package let input: Input
    /// From 1.
    package let line: Int

    package init(_ input: Input, line: Int) { (self.input, self.line) = (input, line) }
  }

  /// A pair whose similarity changed.
  package struct Pair: Equatable, Sendable {
    /// Of alternatives those that a person would see.
    package let a: Input
    package let b: Input
    /// Line in the reference set, from 1.
    package let line: Int
    /// Cosine similarity in the baseline, and in the candidate.
    package let before: Double
    package let after: Double

    package init(_ a: Input, _ b: Input, line: Int, before: Double, after: Double) {
      (self.a, self.b, self.line, self.before, self.after) = (a, b, line, before, after)
    }
  }

  /// An input whose embedding turned.
  package struct Drifted: Equatable, Sendable {
    package let subject: Subject
    package let cosine: Double

    package init(_ subject: Subject, cosine: Double) {
      (self.subject, self.cosine) = (subject, cosine)
    }
  }

  /// An input that other inputs are nearest to than before.
  package struct Neighbours: Equatable, Sendable {
    package let subject: Subject
    /// Neighbours that are none any more, of those that were looked at.
    package let lost: Int
    package let count: Int

    package init(_ subject: Subject, lost: Int, of count: Int) {
      (self.subject, self.lost, self.count) = (subject, lost, count)
    }
  }

  /// An input with an output that changed.
  package struct Output: Equatable, Sendable {
    package let subject: Subject
    /// The label of the output, or `output 3`; nil if there is only one.
    package let name: String?
    package let before: Double
    package let after: Double

    package init(_ subject: Subject, name: String?, before: Double, after: Double) {
      (self.subject, self.name, self.before, self.after) = (subject, name, before, after)
    }
  }

  /// The details of a model that gives embeddings; each list has the worst first.
  package struct Embeddings: Equatable, Sendable {
    /// Cosine of each distinct input, before with after, in their order.
    package let cosines: [Double]
    package let pairs: [Pair]
    package let inputs: [Drifted]
    /// Only inputs that lost some.
    package let neighbours: [Neighbours]

    package init(
      cosines: [Double], pairs: [Pair], inputs: [Drifted], neighbours: [Neighbours]
    ) {
      (self.cosines, self.pairs) = (cosines, pairs)
      (self.inputs, self.neighbours) = (inputs, neighbours)
    }
  }

  /// The details of a model that gives scores, probabilities or numbers.
  package struct Outputs: Equatable, Sendable {
    /// Largest change of each distinct input, or of each token, in the unit of the drift.
    package let changes: [Double]
    /// Worst first.
    package let worst: [Output]

    package init(changes: [Double], worst: [Output]) {
      (self.changes, self.worst) = (changes, worst)
    }
  }

  /// Entries of each list at most.
  static let longest = 8

  /// Paths of the images that are named.
  package var imagePaths: [String] {
    guard case .embeddings(let details) = self else { return [] }
    let inputs =
      details.pairs.flatMap { [$0.a, $0.b] } + details.inputs.map(\.subject.input)
      + details.neighbours.map(\.subject.input)
    return inputs.compactMap { if case .image(let path) = $0 { path } else { nil } }
  }
}

extension Evaluation {
  func subject(_ input: Int) -> DriftDetails.Subject {
    DriftDetails.Subject(references.inputs[input], line: references.lines[input])
  }

  /// A changed output with its whole input.
  func output(_ change: OutputChange, of input: Int) -> DriftDetails.Output {
    DriftDetails.Output(
      subject(input), name: change.output, before: change.before, after: change.after)
  }

  /// The worst of everything that embeddings show.
  func details(
    _ pairs: [ReferenceSet.Pair], _ drift: EmbeddingDrift
  ) -> DriftDetails.Embeddings {
    let changes = drift.matches.map { ($0.after.similarity - $0.before.similarity).magnitude }
    let longest = DriftDetails.longest
    return DriftDetails.Embeddings(
      cosines: drift.cosines,
      pairs: Evaluation.largest(changes, maximum: longest).filter { changes[$0] > 0 }.map {
        let (match, line) = (shown($0, drift), pairs[$0].line)
        return DriftDetails.Pair(
          references.inputs[match.a], references.inputs[match.b], line: line,
          before: drift.matches[$0].before.similarity, after: drift.matches[$0].after.similarity)
      },
      inputs: Evaluation.largest(drift.cosines.map { 1 - $0 }, maximum: longest).filter {
        drift.cosines[$0] < 1
      }.map { DriftDetails.Drifted(subject($0), cosine: drift.cosines[$0]) },
      neighbours: drift.neighbourLosses.sorted { ($1.lost, $0.row) < ($0.lost, $1.row) }
        .prefix(longest).map {
          DriftDetails.Neighbours(subject($0.row), lost: $0.lost, of: $0.count)
        })
  }
}
