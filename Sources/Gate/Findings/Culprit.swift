package import Inputs
import StrictJSON
package import Weights

/// A part of a candidate that makes it drift, or that is plainly wrong.
package struct Culprit: Equatable, Sendable {
  /// The part.
  package enum Subject: Hashable, Sendable {
    /// A weight, by the baseline's name.
    case weight(TensorName)
    case tokenizer
    /// What is done to an image or a text before the model sees it.
    case preprocessing
    case program
  }

  package let subject: Subject
  /// Which encoder of several it is of; nil of a model that is judged alone.
  package let encoder: InputKind?
  /// What is wrong with it.
  package let kind: DamageKind
  /// The same in words that follow its name.
  package let words: String
  /// What swapping says of it; nil where nothing was swapped.
  package let suspect: SuspectWeight?

  init(
    _ subject: Subject, of encoder: InputKind?, _ kind: DamageKind, _ words: String,
    suspect: SuspectWeight? = nil
  ) {
    (self.subject, self.encoder, self.kind) = (subject, encoder, kind)
    (self.words, self.suspect) = (words, suspect)
  }

  /// The name of the weight; nil of anything else.
  package var weight: TensorName? {
    if case .weight(let name) = subject { name } else { nil }
  }

  /// Whether another says something of the same part: of a weight whatever it says, of anything else the
  /// same kind of damage in the same encoder.
  fileprivate func isSame(as other: Culprit) -> Bool {
    subject == other.subject
      && (weight != nil || (kind == other.kind && encoder == other.encoder))
  }

  /// Whether it is wrong in a way that fewer bits do not make.
  package var isFault: Bool { kind != .rounding }
}

extension Verdict {
  /// What makes the candidate drift or is plainly wrong, the worst first.
  package var culprits: [Culprit] {
    let stated = refusals.flatMap(\.culprits) + notices.flatMap(\.culprits)
    let swapped = (causes?.weights ?? []).map { suspect in
      let own = Culprit(
        .weight(suspect.name), of: suspect.encoder, suspect.damage.kind, suspect.damage.text,
        suspect: suspect)
      // Rows that are no rows of the baseline's say more than that numbers differ.
      let rows = stated.first { $0.kind == .rows && $0.subject == own.subject }
      guard let rows, [.rounding, .other].contains(own.kind) else { return own }
      return Culprit(own.subject, of: own.encoder, .rows, rows.words, suspect: suspect)
    }
    var others: [Culprit] = []
    for culprit in stated where !(swapped + others).contains(where: culprit.isSame(as:)) {
      others.append(culprit)
    }
    let (rows, faults) = (others.filter { $0.kind == .rows }, others.filter { $0.kind != .rows })
    // A weight that was swapped to no effect is named after those that move outputs.
    return faults + swapped + rows
  }
}

extension RefusalReason {
  /// What a reason names; empty if it names nothing, or swapping says more of it.
  fileprivate var culprits: [Culprit] {
    switch self {
    case .weights(let fault): fault.culprits
    case .tokens(let fault, let encoder): [Culprit(.program, of: encoder, .program, fault.words)]
    case .preparation(let difference, _, _): [difference.culprit]
    case .computation(let difference, let encoder):
      [Culprit(.program, of: encoder, difference.kind, difference.words)]
    case .rows(let rows): [Culprit(.weight(rows.weight), of: nil, .rows, rows.culpritWords)]
    case .limit, .metric, .outputs, .flip, .moreFlips, .pair, .input, .output, .overflow, .length,
      .suspect, .manyWeights, .together, .tree, .generated, .droppedTokens, .nothingMeasured:
      []
    }
  }
}

extension GateWarning {
  /// What a warning names, beyond what swapping says.
  fileprivate var culprits: [Culprit] {
    switch self {
    case .preparation(let difference): [difference.culprit]
    case .weight(let name, let pattern):
      [Culprit(.weight(name), of: nil, pattern.kind, pattern.text)]
    case .prompt:
      [Culprit(.preprocessing, of: nil, .preprocessing, "another prompt is put before every text")]
    case .sameBytes, .vectors, .textLength, .compressedBaseline, .references, .lengthChange,
      .toleratedFlips, .unusedLengths, .droppedTokens, .otherNames, .otherOperations, .rows,
      .coarseThresholds, .generated:
      []
    }
  }
}

extension WeightFault {
  fileprivate var culprits: [Culprit] {
    switch self {
    case .notFinite(let name, .candidate, let count, let first, let place):
      [
        Culprit(
          .weight(name), of: nil, .notFinite,
          "\(Figures.count(count, "value")) \(count == 1 ? "is" : "are") not finite, the first "
            + "(\(first)) at \(place)")
      ]
    case .zero(let names):
      names.map {
        Culprit(.weight($0), of: nil, .zeroed, "all its values are zero, the baseline's are not")
      }
    case .unused(let name), .added(let name), .shape(let name, _, _), .count(let name, _, _, _, _):
      [Culprit(.weight(name), of: nil, .other, sentence)]
    case .notFinite(_, .baseline, _, _, _), .trees: []
    }
  }
}

extension PreparationDifference {
  fileprivate var culprit: Culprit {
    switch kind {
    case .tokenizer, .tokens: Culprit(.tokenizer, of: encoder, .tokenizer, words)
    case .images, .normalisation, .stated:
      Culprit(.preprocessing, of: encoder, .preprocessing, words)
    }
  }
}

extension ComputationDifference {
  fileprivate var kind: DamageKind {
    switch self {
    case .pooling, .value, .part, .unknown: .program
    case .cut: .preprocessing
    }
  }
}
