import Weights

/// A vision transformer: patches of an image, and what goes before them, become tokens, blocks
/// transform them, and one vector comes out.
///
/// Source: Dosovitskiy et al. 2020, arXiv:2010.11929; registers: Darcet et al. 2023,
/// arXiv:2309.16588.
struct VisionTransformer: Sendable {
  /// How a token knows its place.
  enum Positions: Sendable {
    /// A table, [1, tokens, H]: a row for the class vector, if there is one, then for the patches of
    /// a square of `grid` × `grid`, which is resampled where the image has another number of them.
    case table(TensorName, grid: Int, resampling: TableResampling)
    /// Rotary embedding of every patch by its two coordinates.
    case rotary(base: Double)
  }

  /// The vector that comes out, after the last norm.
  enum End: Sendable {
    /// That of the class vector.
    case classToken
    /// The same through a linear layer and an activation.
    case pooler(name: String, width: Int, activation: TransformerActivation)
    /// What a learnt query finds in all tokens, and a feed-forward part behind it.
    case attention(AttentionPooling)
    /// The mean of the patches' tokens.
    case mean
    /// That of the class vector, and behind it the mean of the patches' tokens.
    case classAndMean
  }

  /// SigLIP's attention pooling, its names seen from the model.
  struct AttentionPooling: Sendable {
    /// The layers that make queries, keys and values.
    enum Projections: Sendable {
      /// One matrix and one bias, [3H, H] and [3H], by these names.
      case joined(matrix: TensorName, bias: TensorName)
      /// A layer for the query, and one for keys and values.
      case paired(query: String, others: String)
    }

    /// [1, 1, H]
    let query: TensorName
    let projections: Projections
    let output: String
    let norm: String
    let wide: String
    let narrow: String
    /// Where these are not those of the blocks.
    var heads: Int?
    var intermediate: Int?
  }

  /// A linear layer behind the one vector.
  struct Projection: Sendable {
    let name: String
    /// Numbers that come out.
    let width: Int
    var hasBias = true
  }

  let image: VisionImage
  let blocks: VisionBlocks
  /// The layer of the patches.
  let patches: String
  var hasPatchBias = true
  /// Convolutions without padding that take the place of that layer; empty without.
  var stem: [ConvLayer] = []
  /// [1, 1, H]; nil without.
  var classVector: TensorName?
  /// Whether the table of positions has a row for it.
  var classHasPosition = true
  /// Vectors behind the class vector, [1, count, H], that know no place; nil without.
  var registers: (name: TensorName, count: Int)?
  let positions: Positions
  /// Angles of all tokens, beside a table of positions; nil without.
  var angles: RotaryTable?
  /// The norm before the blocks; nil without.
  var preNorm: String?
  let lastNorm: String
  var end: End
  var projection: Projection?
  /// What the numbers mean, if they are those of labels.
  var task: ClassifierTask?
  /// Whether the vector is scaled to length 1.
  var isUnit = false

  /// Rows of the table of positions before those of the patches.
  var positionsBefore: Int { classVector != nil && classHasPosition ? 1 : 0 }
  /// Tokens before the patches.
  var extraTokens: Int { (classVector == nil ? 0 : 1) + (registers?.count ?? 0) }
  var tokens: Int { extraTokens + image.rows * image.columns }

  /// Numbers of the vector before a projection.
  var pooledWidth: Int {
    switch end {
    case .classToken, .attention, .mean: blocks.width
    case .classAndMean: 2 * blocks.width
    case .pooler(_, let width, _): width
    }
  }

  /// Numbers that come out.
  var outputWidth: Int { projection?.width ?? pooledWidth }

  /// What comes out: a vector, or what a head says.
  var output: ModelOutput { task?.output ?? .embedding(width: outputWidth) }
  var outputName: String {
    if case .classes = output { return "label" }
    return task == nil ? "embedding" : "score"
  }
}

/// The input of a vision transformer: pixels, each scaled as `pixel · scale + bias`.
struct VisionImage: Sendable {
  let width: Int
  let height: Int
  /// Pixels of a side of a patch.
  let patch: Int
  let normalisation: PixelNormalisation

  /// Patches from top to bottom; pixels that fill none are left out.
  var rows: Int { height / patch }
  /// Patches from left to right.
  var columns: Int { width / patch }
}

/// An architecture that is one vision transformer.
protocol VisionArchitecture: RecognisedArchitecture {
  var vision: VisionTransformer { get }
}

extension VisionArchitecture {
  package var input: ModelInput { .image(width: vision.image.width, height: vision.image.height) }
  package var output: ModelOutput { vision.output }
  package var outputName: String { vision.outputName }

  package func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    var builder = VisionGraph(vision: vision, batch: batch)
    return try builder.build()
  }
}
