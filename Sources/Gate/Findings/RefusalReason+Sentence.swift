import Inputs
import StrictJSON

extension RefusalReason {
  /// The reason as a sentence, for people.
  package var sentence: String {
    switch self {
    case .limit(let miss, let source): miss.sentence(source.words)
    case .metric(let name): "\(name) is not a finite number"
    case .outputs(let fault, let side): fault.sentence(side)
    case .flip(let flip, let tolerated, let source):
      "\(flip.text), from a margin of \(Figures.text(flip.margin, unlike: tolerated)) "
        + "where \(Figures.plain(tolerated)) is tolerated (\(source.words))\(flip.cause)"
    case .moreFlips(let count): "\(count) more flips of this kind"
    case .pair(let change): "\(change.words) (line \(change.line))\(change.causeWords)"
    case .input(let input, let cosine):
      "\(input.label): cosine \(Figures.text(cosine, unlike: 1)) to the baseline "
        + "(line \(input.line))"
    case .output(let change): change.sentence
    case .overflow(let value, let magnitude, let input):
      "the value '\(value)' reaches \(magnitude) on \(input), float16 ends at 65504: a device would "
        + "overflow"
    case .length(let length):
      "the baseline's vectors have length 1, the candidate's have not, first "
        + "\(Figures.text(length, unlike: 1)): an app that compares them by a product sees others"
    case .suspect(let suspect): suspect.sentence
    case .manyWeights(let shares, let kinds): WeightShare.sentence(shares, kinds)
    case .together(let joint): joint.sentence
    case .tree(let finding): finding.sentence
    case .weights(let fault): fault.sentence
    case .tokens(let fault, let encoder):
      "\(encoder.candidateWords) does not look up the tokens of a text as they are: \(fault.words)"
    case .preparation(let difference, let candidate, let baseline):
      "\(difference.sentence) ('\(candidate)' against '\(baseline)')"
    case .computation(let difference, let encoder):
      "\(encoder.candidateWords) \(difference.words)"
    case .rows(let rows): rows.refusal
    case .generated(let fault, let encoder): fault.sentence(encoder)
    case .droppedTokens(let dropped): dropped.sentence
    case .nothingMeasured: "nothing was measured"
    }
  }
}

extension LimitSource {
  /// The profile's name, and that a limit is not its own.
  fileprivate var words: String {
    isOverridden ? "\(profile.rawValue), overridden" : profile.rawValue
  }
}

extension OutputFault {
  fileprivate func sentence(_ side: JudgedSide) -> String {
    switch self {
    case .notFinite(let values, let all, let inputs, let allInputs, let first):
      "\(values) of \(Figures.count(all, "output")) of the \(side.rawValue) \(values == 1 ? "is" : "are") not finite, "
        + "for \(inputs) of \(Figures.count(allInputs, "input")), "
        + "first for \(first.label) (line \(first.line))"
    case .zero(let count, let all, let first):
      "\(count) of \(Figures.count(all, "embedding")) of the \(side.rawValue) "
        + "\(count == 1 ? "is" : "are") all zero, which has no cosine, "
        + "first for \(first.label) (line \(first.line))"
    }
  }
}

extension OutputChange {
  fileprivate var sentence: String {
    "\(input.label): \(output.map { "\($0) " } ?? "")\(Figures.change(before, after)) "
      + "(line \(input.line))"
  }
}

extension ComputationDifference {
  /// The difference in words that follow the candidate's name.
  var words: String {
    switch self {
    case .pooling(let found, let expected):
      "pools the vectors of tokens by \(found), the baseline by \(expected)"
    case .value(let found, let expected) where found == expected:
      "computes \(found) by other parameters or from other values than the baseline"
    case .value(let found, let expected):
      "computes \(found) where the baseline computes \(expected)"
    case .part(let what, let found, let expected):
      "has \(quoted(found)) as its \(what), the baseline has \(quoted(expected))"
    case .cut(let texts, let all, let first, let found, let expected):
      "cuts \(texts) of \(Figures.count(all, "text")) at \(found) tokens, first \(first.label) (line "
        + "\(first.line)), the baseline reads up to \(expected)"
    case .unknown(let missing):
      "computes something else than the baseline, such as another pooling, activation or number of heads: "
        + "with all of its weights the baseline is still "
        + "\(Figures.text(min(1, missing) * 100, decimals: 0)) % of the drift away from it"
    }
  }
}

extension GeneratedFault {
  fileprivate func sentence(_ encoder: InputKind?) -> String {
    switch self {
    case .notFinite:
      "\(encoder.candidateWords) gives outputs that are not finite for a generated text of tokens "
        + "that no reference holds"
    case .drift(let cosine, let worst):
      "\(encoder.candidateWords) drifts to cosine \(Figures.text(cosine, decimals: 3)) on a "
        + "generated text of tokens that no reference holds, where the worst reference keeps "
        + "\(Figures.text(worst, unlike: 1)): its rows are not those of the baseline"
    }
  }
}

extension LimitMiss {
  /// The miss as a sentence.
  ///
  /// - Parameter source: whose limit it is.
  func sentence(_ source: String) -> String {
    let bound = Figures.plain(limit)
    guard value.isFinite else {
      return "\(name) is \(Figures.plain(value)), the limit is \(bound) (\(source))"
    }
    return "\(name) \(Figures.text(value, unlike: limit)) is \(key.isFloor ? "below" : "above") "
      + "\(bound) (\(source))"
  }

  /// The miss in a list of several: `cosine min 0.7 (0.1 below 0.8)`.
  var phrase: String {
    guard value.isFinite else { return "\(name) \(Figures.plain(value))" }
    return "\(name) \(Figures.text(value, unlike: limit)) (\(Figures.text(distance, unlike: 0)) "
      + "\(key.isFloor ? "below" : "above") \(Figures.plain(limit)))"
  }
}
