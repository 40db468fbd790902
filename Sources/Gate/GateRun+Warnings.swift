import Graph
import Inputs
import StrictJSON
import Tokenization

extension GateRun {
  /// What a person should know of the two sides before anything runs.
  var warnings: [String] {
    var warnings = selfWarnings
    for tower in lineup.towers {
      if case .tokens(let old, _) = tower.baseline?.architecture.input,
        case .tokens(let new, _) = tower.candidate?.architecture.input, old != new
      {
        warnings.append("the candidate cuts texts at \(new) tokens, the baseline at \(old)")
      }
      warnings += ConstantFeatures(tower, trial.references).map { [$0.warning] } ?? []
      warnings += GateRun.promptWarnings(tower) + GateRun.baselineWarnings(tower)
    }
    return warnings
  }

  /// Says where each side puts another prompt before texts: vectors of other texts are compared.
  private static func promptWarnings(_ tower: Tower) -> [String] {
    guard let old = tower.baseline?.architecture.preparation.prompt,
      let new = tower.candidate?.architecture.preparation.prompt,
      ExactString(old) != ExactString(new)
    else { return [] }
    return [
      "the baseline puts \(JSONValue.string(old).compact) before every text, the candidate "
        + "\(JSONValue.string(new).compact): vectors of other texts are compared"
    ]
  }

  /// Says where a baseline is itself compressed: what that lost nobody judges here.
  private static func baselineWarnings(_ tower: Tower) -> [String] {
    guard tower.candidate != nil, let recipe = tower.baseline?.recipe, recipe != Model.plainRecipe
    else { return [] }
    return [
      "the baseline is compressed itself (\(recipe)): what that changed of the model as trained is "
        + "not judged"
    ]
  }

  private var selfWarnings: [String] {
    let isSame = provenances.map { $0.baseline == $0.candidate }
    guard isSame.contains(false) else {
      return isSame.isEmpty
        ? [] : ["baseline and candidate are the same bytes: a model was judged by itself"]
    }
    return zip(lineup.candidates, isSame).filter(\.1).map {
      "the \($0.0.encoderWords)s of baseline and candidate are the same bytes"
    }
  }

  /// Lengths that a model can be told apart by, at most; of a range of lengths not each is asked for.
  private static let mostLengths = 16

  /// A program of several lengths is as many programs, and only those that ran were judged.
  func lengthWarnings(of model: Model, _ inputs: [Input]) throws -> [String] {
    guard case .single(let lengths) = model.architecture.shapes, lengths.count > 1,
      lengths.count <= GateRun.mostLengths
    else { return [] }
    let used = try Encoder(model: model, jobs: jobs).lengths(of: inputs)
    let unused = lengths.filter { !used.contains($0) }
    guard !unused.isEmpty else { return [] }
    return [
      "no reference input needs the length \(unused.map(String.init).joined(separator: ", ")): "
        + "the candidate was not judged there"
    ]
  }
}
