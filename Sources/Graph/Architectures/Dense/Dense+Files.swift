import IngotFeatures
import StrictJSON
import Weights

extension Dense {
  package static func recognise(_ files: ModelFiles, weights: any WeightSource) throws -> Dense? {
    guard let model = try files.object("model.json"), model["architecture"]?.string == name else {
      return nil
    }
    try model.allowOnly(["architecture", "inputs", "standardize", "normalize", "layers", "output"])
    let features = try FeatureSchema(model, "inputs")
    let standardisation = try self.standardisation(model, features: features.columnCount)
    let layers = try self.layers(model, features: features.columnCount, weights: weights)
    let last = layers[layers.count - 1]
    let hasTwoColumns = try hasTwoColumns(model, last: last)
    return Dense(
      features: features, standardisation: standardisation, norm: try norm(model), layers: layers,
      output: try output(model, last: last, hasTwoColumns: hasTwoColumns),
      outputName: try outputName(model), hasTwoColumns: hasTwoColumns)
  }

  private static func norm(_ model: JSONObject) throws(JSONError) -> Norm? {
    guard model.has("normalize") else { return nil }
    let word = try model.string("normalize")
    guard let norm = Norm(rawValue: word) else {
      throw model.error(
        "'normalize' is '\(word)', expected 'l1' or 'l2'",
        at: try model.required("normalize").position)
    }
    return norm
  }

  private static func standardisation(
    _ model: JSONObject, features: Int
  ) throws(JSONError) -> (mean: WeightReference, scale: WeightReference)? {
    guard model.has("standardize") else { return nil }
    let object = try model.object("standardize")
    try object.allowOnly(["mean", "scale"])
    return (
      WeightReference(tensorName(try object.string("mean")), [features], role: .statistic),
      WeightReference(tensorName(try object.string("scale")), [features], role: .statistic)
    )
  }

  private static func layers(
    _ model: JSONObject, features: Int, weights: any WeightSource
  ) throws -> [Layer] {
    var layers: [Layer] = []
    var width = features
    for node in try model.array("layers") {
      guard let object = node.object else {
        throw model.error("a layer is \(node.kind), expected an object", at: node.position)
      }
      let layer = try self.layer(object, inputs: width, weights: weights)
      width = layer.weight.shape[layer.isInputMajor ? 1 : 0]
      layers.append(layer)
    }
    guard let last = layers.last else {
      throw model.error("'layers' is empty", at: model.position)
    }
    if let early = layers.dropLast().firstIndex(where: { $0.activation == .oneVersusRest }) {
      throw model.error(
        "layer \(early + 1) of \(layers.count) has the activation 'one-vs-rest', which is for the "
          + "last one", at: model.position)
    }
    guard last.activation != .oneVersusRest || width > 1 else {
      throw model.error(
        "'one-vs-rest' is for several outputs, the last layer has 1; use sigmoid",
        at: model.position)
    }
    return layers
  }

  private static func layer(
    _ object: JSONObject, inputs: Int, weights: any WeightSource
  ) throws -> Layer {
    try object.allowOnly(["weight", "bias", "layout", "activation"])
    let layout = object.has("layout") ? try object.string("layout") : "out,in"
    guard ["out,in", "in,out"].contains(layout) else {
      throw object.error(
        "'layout' is '\(layout)', expected 'out,in' or 'in,out'", at: object.position)
    }
    let word = object.has("activation") ? try object.string("activation") : "identity"
    guard let activation = Activation(rawValue: word) else {
      throw object.error(
        "'activation' is '\(word)', expected one of "
          + Activation.allCases.map(\.rawValue).joined(separator: ", "), at: object.position)
    }
    let isInputMajor = layout == "in,out"
    let name = tensorName(try object.string("weight"))
    guard let stored = weights.shape(of: name) else {
      throw ModelError.missingWeight(origin: object.origin, name: name)
    }
    let shape = stored.count == 1 ? [1] + stored : stored
    guard shape.count == 2, shape[isInputMajor ? 0 : 1] == inputs, !shape.contains(0) else {
      throw ModelError.wrongShape(
        origin: object.origin, name: name, found: stored,
        expected: isInputMajor ? [inputs, shape.last ?? 1] : [shape.first ?? 1, inputs])
    }
    let outputAxis = isInputMajor ? 1 : 0
    let bias = object.has("bias") ? tensorName(try object.string("bias")) : nil
    return Layer(
      weight: WeightReference(name, shape, role: .matrix(outputAxis: outputAxis)),
      bias: bias.map { WeightReference($0, [shape[outputAxis]], role: .bias) },
      isInputMajor: isInputMajor, activation: activation)
  }

  /// The tensor of a file name: `coefs_0` for `coefs_0.npy`.
  private static func tensorName(_ file: String) -> TensorName {
    TensorName(file.hasSuffix(".npy") ? String(file.dropLast(4)) : file)
  }
}
