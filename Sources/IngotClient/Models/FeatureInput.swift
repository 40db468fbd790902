public import IngotFeatures
public import SelfTesting
import StrictJSON

/// The input of a model that takes features, as the manifest describes it.
struct FeatureInput: Hashable, Sendable {
  /// As the model names it.
  let name: String
  /// Whether the model compares numbers of 64 bits.
  let isOf64Bits: Bool
  let schema: FeatureSchema

  /// That of a model's entry; nil for a model of texts or images.
  ///
  /// - Throws: `JSONError` for features that this library does not know how to make.
  init?(_ entry: JSONObject) throws(JSONError) {
    guard entry.has("inputs"), let input = try entry.array("inputs").first?.object,
      input.has("features")
    else { return nil }
    name = try input.string("name")
    isOf64Bits = try input.string("dtype") == "float64"
    let key = input.has("featureSchema") ? "featureSchema" : "features"
    schema = try FeatureSchema(input, key, takesNames: true)
    guard try input.array("shape").last?.integer == schema.columnCount else {
      throw input.error(
        "'shape' does not end in \(schema.columnCount), the numbers of its features",
        at: try input.required("shape").position)
    }
  }

  /// What is wrong with a tensor for it; nil if it may be a row.
  func fault(of tensor: TensorValue) -> String? {
    switch tensor.elements {
    case .float32(let row) where !isOf64Bits: schema.fault(ofRow: row.map(Double.init))
    case .float64(let row) where isOf64Bits: schema.fault(ofRow: row)
    case .float32, .float64, .int32, .uint8:
      "is not of numbers of \(isOf64Bits ? 64 : 32) bits, which the model takes"
    }
  }
}

extension InstalledModel {
  /// What the values of its features are; nil for a model of texts or images.
  public var features: FeatureSchema? { featureInput?.schema }

  /// The input of the model for one row, by the code with which the gate made its rows.
  ///
  /// - Parameter values: one for each feature, `nil` where there is none.
  /// - Throws: `FeatureError` that names the feature, its value, and what is known.
  public func input(_ values: [String: FeatureValue]) throws(FeatureError) -> TensorValue {
    guard let input = featureInput else {
      throw .schema("the model '\(name)' takes no features")
    }
    let row = try FeaturePreparer(input.schema).doubles(values)
    let elements: TensorValue.Elements =
      input.isOf64Bits ? .float64(row) : .float32(row.map { Float($0) })
    guard let tensor = TensorValue(name: input.name, shape: [1, row.count], elements) else {
      throw .schema("the model '\(name)' takes \(row.count) numbers, which are no tensor")
    }
    return tensor
  }

  /// Checks that a self-test has rows of the model's features.
  ///
  /// - Throws: `UpdateError` for the first that is none.
  func checkRows(of test: SelfTest) throws(UpdateError) {
    guard let input = featureInput else { return }
    for (place, item) in test.cases.enumerated() {
      guard let tensor = item.inputs.first, item.inputs.count == 1, tensor.name == input.name else {
        throw .malformed("self-test \(place + 1): is not of the one input '\(input.name)'")
      }
      if let fault = input.fault(of: tensor) {
        throw .malformed("self-test \(place + 1): '\(input.name)' \(fault)")
      }
    }
  }
}
