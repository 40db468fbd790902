import StrictJSON
import Weights

/// The residual network that CLIP calls RN50 and so on: three convolutions and a pool, four stages of
/// blocks, and attention that pools. Strides are averages of pixels side by side.
///
/// Source: Radford et al. 2021, arXiv:2103.00020, section 2.4; the names are OpenCLIP's.
struct ClipResNet: Sendable {
  /// Pixels of a side of the image.
  let size: Int
  /// Channels after the first convolutions; the features have 32 times as many.
  let width: Int
  /// Blocks of each of four stages.
  let blocks: [Int]
  let normalisation: PixelNormalisation

  /// How much smaller the features are than the image.
  static let reduction = 32

  /// Vectors of the features: one for each place, and their mean.
  var tokens: Int { (size / Self.reduction) * (size / Self.reduction) + 1 }
}

extension OpenClip {
  /// The image encoder whose `layers` are the blocks of four stages.
  func residual(_ part: JSONObject) throws -> ClipEncoder {
    let nodes = try part.array("layers")
    let blocks = nodes.compactMap(\.integer).filter { (1...200).contains($0) }
    guard blocks.count == 4, nodes.count == 4 else {
      throw part.mismatch(
        "layers", expected: "a number, or four from 1 to 200", try part.required("layers"))
    }
    let width = try integer("width", of: part, 64, in: 2...1 << 12)
    let size = try integer("image_size", of: part, 224, in: 1...1 << 14)
    guard size.isMultiple(of: ClipResNet.reduction), width.isMultiple(of: 2) else {
      throw part.error(
        "the image size \(size) is not a multiple of \(ClipResNet.reduction), or the width \(width) of 2",
        at: part.position)
    }
    let features = ClipResNet.reduction * width
    let pool = ClipEncoder.Transformer(
      layers: 0,
      heads: max(1, features / (try integer("head_width", of: part, 64, in: 1...1 << 12))),
      width: features, intermediate: 0, activation: .exact, epsilon: 1e-5)
    try pool.check(part)
    return try ClipEncoder(
      part: .residual(
        ClipResNet(size: size, width: width, blocks: blocks, normalisation: normalisation)),
      transformer: pool, projection: projection,
      names: .openCLIP(.image, textRoot: ""), describingFiles: [Self.configName])
  }
}
