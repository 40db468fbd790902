package import Weights

/// One encoder of a CLIP model: a vision transformer over the patches of an image, a residual network
/// over its pixels, or a transformer over the tokens of a text, each with a projection to the space they share and a unit length.
///
/// Source: Radford et al. 2021, arXiv:2103.00020; the layouts are those of Hugging Face's
/// `CLIPModel` and of OpenCLIP.
package struct ClipEncoder: RecognisedArchitecture {
  /// Most places of a text: the mask of its attention is a square of them, which is made when the
  /// model is opened.
  static let maxPositions = 1 << 13

  /// The blocks of either encoder.
  struct Transformer: Sendable {
    let layers: Int
    let heads: Int
    let width: Int
    let intermediate: Int
    let activation: Gelu.Mode
    let epsilon: Float

    /// Of an image encoder that has none of these blocks.
    static let none = Transformer(
      layers: 0, heads: 1, width: 1, intermediate: 1, activation: .exact, epsilon: 1e-5)
  }

  /// The input of the image encoder: squares of pixels, each scaled as `pixel · scale + bias`.
  struct Image: Sendable {
    /// Pixels of the image from left to right.
    let width: Int
    let height: Int
    /// Pixels of a side of a patch.
    let patch: Int
    let normalisation: PixelNormalisation

    var patchCount: Int { (width / patch) * (height / patch) }
  }

  /// The input of the text encoder.
  struct Text: Sendable {
    let vocabulary: Int
    /// Rows of the table of positions.
    let positions: Int
    /// Tokens that a text is cut to.
    let length: Int
    /// The token whose first occurrence gives the vector of the whole text.
    let end: Int32
    /// Whether a token sees those before it and itself alone. If not, it also sees the zeros that
    /// fill every text up to all positions.
    var isCausal = true
  }

  /// An image encoder of timm, and its input.
  struct Tower: Sendable {
    let size: (width: Int, height: Int)
    let normalisation: PixelNormalisation
    let model: any OpenClipTower
  }

  enum Part: Sendable {
    case image(Image)
    /// The transformer is the attention that pools the features: without layers.
    case residual(ClipResNet)
    case tower(Tower)
    case text(Text)
  }

  package static let name = "clip"
  package static let modelTypes = ["clip", "clip_text_model", "clip_vision_model"]
  package static let signature =
    "config.json with \"model_type\": \"clip\", or open_clip_config.json"

  let part: Part
  let transformer: Transformer
  /// Numbers of an embedding.
  let projection: Int
  let names: ClipNames
  package let describingFiles: [String]

  package var encoder: EncoderKind? {
    switch part {
    case .image, .residual, .tower: .image
    case .text: .text
    }
  }

  package var input: ModelInput {
    switch part {
    case .image(let image): .image(width: image.width, height: image.height)
    case .residual(let network): .image(width: network.size, height: network.size)
    case .tower(let tower): .image(width: tower.size.width, height: tower.size.height)
    case .text(let text):
      .tokens(maximumLength: text.length, vocabulary: text.vocabulary)
    }
  }

  package var output: ModelOutput { .embedding(width: projection) }
  package var outputName: String { "embedding" }

  package var endToken: Int32? {
    if case .text(let text) = part { text.end } else { nil }
  }

  package func role(ofUnused name: TensorName) -> String? { names.role(ofUnused: name) }

  package func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    var builder = ClipGraph(clip: self, batch: batch)
    switch part {
    case .image(let image): return try builder.build(image)
    case .residual(let network): return try builder.build(network)
    case .tower(let tower): return try builder.build(tower)
    case .text(let text): return try builder.build(text, length: length)
    }
  }
}
