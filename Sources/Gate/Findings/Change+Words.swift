import Inputs
import StrictJSON

extension PairChange {
  /// `image 'a.png' ↔ "a text": 0.83 → 0.41`.
  var words: String { "\(name): \(Figures.change(before, after))" }

  /// Both inputs.
  fileprivate var name: String { "\(a) ↔ \(b)" }

  /// Which encoder made it, to follow a sentence; empty if nothing tells.
  var causeWords: String {
    switch cause {
    case .unknown: return ""
    case .moved(let encoder): return "; the \(encoder.encoderWords) moved it"
    case .both(let shares):
      let decimals = Figures.decimals(before, after)
      return "; "
        + shares.map {
          "the \($0.encoder.encoderWords) alone: \(Figures.text($0.similarity, decimals: decimals))"
        }.joined(separator: ", ")
    }
  }
}

extension Flip {
  /// The flip as a sentence.
  package var text: String {
    switch decision {
    case .pair(let change, let threshold, let expectation):
      "\(change.name) crosses the threshold \(Figures.plain(threshold)): "
        + "\(Figures.change(before, after)) (line \(line)"
        + "\(expectation.map { ", expected a \($0.rawValue)" } ?? ""))"
    case .label(let input, let from, let to):
      "\(input) changes from \(from) to \(to): \(Figures.change(before, after)) (line \(line))"
    }
  }

  /// Which of two encoders made it, to follow a sentence; empty if there is nothing to say.
  var cause: String {
    if case .pair(let change, _, _) = decision { change.causeWords } else { "" }
  }
}

extension InputKind? {
  /// `the candidate`, or which encoder of it.
  var candidateWords: String { map { "the candidate's \($0.encoderWords)" } ?? "the candidate" }

  /// `the candidate's weights`, or which of them.
  var candidateWeights: String {
    map { "the weights of the candidate's \($0.encoderWords)" } ?? "the candidate's weights"
  }
}
