package import StrictJSON
package import Weights

/// Hugging Face's Gemma3TextModel as an encoder (EmbeddingGemma): layers that see the whole text
/// between layers that see a window, norms before and behind each part of a block.
///
/// Source: Gemma Team 2025, arXiv:2503.19786 and 2509.20354, and the file layout of transformers.
package struct Gemma3: TransformerArchitecture {
  package static let name = "gemma3_text"

  package let transformer: any TextTransformer
  package let sentence: SentenceEncoder

  package init(transformer: any TextTransformer, sentence: SentenceEncoder) {
    self.transformer = transformer
    self.sentence = sentence
  }

  package static func transformer(
    _ config: JSONObject, weights: any WeightSource
  ) throws -> any TextTransformer {
    let layout = try Gemma3Layout(config)
    let shape = try DecoderShape(config, Gemma3Layout.usual, weights: weights)
    guard layout.isLocal.count == shape.layers else {
      throw config.error(
        "'layer_types' has \(layout.isLocal.count) entries, 'num_hidden_layers' is \(shape.layers)",
        at: config["layer_types"]?.position ?? config.position)
    }
    return Gemma3Transformer(shape: shape, layout: layout)
  }

  package static func head(_ task: HeadTask, _ config: JSONObject) throws -> ClassifierHead? {
    guard task == .texts else { return nil }
    return .score(.last(padding: try config.paddingToken(usual: 0)), hasBias: false)
  }

  package func role(ofUnused name: TensorName) -> String? {
    name == "lm_head.weight" ? "the head that writes texts, which is dropped" : nil
  }
}

/// The transformer of a Gemma 3.
struct Gemma3Transformer: TextTransformer {
  let shape: DecoderShape
  let layout: Gemma3Layout

  var hidden: Int { shape.hidden }
  var vocabulary: Int { shape.vocabulary }
  var positions: Int { shape.positions }
  var prefix: WeightPrefix { shape.prefix }

  func states(batch: Int, length: Int) throws(GraphError) -> TokenStates {
    var builder = Gemma3Graph(self, batch: batch, length: length)
    return try builder.build()
  }
}

/// Writes Gemma 3's operations for one batch size B and length S; H is the hidden width.
struct Gemma3Graph {
  private let shape: DecoderShape
  private let layout: Gemma3Layout
  private let batch: Int
  private let length: Int
  private let attention: DecoderAttention
  private let whole: RotaryTable
  private let local: RotaryTable
  private(set) var graph = GraphBuilder()

  init(_ model: Gemma3Transformer, batch: Int, length: Int) {
    shape = model.shape
    layout = model.layout
    self.batch = batch
    self.length = length
    let width = model.shape.headWidth
    attention = DecoderAttention(
      shape: model.shape, batch: batch, length: length, gainOffset: 1,
      queryFactor: Float((Double(width) / model.layout.queryScalar).squareRoot()))
    whole = RotaryTable(length: length, width: width, base: model.layout.wholeBase)
    local = RotaryTable(length: length, width: width, base: model.layout.localBase)
  }

  /// The token vectors, and the mask of tokens.
  mutating func build() throws(GraphError) -> TokenStates {
    let ids = graph.input("input_ids", ValueType(.int32, [batch, length]))
    let mask = graph.input("attention_mask", ValueType(.int32, [batch, length]))
    let floatMask = try graph.append("mask", Cast(mask, to: .float32))
    let masks = try self.masks(floatMask)
    var states = try embeddings(ids)
    for layer in 0..<shape.layers {
      states = try block(layer, states, layout.isLocal[layer] ? masks.local : masks.whole)
    }
    states = try norm(states, "norm", "states")
    return TokenStates(graph: graph, states: states, mask: floatMask)
  }

  private mutating func masks(
    _ mask: Operand
  ) throws(GraphError) -> (whole: Operand, local: Operand) {
    guard layout.isBidirectional else {
      return (
        try graph.causalMask("causal_mask", length: length),
        try graph.causalMask("local_mask", length: length, window: layout.window)
      )
    }
    let padding = try graph.scoreMask(mask)
    guard layout.isLocal.contains(true), layout.window < length else { return (padding, padding) }
    return (
      padding, try graph.windowMask(padding, reach: layout.window - 1, length: length)
    )
  }

  /// Word vectors times the root of their width, from where on they stay in float32 on a device.
  private mutating func embeddings(_ ids: Operand) throws(GraphError) -> Operand {
    let table = WeightReference(
      "\(shape.prefix.text)\(DecoderShape.table)", [shape.vocabulary, shape.hidden],
      role: .tokenTable)
    let words = try graph.append("words", Gather(.weight(table), indices: ids))
    let root = Float(Double(shape.hidden).squareRoot())
    return try graph.append(
      "embeddings", ElementwiseBinary(.mul, words, .literal(.float(root))), precision: .full)
  }

  private mutating func block(
    _ layer: Int, _ input: Operand, _ mask: Operand
  ) throws(GraphError) -> Operand {
    let source = "layers.\(layer)", name = "layer\(layer)"
    let before = try norm(input, "\(source).input_layernorm", "\(name)_before")
    let attended = try attention.write(
      before, source, name, mask: mask, by: layout.isLocal[layer] ? local : whole, to: &graph)
    let behind = try norm(attended, "\(source).post_attention_layernorm", "\(name)_behind")
    let middle = try graph.residual(input, behind, "\(name)_middle")
    let normed = try norm(middle, "\(source).pre_feedforward_layernorm", "\(name)_unit_before")
    let unit = "\(shape.prefix.text)\(source).mlp"
    let narrow = try graph.gatedUnit(
      normed, ("\(unit).gate_proj", "\(unit).up_proj", "\(unit).down_proj"), name,
      shape.activation, hidden: shape.hidden, inner: shape.intermediate)
    let last = try norm(narrow, "\(source).post_feedforward_layernorm", "\(name)_unit_behind")
    return try graph.residual(middle, last, "\(name)_output")
  }

  private mutating func norm(
    _ x: Operand, _ source: String, _ name: String
  ) throws(GraphError) -> Operand {
    try graph.rmsNorm(
      x, gain: "\(shape.prefix.text)\(source).weight", name, epsilon: shape.epsilon, offset: 1)
  }
}
