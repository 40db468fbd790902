import Gate
import Inputs
import StrictJSON

/// An input as a reader sees it: a text, values, or a small picture.
struct InputView {
  struct Image {
    let source: String
    let width: String
    let height: String
    let alt: String
  }

  /// Of a text, the values, or the path of an image.
  let words: String
  let isText: Bool
  let image: Image?

  /// Scalars of a text that are shown at most.
  private static let longest = 400

  init(_ input: Input, _ pictures: [String: Picture]) {
    switch input {
    case .text(let text):
      (words, isText, image) = (HostileText.cut(text, to: InputView.longest), true, nil)
    case .textPair(let first, let second):
      let both = [first, second].map { HostileText.cut($0, to: InputView.longest / 2) }
      (words, isText, image) = (both.joined(separator: "\n+ "), true, nil)
    case .values, .named: (words, isText, image) = (input.label, false, nil)
    case .image(let path):
      let name = HostileText.cut(path, to: 200)
      (words, isText) = (name, false)
      image = pictures[path].map {
        Image(
          source: "data:image/png;base64," + Base64.text($0.png), width: "\($0.width)",
          height: "\($0.height)", alt: name)
      }
    }
  }
}

/// The worst of everything, each list worst first.
struct WorstView {
  struct Pair {
    let a: InputView
    let b: InputView
    let line: String
    let before: String
    let after: String
    let change: String
  }

  struct Drifted {
    let input: InputView
    let line: String
    let figure: String
  }

  let pairs: [Pair]
  let inputs: [Drifted]
  let neighbours: [Drifted]
  let outputs: [Drifted]
  let hasPairs: Bool
  let hasInputs: Bool
  let hasNeighbours: Bool
  let hasOutputs: Bool

  init(_ details: DriftDetails?, _ pictures: [String: Picture]) {
    switch details {
    case .embeddings(let details):
      pairs = details.pairs.map { WorstView.pair($0, pictures) }
      inputs = details.inputs.map {
        WorstView.drifted($0.subject, pictures, Figures.text($0.cosine, unlike: 1, fewest: 4))
      }
      neighbours = details.neighbours.map {
        WorstView.drifted($0.subject, pictures, "\($0.lost) of \($0.count)")
      }
      outputs = []
    case .outputs(let details):
      (pairs, inputs, neighbours) = ([], [], [])
      outputs = details.worst.map {
        WorstView.drifted(
          $0.subject, pictures,
          ($0.name.map { HostileText.cut($0, to: 80) + ": " } ?? "")
            + Figures.change($0.before, $0.after))
      }
    case nil: (pairs, inputs, neighbours, outputs) = ([], [], [], [])
    }
    (hasPairs, hasInputs) = (!pairs.isEmpty, !inputs.isEmpty)
    (hasNeighbours, hasOutputs) = (!neighbours.isEmpty, !outputs.isEmpty)
  }

  private static func pair(_ pair: DriftDetails.Pair, _ pictures: [String: Picture]) -> Pair {
    let decimals = max(3, Figures.decimals(pair.before, pair.after))
    let change = pair.after - pair.before
    let short = Figures.fixed(change.magnitude, decimals)
    return Pair(
      a: InputView(pair.a, pictures), b: InputView(pair.b, pictures), line: "\(pair.line)",
      before: Figures.fixed(pair.before, decimals), after: Figures.fixed(pair.after, decimals),
      change: (change > 0 ? "+" : change < 0 ? "−" : "")
        + (short == Figures.fixed(0, decimals)
          ? Figures.text(change.magnitude, unlike: 0, fewest: decimals) : short))
  }

  private static func drifted(
    _ subject: DriftDetails.Subject, _ pictures: [String: Picture], _ figure: String
  ) -> Drifted {
    Drifted(input: InputView(subject.input, pictures), line: "\(subject.line)", figure: figure)
  }
}
