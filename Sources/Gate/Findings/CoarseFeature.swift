import Graph
import IngotFeatures
import Inputs
import StrictJSON
import Trees

/// A feature whose values in the references are so large for how much they differ that 32 bits lose a part of it.
///
/// Libraries that compute in 64 bits, such as scikit-learn, give other outputs then, and so does a Core ML file of
/// doubles. Baseline and candidate lose the same, so that no drift tells of it.
package struct CoarseFeature: Equatable, Sendable {
  package let name: String
  /// How far numbers of 32 bits are apart, where the values are largest.
  package let step: Double
  /// The largest value of the references less the smallest.
  package let range: Double

  /// The largest loss that nobody has to know of, as a share of the range.
  private static let usualLoss = 1e-4

  /// The warning, as a sentence.
  static func sentence(_ features: [CoarseFeature]) -> String {
    let named = features.map {
      "\(quoted($0.name)) (steps of \(Figures.plain($0.step)) in a range of "
        + "\(Figures.plain($0.range)))"
    }
    return
      "32 bits hold the values of \(Figures.list(words: named)) coarsely: a library that computes in "
      + "64 bits gives other outputs; take a fixed number from such a feature before training and in the app"
  }

  var json: JSONValue {
    ["name": .string(name), "step": .double(step), "range": .double(range)]
  }

  /// Features of models that compute in 32 bits, in their order. Trees compare numbers in the width of their library.
  static func all(of slot: EncoderSlot, _ references: ReferenceSet) -> [CoarseFeature] {
    guard let architecture = (slot.baseline ?? slot.candidate)?.architecture,
      case .features(let schema) = architecture.input, !(architecture is ForestModel)
    else { return [] }
    let rows = slot.inputs.compactMap { number -> [Double]? in
      guard case .values(let row) = references.inputs[number], row.count == schema.features.count
      else { return nil }
      return row
    }
    return schema.names.enumerated().compactMap { place, name in
      let values = rows.lazy.map { $0[place] }.filter(\.isFinite)
      guard let least = values.min(), let largest = values.max(), least < largest,
        let loss = values.map({ ($0 - Double(Float($0))).magnitude }).max(),
        loss > usualLoss * (largest - least)
      else { return nil }
      return CoarseFeature(
        name: name, step: Double(Float(max(largest, -least)).ulp), range: largest - least)
    }
  }
}
