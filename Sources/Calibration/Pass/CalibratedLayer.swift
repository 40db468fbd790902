import Graph
import WeightCompression
import Weights

/// A `linear` operation, a `matmul` with a weight, or a `conv`, that is fitted to its inputs and
/// outputs.
struct CalibratedLayer: Sendable {
  /// Name of the value it makes.
  let output: String
  /// Name of the value it reads.
  let input: String
  /// A matrix; the role says which axis its outputs are.
  let weight: WeightReference
  /// A bias that nothing but the uses of the weight reads, [outputs].
  let bias: WeightReference?
  /// The value the output is added to, if that is its only use.
  let residual: String?
  /// Whether other layers read the same value.
  let sharesInput: Bool
  /// Whether the model uses only the first row of its output for each input, because it takes the
  /// first token's vector for the sentence.
  let isFirstRowTaken: Bool
  /// What makes an output of an input besides the weight; nil where it is not only a bias that is stored,
  /// and of a weight that is used several times.
  var affine: Affine?
  /// The rows of a convolution; nil for other layers, whose values are rows as they are.
  var patches: PatchRows?
  /// The further uses of the weight, in the order they run: the weight is fitted to all together.
  var laterUses: [CalibratedLayer] = []

  /// A layer whose outputs are its inputs times its weight, and a bias.
  struct Affine: Sendable {
    /// Whoever else reads it.
    let bias: WeightReference?
  }

  /// Whether the outputs wanted of it are known by its inputs in the original model: those have fewer
  /// numbers, or serve other layers too.
  var isFittedByInputs: Bool {
    affine != nil && residual == nil && (sharesInput || weight.channels > inputCount)
  }

  /// Name of the value of the original model that says which outputs are wanted.
  var wanted: String { isFittedByInputs ? input : output }

  /// Numbers in a row of inputs.
  var inputCount: Int { patches?.inputCount ?? max(1, weight.inputs ?? 1) }
  /// Parts of the outputs that have inputs of their own.
  var groupCount: Int { patches?.groups ?? 1 }

  /// The layers of a graph in the order they run, each weight where it runs first.
  ///
  /// Leaves out weights that stay uncompressed or lose nothing, and weights that are also used as
  /// something else than a matrix.
  ///
  /// - Parameter scheme: the requested scheme of a weight; nil if it stays uncompressed.
  static func all(
    in graph: ModelGraph, scheme: (WeightReference) -> Scheme?
  ) -> [CalibratedLayer] {
    let finder = LayerFinder(graph)
    let products = graph.nodes.compactMap { node -> Product? in
      guard let product = MatrixOperation(node, in: finder),
        let scheme = scheme(product.weight)?.own, !scheme.isLossless
      else { return nil }
      return (node, product)
    }
    let uses = Dictionary(grouping: products) { $0.1.weight.name }
    let fitted = products.filter { finder.uses(of: $0.1.weight) == uses[$0.1.weight.name]?.count }
    let layers = CalibratedLayer.layers(fitted, in: finder)
    let all = Dictionary(grouping: layers) { $0.weight.name }
    var seen: Set<TensorName> = []
    return layers.compactMap { layer in
      guard seen.insert(layer.weight.name).inserted else { return nil }
      var first = layer
      first.laterUses = Array(all[layer.weight.name, default: []].dropFirst())
      return first
    }
  }

  private typealias Product = (ModelGraph.Node, MatrixOperation)

  /// A layer for each use of each weight.
  private static func layers(_ products: [Product], in finder: LayerFinder) -> [CalibratedLayer] {
    let outputs = Set(products.map { $0.0.name })
    return products.map { node, product in
      // The same bias at every use of the weight, and nowhere else.
      let same = products.filter { $0.1.weight.name == product.weight.name }
      let bias = product.bias.flatMap { bias in
        same.allSatisfy { $0.1.bias?.name == bias.name } && finder.uses(of: bias) == same.count
          ? bias : nil
      }
      return CalibratedLayer(
        output: node.name, input: product.input, weight: product.weight, bias: bias,
        residual: finder.residual(of: node, before: outputs),
        sharesInput: products.count { $0.1.input == product.input } > 1,
        isFirstRowTaken: finder.isFirstRowTaken(of: node),
        affine: same.count == 1 ? product.affine : nil, patches: product.patches)
    }
  }
}

