import Gate
import Proving
import StrictJSON

/// How far one step of long work is.
struct ProgressStep: Equatable, Sendable {
  /// What is done: `calibrating`.
  let name: String
  let done: Int
  /// Nil where nobody can know.
  let total: Int?
  /// The one that was done last, where it has a name.
  var item: String?
  /// What the step is a part of, where there are several such.
  var part: Part?

  /// A part of longer work, counted from 1.
  enum Part: Equatable, Sendable {
    case candidate(Int, atMost: Int)
    case model(Int, of: Int)

    fileprivate var words: String {
      switch self {
      case .candidate(let number, let most): "candidate \(number) of at most \(most): "
      case .model(let number, let count): "model \(number) of \(count): "
      }
    }

    fileprivate var members: [String: JSONValue] {
      switch self {
      case .candidate(let number, let most):
        ["candidate": .integer(number), "mostCandidates": .integer(most)]
      case .model(let number, let count): ["model": .integer(number), "models": .integer(count)]
      }
    }
  }

  /// Whether another tells of the same step.
  func isSame(as other: ProgressStep) -> Bool {
    name == other.name && total == other.total && part == other.part
  }

  /// One line for people: the name of what was done comes last, where a narrow terminal cuts it.
  func words(secondsLeft: Double?) -> String {
    let left = secondsLeft.map { ", \(TimeLeft.words($0))" } ?? ""
    let item = item.map { " (\($0))" } ?? ""
    let share = total.map { " \(done) of \($0)" } ?? (done > 0 ? ", \(done) so far" : "")
    return "\(part?.words ?? "")\(name)\(share)\(left)\(item)"
  }

  /// One line for machines, with the newline.
  ///
  /// - Parameter command: the command that runs.
  func line(of command: String, secondsLeft: Double?) -> String {
    let members: [String: JSONValue] = [
      "schemaVersion": 1, "event": "progress", "command": .string(command), "step": .string(name),
      "done": .integer(done), "total": total.map { .integer($0) } ?? .null,
      "secondsLeft": secondsLeft.map { .integer(Int($0.rounded(.up))) } ?? .null,
      "item": item.map { .string($0) } ?? .null,
    ]
    return JSONValue.object(members.merging(part?.members ?? [:]) { own, _ in own }).compact + "\n"
  }
}

extension ProgressStep {
  init(_ step: Prover.Step) {
    switch step {
    case .takingGradients(let done, let total):
      self.init(name: "taking gradients", done: done, total: total)
    case .calibrating(let tensor, let done, let total):
      self.init(name: "calibrating", done: done, total: total, item: "\(tensor)")
    case .compressing(let tensor, let done, let total):
      self.init(name: "compressing", done: done, total: total, item: "\(tensor)")
    case .judging(let step): self.init(step)
    }
  }

  init(_ step: GateStep) {
    switch step {
    case .comparingWeights(let done, let total):
      self.init(name: "comparing weights", done: done, total: total)
    case .running(let done, let total):
      self.init(name: "running references", done: done, total: total)
    case .lookingForNeighbours(let done, let total):
      self.init(name: "looking for neighbours", done: done, total: total)
    }
  }
}
