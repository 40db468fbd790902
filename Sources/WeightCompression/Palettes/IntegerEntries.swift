import Files

/// Scalar palettes whose entries are codes −127 … 127 with one scale for the tensor.
///
/// For a scale the best entries of each group are found exactly (`LevelSelection`); for entries the
/// best scale is a quotient of two sums. Both take turns for as long as the squared error falls,
/// from the scale that fits the entries of palettes of floats best (`ClippingSearch`).
struct IntegerEntries {
  let scale: Float
  /// Ascending codes of each group.
  let codes: [[Int]]

  /// The most rounds; hardly ever needed.
  private static let maxRounds = 4

  /// - Parameters:
  ///   - entries: their number in a palette.
  ///   - tables: palettes of floats.
  ///   - sorted: makes the sorted values of a group; called several times for each.
  init(
    from tables: [ScalarPalette], entries: Int, _ floats: FloatType, jobs: Int,
    sorted: @Sendable (Int) -> SortedValues
  ) {
    let groups = tables.count
    var scale = Self.scale(tables.flatMap(\.entries), weights: tables.flatMap(\.weights), floats)
    var best = (scale: scale, codes: [[Int]](), error: Double.infinity)
    for _ in 0..<Self.maxRounds {
      let tried = scale
      let selections = Workers.map(groups, jobs: jobs) { group -> Selected in
        let values = sorted(group)
        return values.count == 0 ? Selected() : Selected(values, entries, tried)
      }
      let sum = selections.reduce(into: Selected()) { $0.add($1) }
      guard sum.error < best.error else { break }
      best = (scale, selections.map(\.codes), sum.error)
      guard sum.squares > 0, sum.projection > 0 else { break }
      let next = floats.rounded(Float(sum.projection / sum.squares))
      guard next > 0, next != scale else { break }
      scale = LinearStep.finite(next, steps: 127, floats)
    }
    self.scale = best.scale
    codes = best.codes
  }

  /// The scale of least squared error of entries, each weighted by the values it replaces.
  static func scale(_ entries: [Float], weights: [Float], _ floats: FloatType) -> Float {
    let scheme = LinearScheme(.int8, granularity: .perTensor, range: .leastSquares)
    let start = LinearStep(
      reaching: min(entries.min() ?? 0, 0), max(entries.max() ?? 0, 0), scheme, floats)
    let group = ScaledGroup(entries, weights: weights)
    return ClippingSearch.best(group, from: start, scheme, floats).scale
  }

  private struct Selected: Sendable {
    var codes: [Int] = []
    var projection = 0.0
    var squares = 0.0
    var error = 0.0

    init() {}

    init(_ sorted: SortedValues, _ entries: Int, _ scale: Float) {
      let selection = LevelSelection(sorted, entries: entries, scale: scale)
      codes = selection.codes
      projection = selection.projection
      squares = selection.squares
      error = selection.error
    }

    mutating func add(_ other: Selected) {
      projection += other.projection
      squares += other.squares
      error += other.error
    }
  }
}
