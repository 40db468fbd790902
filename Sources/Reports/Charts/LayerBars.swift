import StrictJSON

/// Bytes by the parts of a model: a bar for each, with a piece for each width of numbers.
struct LayerBars {
  struct Piece {
    let width: String
    /// The class of its colour: `w4`.
    let style: String
  }

  struct Weight {
    let name: String
    let shape: String
    let scheme: String
    let bytes: String
    let bits: String
    let error: String
  }

  struct Layer {
    let name: String
    let bytes: String
    let share: String
    let bits: String
    let pieces: [Piece]
    let weights: [Weight]
  }

  struct Key {
    let style: String
    let label: String
  }

  let layers: [Layer]
  let keys: [Key]
  let total: String
  let count: String
  let hasErrors: Bool

  /// Nil without weights.
  init?(_ weights: [ReportedWeight]) {
    guard !weights.isEmpty else { return nil }
    let layers = WeightLayer.all(weights)
    let total = weights.reduce(0) { $0 + $1.byteCount }
    let most = max(1, layers.map(\.byteCount).max() ?? 1)
    self.layers = layers.map { LayerBars.layer($0, total: total, most: most) }
    let used = Set(weights.filter { $0.byteCount > 0 }.map(Width.init))
    keys = Width.allCases.filter(used.contains).map { Key(style: $0.style, label: $0.label) }
    self.total = Figures.bytes(total)
    count = Figures.count(weights.count, "weight")
    hasErrors = weights.contains { $0.error != nil }
  }

  private static func layer(_ layer: WeightLayer, total: Int, most: Int) -> Layer {
    let pieces = Width.allCases.compactMap { width -> Piece? in
      let bytes = layer.weights.filter { Width($0) == width }.reduce(0) { $0 + $1.byteCount }
      guard bytes > 0 else { return nil }
      return Piece(
        width: Place.percent(100 * Double(bytes) / Double(most)), style: width.style)
    }
    return Layer(
      name: HostileText.cut(layer.name, to: 120), bytes: Figures.bytes(layer.byteCount),
      share: Figures.percent(Double(layer.byteCount) / Double(max(1, total))),
      bits: layer.bits.map { Figures.text($0, decimals: 1) } ?? "–", pieces: pieces,
      weights: layer.weights.map(LayerBars.weight))
  }

  private static func weight(_ weight: ReportedWeight) -> Weight {
    let bits =
      weight.elementCount > 0 && weight.byteCount > 0
      ? Figures.text(8 * Double(weight.byteCount) / Double(weight.elementCount), decimals: 2) : "–"
    return Weight(
      name: HostileText.cut(weight.name, to: 200),
      shape: weight.shape.map { "\($0)" }.joined(separator: " × "),
      scheme: HostileText.cut(weight.scheme, to: 200), bytes: Figures.bytes(weight.byteCount),
      bits: bits, error: weight.error.map(Figures.significant) ?? "–")
  }

  /// Widths of numbers that have a colour of their own, by bits of a number with its share of scales
  /// and palettes.
  private enum Width: CaseIterable {
    case two, three, four, six, eight, kept

    init(_ weight: ReportedWeight) {
      switch 8 * Double(weight.byteCount) / Double(max(1, weight.elementCount)) {
      case ..<2.6: self = .two
      case ..<3.6: self = .three
      case ..<5: self = .four
      case ..<7.4: self = .six
      case ..<13: self = .eight
      default: self = .kept
      }
    }

    var style: String {
      switch self {
      case .two: "w2"
      case .three: "w3"
      case .four: "w4"
      case .six: "w6"
      case .eight: "w8"
      case .kept: "w16"
      }
    }

    var label: String {
      switch self {
      case .two: "about 2 bits or fewer"
      case .three: "about 3 bits"
      case .four: "about 4 bits"
      case .six: "about 6 bits"
      case .eight: "about 8 bits"
      case .kept: "floats"
      }
    }
  }
}