/// A value times a weight that is a matrix.
private struct MatrixOperation {
  let input: String
  let weight: WeightReference
  let bias: WeightReference?
  let affine: CalibratedLayer.Affine?
  let patches: PatchRows?

  /// Nil for any other operation.
  init?(_ node: ModelGraph.Node, in finder: LayerFinder) {
    switch node.operation {
    case let linear as Linear:
      guard case .value(let input) = linear.x, case .weight(let weight) = linear.weight,
        weight.role == .matrix(outputAxis: 0)
      else { return nil }
      (self.input, self.weight, patches) = (input, weight, nil)
      bias = linear.bias?.weight
      affine = linear.bias != nil && bias == nil ? nil : CalibratedLayer.Affine(bias: bias)
    case let product as Matmul:
      guard !product.transposeX, !product.transposeY, case .value(let input) = product.x,
        case .weight(let weight) = product.y, weight.shape.count == 2,
        weight.role == .matrix(outputAxis: 1)
      else { return nil }
      (self.input, self.weight, bias, patches) = (input, weight, nil, nil)
      affine = CalibratedLayer.Affine(bias: nil)
    case let conv as Conv:
      guard case .value(let input) = conv.x, case .weight(let weight) = conv.weight,
        weight.role == .matrix(outputAxis: 0), let x = finder.shape(of: input),
        let patches = PatchRows(conv, weight: weight, x: x, output: node.type.shape)
      else { return nil }
      (self.input, self.weight, self.patches) = (input, weight, patches)
      (bias, affine) = (conv.bias?.weight, nil)
    default: return nil
    }
  }
}

/// Finds how a graph uses weights and values.
private struct LayerFinder {
  private let graph: ModelGraph
  private let uses: [TensorName: Int]
  private var readers: [String: [ModelGraph.Node]] = [:]
  private let places: [String: Int]

  init(_ graph: ModelGraph) {
    self.graph = graph
    uses = graph.weightUses.reduce(into: [:]) { $0[$1.name, default: 0] += 1 }
    places = Dictionary(graph.nodes.enumerated().map { ($1.name, $0) }) { first, _ in first }
    for node in graph.nodes {
      for case .value(let name) in node.operation.operands.map(\.operand) {
        readers[name, default: []].append(node)
      }
    }
  }

  /// Shape of an input or value.
  func shape(of value: String) -> [Int]? {
    places[value].map { graph.nodes[$0].type.shape }
      ?? graph.inputs.first { $0.name == value }?.type.shape
  }

  /// How often operations read a weight.
  func uses(of weight: WeightReference) -> Int { uses[weight.name, default: 0] }

  /// Whether every way from a value leads through operations on single rows to a slice of the first.
  func isFirstRowTaken(of node: ModelGraph.Node) -> Bool {
    guard node.type.shape.count == 3, graph.output != node.name,
      let all = readers[node.name], !all.isEmpty
    else { return false }
    return all.allSatisfy { reader in
      switch reader.operation {
      case let slice as SliceByIndex:
        slice.begin == [0, 0, 0] && slice.end == [node.type.shape[0], 1, node.type.shape[2]]
      case is Linear, is LayerNorm, is Gelu, is ElementwiseUnary: isFirstRowTaken(of: reader)
      case is ElementwiseBinary:
        reader.type.shape.prefix(2) == node.type.shape.prefix(2) && isFirstRowTaken(of: reader)
      default: false
      }
    }
  }

  /// The other term of the sum that is the only reader of a layer's output, if it can be
  /// known before the layer is compressed.
  func residual(of node: ModelGraph.Node, before layers: Set<String>) -> String? {
    guard graph.output != node.name, let all = readers[node.name], all.count == 1,
      let sum = all[0].operation as? ElementwiseBinary, sum.kind == .add,
      case .value(let x) = sum.x, case .value(let y) = sum.y, x != y,
      all[0].type == node.type
    else { return nil }
    let other = x == node.name ? y : x
    guard let type = graph.nodes.first(where: { $0.name == other })?.type, type == node.type
    else { return nil }
    let made = graph.reach(of: [other], from: []).made
    let place = places[node.name] ?? 0
    let waits = made.contains { layers.contains($0) && (places[$0] ?? 0) >= place }
    return waits ? nil : other
  }
}

extension Operand {
  /// The weight that it is; nil for values and literals.
  fileprivate var weight: WeightReference? {
    if case .weight(let reference) = self { reference } else { nil }
  }
}
