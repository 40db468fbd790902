import Weights

/// A FastViT as the image encoder of a model of OpenCLIP: MobileCLIP.
struct FastVitTower: TimmTower, ImageTower {
  static let names = FastVitVariant.names

  private let network: FastVitNetwork
  private let size: (width: Int, height: Int)
  private let normalisation: PixelNormalisation
  /// OpenCLIP's linear layer behind the features; nil without.
  private let projection: VisionTransformer.Projection?

  static func read(_ tower: OpenClipTower) throws -> any ImageTower { try FastVitTower(tower) }

  private init(_ tower: OpenClipTower) throws {
    guard let variant = FastVitVariant(named: tower.name) else {
      throw tower.unsupported(
        "timm_model_name", tower.name, Self.names.joined(separator: ", "))
    }
    guard tower.pool == "avg" else { throw tower.unsupported("timm_pool", tower.pool, "avg") }
    let reader = FastVitReader(
      layers: ConvLayerReader(weights: tower.weights, origin: tower.origin), variant: variant,
      root: OpenClipTower.trunk)
    network = try reader.network(outputs: tower.endsItself ? tower.projection?.width : nil)
    projection = tower.endsItself ? nil : tower.projection
    (size, normalisation) = (tower.size, tower.normalisation)
  }

  var outputWidth: Int { projection?.width ?? network.width }

  func role(ofUnused name: TensorName) -> String? { nil }

  func graph(batch: Int) throws(GraphError) -> ModelGraph {
    var graph = GraphBuilder()
    let normalised = try graph.pixels(
      batch: batch, width: size.width, height: size.height, normalisation)
    var builder = FastVitGraph(network: network, batch: batch, graph: graph)
    var vectors = try builder.build(normalised, projection == nil ? "projected" : "pooled_rows")
    graph = builder.graph
    if let projection {
      vectors = try graph.linear(
        vectors, projection.name, "projected", inputs: network.width, outputs: projection.width,
        hasBias: projection.hasBias)
    }
    let embedding = try graph.unitRows(vectors)
    return try graph.finish(output: embedding)
  }
}
