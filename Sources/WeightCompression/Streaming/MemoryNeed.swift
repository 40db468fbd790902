import Files
import Graph
import StrictJSON

/// What compressing takes in memory, told from shapes and schemes.
///
/// The figures are measured: bytes of the peak for each value, of values that are all different.
enum MemoryNeed {
  /// Bytes at the peak of compressing one weight.
  ///
  /// - Parameter jobs: threads inside the weight.
  static func byteCount(of planned: PlannedTensor, jobs: Int) -> Int {
    let count = planned.reference.elementCount
    // The values themselves are there all the time.
    switch planned.asked {
    case nil: return 8 * count
    case .linear, .unique: return 7 * count
    case .palette(let scheme):
      let groups = max(1, scheme.blocks(of: planned.reference).reduce(1, *))
      let atOnce = min(groups, jobs) * (count / groups)
      return 4 * count + max(2 * count, perValue(of: scheme) * atOnce)
    }
  }

  /// Bytes for each value of a group whose palette is sought. The best 256 entries are found in a
  /// graph that has a place for every few values.
  private static func perValue(of scheme: PaletteScheme) -> Int {
    if scheme.width > 1 { return 16 }
    return scheme.bits == 8 ? 108 : 6
  }
}

extension CompressionWork {
  /// Makes sure that there is memory to compress a weight.
  ///
  /// - Throws: `FileError.noMemory`.
  func requireMemory(for planned: PlannedTensor) throws {
    let count = planned.reference.elementCount
    try Memory.require(
      MemoryNeed.byteCount(of: planned, jobs: count < Self.largeCount ? 1 : jobs),
      for: "compressing tensor \(quoted(planned.name))",
      of: (source as? any WeightFile)?.files.first ?? "the weights")
  }

  /// Makes sure that there is memory for each of some weights, before work begins on any.
  func requireMemory(for planned: [PlannedTensor]) throws {
    let needs = planned.map { MemoryNeed.byteCount(of: $0, jobs: jobs) }
    guard let most = needs.indices.max(by: { needs[$0] < needs[$1] }) else { return }
    try requireMemory(for: planned[most])
  }
}
