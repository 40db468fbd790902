import Weights

/// Writes the operations of a FastViT for a batch size B; images are [B, C, height, width].
struct FastVitGraph {
  let network: FastVitNetwork
  let batch: Int
  var graph = GraphBuilder()

  /// A normalised image, [B, 3, height, width] → [B, width].
  ///
  /// - Parameter name: of the result.
  mutating func build(_ pixels: Operand, _ name: String) throws(GraphError) -> Operand {
    var states = pixels
    for layer in network.stem { states = try branches(layer, states) }
    for stage in network.stages { states = try append(stage, states) }
    states = try branches(network.last, states)
    let means = try graph.planeMeans(states, "pooled")
    guard let head = network.head else { return try rows(means, name) }
    return try graph.linear(
      try rows(means, "features"), head.source, name, inputs: network.features,
      outputs: head.outputs, hasBias: head.hasBias)
  }

  // [B, C, 1, 1] → [B, C]
  private mutating func rows(_ means: Operand, _ name: String) throws(GraphError) -> Operand {
    try graph.append(name, Reshape(means, shape: [batch, network.features]))
  }

  private mutating func append(_ stage: FastVitStage, _ x: Operand) throws(GraphError) -> Operand {
    var states = x
    for layer in stage.entry { states = try branches(layer, states) }
    if let positions = stage.positions {
      let made = try graph.conv(positions.conv, states, positions.name)
      states = positions.hasSkip ? try add(made, states, "\(positions.name)_sum") : made
    }
    for block in stage.blocks { states = try append(block, states) }
    return states
  }

  private mutating func append(_ block: FastVitBlock, _ x: Operand) throws(GraphError) -> Operand {
    let mixed = try mix(block, x)
    var states = mixed
    for (index, layer) in block.feedForward.enumerated() {
      states = try graph.conv(layer, states, "\(block.name)_inner\(index)")
    }
    let scaled = try scale(states, block.scale, "\(block.name)_inner_scaled", block.channels)
    return try add(mixed, scaled, "\(block.name)_output")
  }

  private mutating func mix(_ block: FastVitBlock, _ x: Operand) throws(GraphError) -> Operand {
    let name = "\(block.name)_mixed"
    switch block.mixer {
    case .conv(let layer): return try graph.conv(layer, x, name)
    case .attention(let attention):
      let seen = try attend(attention, block, x)
      return try add(
        x, try scale(seen, attention.scale, "\(name)_scaled", block.channels), "\(name)_sum")
    case .branches(let layer, let norm, let gain):
      let mixed = try branches(layer, x)
      let own = try graph.batchNorm(
        x, norm, "\(name)_norm", channels: block.channels, epsilon: ConvRules().epsilon)
      let change = try graph.append("\(name)_change", ElementwiseBinary(.sub, mixed, own))
      return try add(
        x, try scale(change, gain, "\(name)_scaled", block.channels), "\(name)_sum")
    }
  }

  // The sum of all branches, its gates, its activation.
  private mutating func branches(
    _ layer: BranchedConv, _ x: Operand
  ) throws(GraphError) -> Operand {
    let name = layer.name
    var parts: [Operand] = []
    for (index, conv) in layer.convolutions.enumerated() {
      parts.append(try graph.conv(conv, x, "\(name)_branch\(index)"))
    }
    if let identity = layer.identity {
      parts.append(
        try graph.batchNorm(
          x, identity, "\(name)_identity", channels: layer.outputs,
          epsilon: ConvRules().epsilon))
    }
    var states = parts[0]
    for (index, part) in parts.enumerated().dropFirst() {
      states = try add(states, part, "\(name)_sum\(index)")
    }
    if let excitation = layer.excitation { states = try graph.excite(excitation, states, name) }
    return layer.isActive ? try graph.apply(.gelu, to: states, "\(name)_active") : states
  }

  // Every plane times its gain.
  private mutating func scale(
    _ x: Operand, _ gain: String, _ name: String, _ channels: Int
  ) throws(GraphError) -> Operand {
    let weight = WeightReference(TensorName(gain), [channels, 1, 1], role: .norm)
    return try graph.append(name, ElementwiseBinary(.mul, x, .weight(weight)))
  }

  private mutating func add(
    _ x: Operand, _ y: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    try graph.append(name, ElementwiseBinary(.add, x, y))
  }
}
