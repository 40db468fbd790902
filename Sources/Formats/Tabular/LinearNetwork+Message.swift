import SwiftProtobuf
import Trees

extension LinearNetwork {
  /// The format's message.
  func message() -> SpecModel.OneOf_Type {
    guard let labels else {
      var network = SpecNeuralNetwork()
      network.layers = [product(to: output)]
      if let update { network.updateParams = update }
      return .neuralNetwork(network)
    }
    var network = SpecNeuralNetworkClassifier()
    var softmax = SpecNeuralNetworkLayer()
    softmax.name = "softmax"
    softmax.input = ["sums"]
    softmax.output = [output]
    softmax.softmax = SpecSoftmaxLayerParams()
    network.layers = [product(to: "sums"), softmax]
    if let update { network.updateParams = update }
    switch labels {
    case .texts(let texts): network.stringClassLabels.vector = texts
    case .integers(let numbers): network.int64ClassLabels.vector = numbers.map(Int64.init)
    }
    network.labelProbabilityLayerName = output
    return .neuralNetworkClassifier(network)
  }

  private func product(to sums: String) -> SpecNeuralNetworkLayer {
    var layer = SpecNeuralNetworkLayer()
    layer.name = "linear"
    layer.input = [input]
    layer.output = [sums]
    layer.isUpdatable = update != nil
    layer.innerProduct.inputChannels = UInt64(weights.first?.count ?? 0)
    layer.innerProduct.outputChannels = UInt64(weights.count)
    layer.innerProduct.hasBias_p = true
    layer.innerProduct.weights.floatValue = weights.flatMap(\.self)
    layer.innerProduct.weights.isUpdatable = update != nil
    layer.innerProduct.bias.floatValue = offsets
    layer.innerProduct.bias.isUpdatable = update != nil
    return layer
  }

  init(_ message: SpecNeuralNetwork, at place: TabularPlace) throws(TabularError) {
    try place.requireKnown(message, UnreadFields.networks)
    guard message.layers.count == 1 else {
      throw place.fault(
        "is a network of \(message.layers.count) layers, expected one inner product")
    }
    try self.init(
      message.layers[0], output: message.layers[0].output.first ?? "", labels: nil,
      message.hasUpdateParams ? message.updateParams : nil, at: place)
  }

  init(_ message: SpecNeuralNetworkClassifier, at place: TabularPlace) throws(TabularError) {
    try place.requireKnown(message, UnreadFields.networks)
    guard message.layers.count == 2, case .softmax(let softmax) = message.layers[1].layer else {
      throw place.fault(
        "is a network of \(message.layers.count) layers, expected an inner product and a softmax")
    }
    try place.requireKnown(message.layers[1])
    try place.requireKnown(softmax)
    let output = message.layers[1].output.first ?? ""
    guard message.layers[1].input == message.layers[0].output,
      message.labelProbabilityLayerName == output
    else { throw place.fault("has layers that do not read each other, or other probabilities") }
    let labels: TreeLabels
    switch message.classLabels {
    case .stringClassLabels(let texts): labels = .texts(texts.vector)
    case .int64ClassLabels(let numbers): labels = .integers(numbers.vector.map(Int.init))
    case nil: throw place.fault("has no class labels")
    }
    try self.init(
      message.layers[0], output: output, labels: labels,
      message.hasUpdateParams ? message.updateParams : nil, at: place)
  }

  private init(
    _ layer: SpecNeuralNetworkLayer, output: String, labels: TreeLabels?,
    _ update: SpecNetworkUpdateParameters?, at place: TabularPlace
  ) throws(TabularError) {
    try place.requireKnown(layer, UnreadFields.layers)
    guard case .innerProduct(let product) = layer.layer, layer.input.count == 1,
      layer.output.count == 1
    else { throw place.fault("has '\(layer.name)', which is not an inner product") }
    try place.requireKnown(product)
    try place.requireKnown(product.weights, UnreadFields.weights)
    try place.requireKnown(product.bias, UnreadFields.weights)
    let (width, count) = (
      Int(clamping: product.inputChannels), Int(clamping: product.outputChannels)
    )
    let (weights, bias) = (product.weights.floatValue, product.bias.floatValue)
    guard width > 0, count > 0, width <= TabularProgram.arrayLimit,
      weights.count.quotientAndRemainder(dividingBy: width) == (count, 0),
      bias.count == (product.hasBias_p ? count : 0)
    else {
      throw place.fault(
        "has \(weights.count) weights and \(bias.count) offsets, expected \(count) rows of \(width)"
          + " and as many offsets")
    }
    self.init(
      input: layer.input[0], output: output,
      weights: (0..<count).map { Array(weights[$0 * width..<($0 + 1) * width]) },
      offsets: product.hasBias_p ? bias : [Float](repeating: 0, count: count), labels: labels,
      update: update)
  }

  /// Refuses what does not suit the inputs and outputs of a program.
  func check(_ program: TabularProgram, at place: TabularPlace) throws(TabularError) {
    let width = weights.first?.count ?? 0
    guard program.inputs.count == 1, program.inputs[0].name == input,
      program.inputs[0].kind == .array(width)
    else {
      throw place.fault(
        "reads '\(input)', an array of \(width) doubles, which is not one of the inputs")
    }
    guard offsets.count == weights.count, labels.map({ $0.count == weights.count }) ?? true,
      labels == nil || weights.count > 1
    else {
      throw place.fault(
        "has \(weights.count) rows of weights, \(offsets.count) offsets and \(labels?.count ?? 0) labels"
      )
    }
    try requireFinite(weights.flatMap { $0.map(Double.init) }, "weights", at: place)
    try requireFinite(offsets.map(Double.init), "offsets", at: place)
    guard labels == nil else {
      guard program.probabilities == output else {
        throw place.fault("gives '\(output)', which is not the probabilities")
      }
      return
    }
    guard weights.count == 1 else {
      throw place.fault("gives \(weights.count) numbers, expected one")
    }
    guard program.outputs.count == 1, program.outputs[0].name == output,
      program.outputs[0].kind == .array(1)
    else {
      throw place.fault(
        "gives '\(output)', an array of one double, which is not one of the outputs")
    }
  }
}
