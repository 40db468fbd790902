package import Tokenization
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
    /// Whether gains multiply what each part of a block adds.
    var hasScales = false
  }

  /// The input of the image encoder: squares of pixels, each scaled as `pixel · scale + bias`.
  struct Image: Sendable {
    /// How all tokens become one vector.
    enum Pooling: Sendable {
      case classToken
      /// The mean of all but the first.
      case mean
    }

    /// Attention of learnt queries, whose vectors take the place of the tokens.
    struct Pooler: Sendable {
      let queries: Int
      let heads: Int
    }

    /// Pixels of the image from left to right.
    let width: Int
    let height: Int
    /// Pixels of a side of a patch.
    let patch: Int
    let normalisation: PixelNormalisation
    /// Whether tokens are normalised before the blocks.
    var hasPreNorm = true
    var pooling = Pooling.classToken
    /// Whether the last norm is that of the one vector, and not of every token.
    var normsPooled = false
    var pooler: Pooler?

    var patchCount: Int { (width / patch) * (height / patch) }
  }

  /// The input of the text encoder.
  struct Text: Sendable {
    let vocabulary: Int
    /// Rows of the table of positions.
    let positions: Int
    /// Tokens that a text is cut to.
    let length: Int
    let pooling: TextPooling
    /// Whether a token sees only those before it.
    var isCausal = true
    /// The token that fills short texts.
    var padding: Int32 = 0

    /// Whether a model sees the tokens that fill a text up to its length.
    var isFilled: Bool {
      switch pooling {
      case .end: !isCausal
      case .first: !isCausal
      case .last: true
      case .own: false
      }
    }
  }

  /// The place of a text that gives its vector.
  enum TextPooling: Sendable {
    /// That of the first occurrence of a token.
    case end(Int32)
    case first
    /// The last of the model's places, where short texts have padding.
    case last
    /// That of a learnt vector behind the text, which sees no padding but the first: CoCa's.
    case own
  }

  enum Part: Sendable {
    case image(Image)
    /// The transformer is the attention that pools the features: without layers.
    case residual(ClipResNet)
    case text(Text)
    /// An encoder of images of timm, and the size of these.
    case tower(any ImageTower, width: Int, height: Int)
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
  /// What is done to a text before the tokenizer sees it; nothing where CLIP's own tokenizer does it.
  package var preparation = TextPreparation()

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
    case .tower(_, let width, let height): .image(width: width, height: height)
    case .text(let text):
      .tokens(maximumLength: text.length, vocabulary: text.vocabulary)
    }
  }

  package var output: ModelOutput { .embedding(width: projection) }
  package var outputName: String { "embedding" }

  package var endToken: Int32? {
    guard case .text(let text) = part, case .end(let end) = text.pooling else { return nil }
    return end
  }

  package func role(ofUnused name: TensorName) -> String? {
    if case .tower(let tower, _, _) = part, let role = tower.role(ofUnused: name) { return role }
    return names.role(ofUnused: name)
  }

  package func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    var builder = ClipGraph(clip: self, batch: batch)
    switch part {
    case .image(let image): return try builder.build(image)
    case .residual(let network): return try builder.build(network)
    case .text(let text): return try builder.build(text, length: length)
    case .tower(let tower, _, _): return try tower.graph(batch: batch)
    }
  }
}
