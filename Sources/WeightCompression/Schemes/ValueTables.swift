package import Weights

/// How numbers lie in tables: element e is a number of the table of its group, and the groups of all elements
/// are the whole numbers of another tensor, of as many elements.
package struct ValueTables: Hashable, Sendable {
  /// Bits of a place in a table, 1 to 16.
  package let bits: Int
  /// The tensor of the groups.
  package let groups: TensorName
  /// Tables, one for each group from 0 on.
  package let count: Int
  /// Numbers of a table.
  package let width: Int
  /// Whether tables hold halves, not numbers of 32 bits.
  package let isHalf: Bool

  /// Numbers of bits that a place can have.
  package static let knownBits = 1...16

  package init(bits: Int, groups: TensorName, count: Int, width: Int, isHalf: Bool) {
    self.bits = bits
    self.groups = groups
    self.count = count
    self.width = width
    self.isHalf = isHalf
  }

  /// Bytes of the tables.
  var tableBytes: Int { count * width * (isHalf ? 2 : 4) }
}

/// Numbers in tables, as stored.
package struct TableCodes: Equatable, Sendable {
  package let tables: ValueTables
  /// The place of each number, in so many bits; see `BitPacking`.
  package let places: [UInt8]
  /// [count, width], row-major. A row of fewer numbers is filled up with its last one.
  package let entries: [Float]

  package init(_ tables: ValueTables, places: [UInt8], entries: [Float]) {
    self.tables = tables
    self.places = places
    self.entries = entries
  }

  /// The fewest bits for numbers; nil where a table would have more than 2^16 of them, or all tables far more
  /// than there are numbers.
  ///
  /// - Parameters:
  ///   - groups: of each number its table, from 0 on.
  ///   - name: the tensor that holds them.
  package init?(fewestFor values: [Float], groups: [Int], named name: TensorName) {
    precondition(values.count == groups.count, "a group for each number")
    guard let last = groups.max() else { return nil }
    // Zeros of both signs are different numbers here.
    var found = [Set<UInt32>](repeating: [], count: last + 1)
    for (value, group) in zip(values, groups) { found[group].insert(value.bitPattern) }
    let rows = found.map { row in row.map(Float.init(bitPattern:)).sorted(by: Self.precedes) }
    let width = rows.map(\.count).max() ?? 0
    let bits = max(1, Int.bitWidth - max(0, width - 1).leadingZeroBitCount)
    guard let packed = PackedNumbers(bits: bits, least: 0, isRelative: false),
      ValueTables.knownBits.contains(bits), rows.count * width <= 4 * values.count + 1024
    else { return nil }
    let places = rows.map { row in
      Dictionary(uniqueKeysWithValues: zip(row.map(\.bitPattern), 0...))
    }
    let codes = zip(values, groups).map { Float(places[$1][$0.bitPattern, default: 0]) }
    let entries = rows.flatMap { row in
      row + [Float](repeating: row.last ?? 0, count: width - row.count)
    }
    self.init(
      ValueTables(
        bits: bits, groups: name, count: rows.count, width: width,
        isHalf: FloatType.float16.rounded(entries) == entries),
      places: packed.bytes(of: codes), entries: entries)
  }

  private static func precedes(_ one: Float, _ other: Float) -> Bool {
    one < other || one == other && one.sign == .minus && other.sign == .plus
  }

  /// The numbers; nil where a group or a place is beyond the tables.
  ///
  /// - Parameter groups: of each number its table.
  package func values(of groups: [Int]) -> [Float]? {
    guard let packed = PackedNumbers(bits: tables.bits, least: 0, isRelative: false),
      places.count == BitPacking.byteCount(groups.count, bits: tables.bits)
    else { return nil }
    var values: [Float] = []
    values.reserveCapacity(groups.count)
    for (group, place) in zip(groups, packed.values(of: places, count: groups.count)) {
      let place = Int(place)
      guard (0..<tables.count).contains(group), place < tables.width else { return nil }
      values.append(entries[group * tables.width + place])
    }
    return values
  }
}
