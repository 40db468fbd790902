package import Formats
package import WeightCompression
import Weights

/// A weight as it is stored.
package struct ReportedWeight: Sendable {
  package let name: String
  package let shape: [Int]
  /// `palette of 4 bits in groups of 16`, `kept`.
  package let scheme: String
  /// Bytes of its numbers, scales and palettes included; 0 if it is stored with another.
  package let byteCount: Int
  /// ‖w − ŵ‖ / ‖w‖; nil where it was not measured.
  package let error: Double?

  package init(name: String, shape: [Int], scheme: String, byteCount: Int, error: Double?) {
    (self.name, self.shape, self.scheme) = (name, shape, scheme)
    (self.byteCount, self.error) = (byteCount, error)
  }

  /// The weights of a model that was written.
  package static func all(of model: EmittedModel) -> [ReportedWeight] {
    zip(model.tensors, model.weightBytes).map { tensor, bytes in
      ReportedWeight(
        name: tensor.name.text, shape: tensor.shape, scheme: tensor.schemeLabel, byteCount: bytes,
        error: tensor.relativeError)
    }
  }

  /// The weights of a model that was to be written.
  ///
  /// - Parameter byteCounts: of each, as its format stores it.
  package static func all(of planned: [PlannedTensor], byteCounts: [Int]) -> [ReportedWeight] {
    zip(planned, byteCounts).map { tensor, bytes in
      ReportedWeight(
        name: tensor.name.text, shape: tensor.shape, scheme: tensor.schemeLabel, byteCount: bytes,
        error: nil)
    }
  }

  var elementCount: Int { shape.reduce(1, *) }

  /// The part of the model that it belongs to: its name up to the first number, and before that its
  /// first word: `encoder.layer.5`, `embeddings`.
  var layer: String {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return name }
    if let number = parts.dropLast().firstIndex(where: { Int($0) != nil }) {
      return parts[...number].joined(separator: ".")
    }
    return String(parts[0])
  }
}

/// The weights of one part of a model.
struct WeightLayer {
  let name: String
  let weights: [ReportedWeight]

  var byteCount: Int { weights.reduce(0) { $0 + $1.byteCount } }
  var elementCount: Int { weights.reduce(0) { $0 + $1.elementCount } }

  /// Bits of a number on average, scales and palettes included; nil without numbers.
  var bits: Double? {
    elementCount > 0 ? 8 * Double(byteCount) / Double(elementCount) : nil
  }

  /// All layers, in the order of their first weights.
  static func all(_ weights: [ReportedWeight]) -> [WeightLayer] {
    var order: [String] = [], layers: [String: [ReportedWeight]] = [:]
    for weight in weights {
      if layers[weight.layer] == nil { order.append(weight.layer) }
      layers[weight.layer, default: []].append(weight)
    }
    return order.map { WeightLayer(name: $0, weights: layers[$0] ?? []) }
  }
}
