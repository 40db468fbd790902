import StrictJSON
import Weights

/// A convolutional network of timm's family of mobile networks: MobileNetV2, V3 and V4, EfficientNet
/// and EfficientNet-Lite. It gives the pooled features before the classifier, or the scores of the
/// classifier if the model has one.
///
/// The names of the weights say which blocks there are, and their shapes how wide these are; strides,
/// activations and padding follow from the model's name.
///
/// Sources: Howard et al. 2019, arXiv:1905.02244; Qin et al. 2024, arXiv:2404.10518; Tan and Le
/// 2019, arXiv:1905.11946; the names are timm's.
package struct MobileNet: TimmArchitecture {
  package static let name = "timm"
  package static let modelTypes = [TimmConfig.wrapper]
  package static let signature = "config.json of timm with \"architecture\" and \"pretrained_cfg\""

  let variant: MobileNetVariant
  let size: (width: Int, height: Int)
  let normalisation: PixelNormalisation
  let stem: ConvLayer
  let blocks: [MobileBlock]
  let head: MobileHead
  let classifier: TimmClassifier?

  var width: Int { head.width }

  package func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    var builder = MobileNetGraph(model: self, batch: batch)
    return try builder.build()
  }

  package static func recognise(
    _ files: ModelFiles, weights: any WeightSource
  ) throws -> MobileNet? {
    guard let config = try TimmConfig(files) else { return nil }
    guard let variant = MobileNetVariant(named: config.architecture) else { return nil }
    let reader = MobileNetReader(
      variant: variant, layers: ConvLayerReader(weights: weights, origin: files.origin))
    return MobileNet(
      variant: variant, size: config.size, normalisation: config.normalisation,
      stem: try reader.stem(), blocks: try reader.blocks(), head: try reader.head(),
      classifier: try config.classifier())
  }
}
