/// Allocates places in a workspace, first fit, so that values never alive together share
/// memory.
struct WorkspaceLayout {
  private struct Block {
    let offset: Int
    let count: Int
  }

  // In order of their offsets.
  private var blocks: [Block] = []
  /// Elements the workspace must have.
  private(set) var count = 0

  /// Elements to whose multiples places are rounded: one cache line.
  private static let granule = Workspace.alignment / Tensor.stride

  /// Reserves room for `wanted` elements; returns its offset.
  mutating func take(_ wanted: Int) -> Int {
    let granules = (max(1, wanted) + WorkspaceLayout.granule - 1) / WorkspaceLayout.granule
    let wanted = granules * WorkspaceLayout.granule
    var offset = 0
    var index = 0
    while index < blocks.count, blocks[index].offset - offset < wanted {
      offset = blocks[index].offset + blocks[index].count
      index += 1
    }
    blocks.insert(Block(offset: offset, count: wanted), at: index)
    count = max(count, offset + wanted)
    return offset
  }

  /// Frees the room at an offset.
  mutating func give(_ offset: Int) { blocks.removeAll { $0.offset == offset } }
}
