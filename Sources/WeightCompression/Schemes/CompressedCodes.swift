/// The stored numbers of a linear scheme: value = scale · (code − offset).
package struct LinearCodes: Equatable, Sendable {
  package let integers: LinearScheme.Integers
  package let mode: LinearScheme.Mode
  /// In flat order, packed by `BitPacking`; signed ones in two's complement.
  package let packed: [UInt8]
  /// One for each block.
  package let scales: [Float]
  /// One for each scale where the mode is asymmetric, none otherwise.
  package let offsets: [Int16]
  /// How many equal blocks have scales of their own along each axis; blocks are row-major.
  package let blocks: [Int]

  package init(
    _ integers: LinearScheme.Integers, mode: LinearScheme.Mode = .symmetric, packed: [UInt8],
    scales: [Float], offsets: [Int16] = [], blocks: [Int]
  ) {
    self.integers = integers
    self.mode = mode
    self.packed = packed
    self.scales = scales
    self.offsets = offsets
    self.blocks = blocks
  }
}

/// The stored numbers of a palette.
package struct PaletteCodes: Equatable, Sendable {
  /// Tables one after another; of each its entries, of each entry its elements. Scalar tables
  /// ascend, and their unused last entries repeat the last used one.
  package enum Entries: Equatable, Sendable {
    case floats([Float])
    case int8(codes: [Int8], scale: Float)

    package var count: Int {
      switch self {
      case .floats(let values): values.count
      case .int8(let codes, _): codes.count
      }
    }
  }

  package let bits: Int
  /// In flat order of the shape whose vector axis is divided by `width`, packed by `BitPacking`.
  package let indices: [UInt8]
  package let entries: Entries
  /// Elements of an entry, which lie side by side along the channel axis.
  package let width: Int
  /// How many equal blocks have tables of their own along each axis; blocks are row-major.
  package let blocks: [Int]

  package init(
    bits: Int, indices: [UInt8], entries: Entries, width: Int = 1, blocks: [Int]
  ) {
    self.bits = bits
    self.indices = indices
    self.entries = entries
    self.width = width
    self.blocks = blocks
  }

  /// The entries as a model computes with them.
  package func floats(_ width: FloatWidth) -> [Float] {
    switch entries {
    case .floats(let values): values
    case .int8(let codes, let scale): codes.map { width.rounded(scale * Float($0)) }
    }
  }
}
