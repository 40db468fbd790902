import Graph
import StrictJSON
import Weights

/// One unit of swapping: a weight that differs, and the bias that calibration fitted to it.
///
/// A refitted bias takes up what its weight lost, and means nothing without it.
struct WeightUnit {
  let difference: WeightDifference
  /// The bias swapped with the weight; nil if the weight is swapped alone.
  let bias: TensorName?

  var name: TensorName { difference.name }
  var names: [TensorName] { [name] + (bias.map { [$0] } ?? []) }

  /// The units of a model, in the order in which its graph first uses them.
  ///
  /// - Parameters:
  ///   - differences: one for each weight that was compared, in that order.
  ///   - isCalibrated: whether biases may have been refitted.
  static func all(
    _ differences: [WeightDifference], in model: Model, isCalibrated: Bool
  ) throws -> [WeightUnit] {
    let moved = differences.filter { $0.relativeError > 0 }
    let biases =
      isCalibrated ? try WeightUnit.biases(of: model, among: Set(moved.map(\.name))) : [:]
    let taken = Set(biases.values)
    return moved.filter { !taken.contains($0.name) }.map {
      WeightUnit(difference: $0, bias: biases[$0.name])
    }
  }

  /// Biases by the weights that they are added to the products of, both of some names.
  static func biases(
    of model: Model, among names: Set<TensorName>
  ) throws -> [TensorName: TensorName] {
    let uses = try model.architecture.smallestGraph().nodes.compactMap {
      $0.operation as? Linear
    }.compactMap { linear -> (TensorName, TensorName)? in
      guard case .weight(let weight) = linear.weight, case .weight(let bias) = linear.bias,
        names.contains(weight.name), names.contains(bias.name)
      else { return nil }
      return (weight.name, bias.name)
    }
    return Dictionary(uses) { first, _ in first }
  }
}
