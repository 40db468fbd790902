/// Writes the operations of a mobile network for a batch size B.
struct MobileNetGraph {
  let model: MobileNet
  let batch: Int
  var graph = GraphBuilder()

  /// image [B, 3, height, width] of pixels 0...255 → [B, features], or the scores of the classes.
  mutating func build() throws(GraphError) -> ModelGraph {
    var states = try graph.pixels(
      batch: batch, width: model.size.width, height: model.size.height, model.normalisation)
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
      case .excitation(let excitation):
        states = try graph.excite(excitation, states, name, model.variant.rules)
      }
    }
    guard block.hasSkip else { return states }
    return try graph.append("\(block.name)_sum", ElementwiseBinary(.add, states, x))
  }

  private mutating func conv(
    _ layer: ConvLayer, _ x: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    try graph.conv(layer, x, name, model.variant.rules)
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
