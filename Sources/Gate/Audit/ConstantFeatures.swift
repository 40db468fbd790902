import Graph
import Inputs
import StrictJSON

/// Features that have one value in all references: nothing tells what a model makes of another.
struct ConstantFeatures {
  /// Their names and values, in the order of the features.
  private let found: [(name: String, value: Float)]

  /// - Returns: nil where there is none, and for a model of anything but features.
  init?(_ tower: Tower, _ references: ReferenceSet) {
    guard
      case .features(let names) = (tower.baseline ?? tower.candidate)?.architecture.input,
      case .values(let first) = references.inputs[tower.inputs[0]], first.count == names.count
    else { return nil }
    var isConstant = [Bool](repeating: true, count: names.count)
    for number in tower.inputs {
      guard case .values(let values) = references.inputs[number] else { continue }
      for (place, value) in values.enumerated() where value != first[place] {
        isConstant[place] = false
      }
    }
    found = names.indices.filter { isConstant[$0] }.map { (names[$0], first[$0]) }
    if found.isEmpty { return nil }
  }

  /// A sentence without paths, because receipts hold it.
  var warning: String {
    let words = found.map { "'\($0.name)' (\(Figures.plain(Double($0.value))))" }
    return
      "all references have one value of \(Figures.list(words: words)): what the model makes of "
      + "others was not judged"
  }
}
