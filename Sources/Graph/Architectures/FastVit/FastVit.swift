import Weights

/// A FastViT as timm saves it: the pooled features, the scores of its classes, or, of an image encoder of
/// MobileCLIP, the vector in its space.
///
/// Sources: Vasu et al. 2023, arXiv:2303.14189; Vasu et al. 2024, "MobileCLIP", arXiv:2311.17049; the
/// names are timm's.
package struct FastVit: TimmArchitecture {
  package static let name = "fastvit"
  package static let signature = "config.json of timm with \"architecture\": \"fastvit_…\""

  let network: FastVitNetwork
  let size: (width: Int, height: Int)
  let normalisation: PixelNormalisation
  let classifier: TimmClassifier?

  var width: Int { network.width }

  package static func recognise(
    _ files: ModelFiles, weights: any WeightSource
  ) throws -> FastVit? {
    guard let config = try TimmConfig(files),
      let variant = FastVitVariant(named: config.architecture)
    else { return nil }
    let classifier = try config.classifier()
    let reader = FastVitReader(
      layers: ConvLayerReader(weights: weights, origin: files.origin), variant: variant)
    let network = try reader.network(outputs: classifier?.count)
    let isProjection = classifier?.count == variant.clipWidth && !config.hasLabels
    return FastVit(
      network: network, size: config.size, normalisation: config.normalisation,
      classifier: isProjection ? nil : classifier)
  }

  package func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    var graph = GraphBuilder()
    let normalised = try graph.pixels(
      batch: batch, width: size.width, height: size.height, normalisation)
    var builder = FastVitGraph(network: network, batch: batch, graph: graph)
    let output = try builder.build(normalised, outputName)
    return try builder.graph.finish(output: output)
  }
}
