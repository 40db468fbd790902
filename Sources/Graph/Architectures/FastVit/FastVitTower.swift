import Weights

/// A FastViT as the image encoder of a model of OpenCLIP: MobileCLIP.
struct FastVitTower: OpenClipTower {
  static let names = FastVitVariant.names

  private let network: FastVitNetwork
  /// Numbers of an embedding where OpenCLIP has a linear layer behind the features.
  private let projection: Int?
  private let hasBias: Bool

  init(_ settings: OpenClipTowerSettings) throws {
    guard let variant = FastVitVariant(named: settings.name) else {
      throw ModelError.unsupported(
        place: settings.origin, found: "'\(settings.name)'",
        supported: Self.names.joined(separator: ", "))
    }
    try settings.requirePool(["avg"])
    let isOwn = settings.projection == .ownHead
    let reader = FastVitReader(
      layers: ConvLayerReader(weights: settings.weights, origin: settings.origin),
      variant: variant, root: OpenClipTowerSettings.trunk)
    network = try reader.network(outputs: isOwn ? settings.width : nil)
    projection = isOwn ? nil : settings.width
    hasBias = settings.layerHasBias
  }

  func vectors(
    _ pixels: Operand, batch: Int, in graph: inout GraphBuilder
  ) throws(GraphError) -> Operand {
    var builder = FastVitGraph(network: network, batch: batch, graph: graph)
    let features = try builder.build(pixels, projection == nil ? "projected" : "pooled_features")
    graph = builder.graph
    guard let projection else { return features }
    return try graph.linear(
      features, OpenClipTowerSettings.layer, "projected", inputs: network.width,
      outputs: projection, hasBias: hasBias)
  }
}
