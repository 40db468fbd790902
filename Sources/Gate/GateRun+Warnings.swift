import Graph
import IngotFeatures
import Inputs
import StrictJSON
import Tokenization

extension GateRun {
  /// Warnings about the two sides before anything runs.
  var warnings: [GateWarning] {
    var warnings = selfWarnings
    if baseline.isOutputs || candidate.isOutputs { warnings.append(.vectors) }
    for slot in pairing.slots {
      if case .tokens(let old, _) = slot.baseline?.architecture.input,
        case .tokens(let new, _) = slot.candidate?.architecture.input, old != new
      {
        warnings.append(.textLength(candidate: new, baseline: old))
      }
      let constant = ConstantFeature.all(of: slot, evaluation.references)
      if !constant.isEmpty { warnings.append(.references(.constantFeatures(constant))) }
      let coarse = CoarseFeature.all(of: slot, evaluation.references)
      if !coarse.isEmpty { warnings.append(.references(.coarseFeatures(coarse))) }
      warnings += UnseenCategories.all(of: slot, evaluation.references).map {
        .references(.unseenCategories($0))
      }
      warnings += GateRun.promptWarnings(slot) + GateRun.baselineWarnings(slot)
    }
    return warnings
  }

  /// Says where each side puts another prompt before texts: vectors of other texts are compared.
  private static func promptWarnings(_ slot: EncoderSlot) -> [GateWarning] {
    guard let old = slot.baseline?.architecture.preparation.prompt,
      let new = slot.candidate?.architecture.preparation.prompt,
      ExactString(old) != ExactString(new)
    else { return [] }
    return [.prompt(candidate: new, baseline: old)]
  }

  /// Warns if a baseline is itself compressed: its own loss is not judged here.
  private static func baselineWarnings(_ slot: EncoderSlot) -> [GateWarning] {
    guard slot.candidate != nil, let recipe = slot.baseline?.recipe, recipe != Model.plainRecipe
    else { return [] }
    return [.compressedBaseline(recipe: recipe)]
  }

  private var selfWarnings: [GateWarning] {
    let isSame = provenances.map { $0.baseline == $0.candidate }
    guard isSame.contains(false) else {
      return isSame.isEmpty ? [] : [.sameBytes(nil)]
    }
    return zip(pairing.candidates, isSame).filter(\.1).map { .sameBytes($0.0) }
  }

  /// Lengths that a model can be told apart by, at most; of a range of lengths not each is asked for.
  private static let maxLengths = 16

  /// Lengths that no input needs. A program of several lengths is as many programs, and only those
  /// that ran were judged.
  func unusedLengths(of runner: ModelRunner, _ inputs: [Input]) throws -> [Int] {
    guard case .single(let lengths) = runner.model.architecture.shapes, lengths.count > 1,
      lengths.count <= GateRun.maxLengths
    else { return [] }
    let used = try runner.lengths(of: inputs)
    return lengths.filter { !used.contains($0) }
  }
}

extension ConstantFeature {
  /// Features that have one value in all references, in their order: nothing tells what a model makes
  /// of another. None of a model of anything but features.
  static func all(of slot: EncoderSlot, _ references: ReferenceSet) -> [ConstantFeature] {
    guard
      case .features(let schema) = (slot.baseline ?? slot.candidate)?.architecture.input,
      case .values(let first) = references.inputs[slot.inputs[0]],
      first.count == schema.features.count
    else { return [] }
    let names = schema.names
    var isConstant = [Bool](repeating: true, count: names.count)
    for number in slot.inputs {
      guard case .values(let values) = references.inputs[number] else { continue }
      for (place, value) in values.enumerated() where value != first[place] {
        isConstant[place] = false
      }
    }
    return names.indices.filter { isConstant[$0] }.map {
      ConstantFeature(name: names[$0], value: first[$0])
    }
  }
}
