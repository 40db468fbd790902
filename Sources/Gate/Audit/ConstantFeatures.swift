import Graph
import Inputs
import StrictJSON

extension ConstantFeature {
  /// Features that have one value in all references, in their order: nothing tells what a model makes
  /// of another. None of a model of anything but features.
  static func all(of slot: EncoderSlot, _ references: ReferenceSet) -> [ConstantFeature] {
    guard
      case .features(let names) = (slot.baseline ?? slot.candidate)?.architecture.input,
      case .values(let first) = references.inputs[slot.inputs[0]], first.count == names.count
    else { return [] }
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
