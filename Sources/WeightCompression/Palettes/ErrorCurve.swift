package import Graph

/// The least squared error that scalar palettes of a tensor can have, for every number of bits.
///
/// Values are sorted once for all widths. Where a group has up to `fewValues` distinct values, one
/// dynamic programme gives the least cost of every number of entries, layer by layer, in memory for
/// two layers. Otherwise a dynamic programme of 256 layers would take longer than six searches:
/// each width's best partition is found and proved by `CertifiedPartition`.
package struct ErrorCurve: Hashable, Sendable {
  /// Σ weight · (value − entry)² for each of `PaletteScheme.knownBits`, entries not yet rounded to a
  /// stored type; it never rises.
  package let squaredErrors: [Double]

  /// The error with palettes of some bits, one of `PaletteScheme.knownBits`.
  package func squaredError(bits: Int) -> Double {
    guard let index = PaletteScheme.knownBits.firstIndex(of: bits) else {
      preconditionFailure("a palette cannot have \(bits) bits")
    }
    return squaredErrors[index]
  }

  /// The curve of a tensor's finite values, summed over its groups; it does not depend on `jobs`.
  package init(
    _ values: [Float], _ reference: WeightReference, _ granularity: PaletteScheme.Granularity,
    importance: Importance? = nil, jobs: Int
  ) {
    let scheme = PaletteScheme(bits: 1, granularity: granularity)
    let layout = RunLayout(shape: reference.shape, blocks: scheme.blocks(of: reference))
    let weights = ElementWeights(importance, of: reference)
    let entries = PaletteScheme.knownBits.map { 1 << $0 }
    let curves = Parallel.map(layout.groups, jobs: jobs) { group in
      let groupWeights = weights?.weights(of: group, layout)
      // Nothing of a group without weight is ever wrong.
      if weights != nil, groupWeights == nil { return entries.map { _ in 0.0 } }
      let sorted = SortedValues(
        sorting: layout.elements(of: group, in: values), weights: groupWeights)
      return Self.leastErrors(sorted, entries: entries)
    }
    squaredErrors = entries.indices.map { width in curves.reduce(0) { $0 + $1[width] } }
  }

  /// Up to so many distinct values one dynamic programme serves all widths.
  static let fewValues = 512

  /// Least squared errors for ascending numbers of entries.
  static func leastErrors(_ sorted: SortedValues, entries: [Int]) -> [Double] {
    guard sorted.count > 0, let most = entries.last else { return entries.map { _ in 0 } }
    let starts = ScalarClustering.distinctStarts(sorted, limit: fewValues)
    let costs: [Double]
    if starts.count <= fewValues {
      let places = (starts + [sorted.count]).map { sorted.moments(before: $0) }
      let layers = ExactPartition.costs(places, parts: min(most, starts.count))
      costs = entries.map { $0 >= starts.count ? 0 : layers[$0 - 1] }
    } else {
      costs = entries.map { CutDescent.cost(sorted, ScalarClustering.cuts(sorted, entries: $0)) }
    }
    return costs.map { $0 / sorted.weightUnit }
  }
}
