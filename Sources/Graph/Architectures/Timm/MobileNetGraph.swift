import Weights

/// Writes the operations of a mobile network for a batch size B.
struct MobileNetGraph {
  let model: MobileNet
  let batch: Int
  private var graph = GraphBuilder()

  init(model: MobileNet, batch: Int) {
    self.model = model
    self.batch = batch
  }

  /// image [B, 3, height, width] of pixels 0...255 → [B, features], or the scores of the classes.
  mutating func build() throws(GraphError) -> ModelGraph {
    let pixels = graph.input(
      "image", ValueType(.float32, [batch, 3, model.size.height, model.size.width]))
    var states = try graph.normalise(pixels, model.normalisation)
    states = try conv(model.stem, states, "stem")
    for block in model.blocks { states = try append(block, states) }
    return try finish(states)
  }

  private mutating func append(_ block: MobileBlock, _ x: Operand) throws(GraphError) -> Operand {
    var states = x
    for (index, step) in block.steps.enumerated() {
      let name = "\(block.name)_\(index)"
      switch step {
      case .conv(let layer): states = try conv(layer, states, name)
      case .excitation(let excitation): states = try excite(excitation, states, name)
      }
    }
    guard block.hasSkip else { return states }
    return try graph.append("\(block.name)_sum", ElementwiseBinary(.add, states, x))
  }

  private mutating func conv(
    _ layer: ConvLayer, _ x: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    let image = graph.type(of: x)?.shape.suffix(2) ?? []
    let window = Array(layer.shape[2...])
    var states = try graph.conv(
      x, layer.source, "\(name)_conv", shape: layer.shape,
      steps: model.variant.padsAsTensorFlow
        ? .same(window, stride: layer.stride, image: Array(image))
        : .centred(window, stride: layer.stride),
      groups: layer.isDepthwise ? layer.shape[0] : 1, hasBias: layer.hasBias)
    if let norm = layer.norm {
      states = try graph.batchNorm(
        states, norm, "\(name)_norm", channels: layer.shape[0], epsilon: model.variant.epsilon)
    }
    guard let activation = layer.activation else { return states }
    return try graph.apply(activation, to: states, "\(name)_active")
  }

  private mutating func excite(
    _ excitation: Excitation, _ x: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    let means = try graph.planeMeans(x, "\(name)_means")
    let few = try conv(excitation.reduce, means, "\(name)_few")
    let wide = try conv(excitation.expand, few, "\(name)_wide")
    let gate = try graph.append(
      "\(name)_gate",
      excitation.isHard ? SigmoidHard(wide) : ElementwiseUnary(.sigmoid, wide))
    return try graph.append("\(name)_excited", ElementwiseBinary(.mul, x, gate))
  }

  private mutating func finish(_ x: Operand) throws(GraphError) -> ModelGraph {
    let head = model.head
    let pooled: Operand
    if head.isPooledFirst {
      pooled = try conv(head.conv, try graph.planeMeans(x, "pooled"), "head")
    } else {
      pooled = try graph.planeMeans(try conv(head.conv, x, "head"), "pooled")
    }
    let name = model.classifier == nil ? "embedding" : "features"
    let rows = try graph.append(name, Reshape(pooled, shape: [batch, head.width]))
    guard let classifier = model.classifier else { return try graph.finish(output: rows) }
    let scores = try graph.linear(
      rows, "classifier", "scores", inputs: head.width, outputs: classifier.count)
    return try graph.finish(output: scores)
  }
}
