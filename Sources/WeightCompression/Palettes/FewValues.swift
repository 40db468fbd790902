/// The distinct values of a tensor as they are stored, if there are few; −0 and 0 are two.
///
/// Takes memory for 256 values, whatever their number.
struct FewValues {
  /// Ascending, −0 before 0.
  let values: [Float]
  /// Bit patterns by hash, and where in `values` they are.
  private var slots: [Slot]

  fileprivate struct Slot {
    var pattern: UInt32
    /// Negative if the slot is empty.
    var index: Int16
  }

  static let maximum = 256
  private static let slotBits = 10

  /// Nil for more than 256.
  init?(_ all: [Float], _ floats: FloatType) {
    var found = Collector(floats)
    guard found.add(all.span), let few = found.finish() else { return nil }
    self = few
  }

  private init(_ found: Collector) {
    // Unsigned order of these is that of the values.
    func key(_ pattern: UInt32) -> UInt32 {
      pattern ^ (UInt32(bitPattern: Int32(bitPattern: pattern) >> 31) | 0x8000_0000)
    }
    let patterns = found.patterns.sorted { key($0) < key($1) }
    slots = found.slots
    values = patterns.map { Float(bitPattern: $0) }
    for (index, pattern) in patterns.enumerated() {
      slots[Self.slot(of: pattern, slots)].index = Int16(index)
    }
  }

  /// Finds the distinct values among those that come piece by piece.
  struct Collector {
    fileprivate private(set) var slots = [Slot](
      repeating: Slot(pattern: 0, index: -1), count: 1 << FewValues.slotBits)
    fileprivate private(set) var patterns: [UInt32] = []
    private var areTooMany = false
    private let floats: FloatType

    init(_ floats: FloatType) { self.floats = floats }

    /// Takes the next values, unless there were too many; returns whether there still may be few.
    mutating func add(_ values: Span<Float>) -> Bool {
      guard !areTooMany else { return false }
      for index in values.indices {
        let pattern = floats.rounded(values[index]).bitPattern
        let slot = FewValues.slot(of: pattern, slots)
        guard slots[slot].index < 0 else { continue }
        guard patterns.count < FewValues.maximum else {
          areTooMany = true
          return false
        }
        slots[slot] = Slot(pattern: pattern, index: 0)
        patterns.append(pattern)
      }
      return true
    }

    /// Nil for more than 256.
    func finish() -> FewValues? { areTooMany ? nil : FewValues(self) }
  }

  /// Place among `values` of one of them.
  func index(of stored: Float) -> UInt8 {
    UInt8(truncatingIfNeeded: slots[Self.slot(of: stored.bitPattern, slots)].index)
  }

  /// The slot of a pattern, or the empty one where it belongs.
  @inline(__always)
  private static func slot(of pattern: UInt32, _ slots: [Slot]) -> Int {
    // Multiplicative hashing (Knuth 1973, section 6.4).
    var slot = Int((pattern &* 2_654_435_769) >> UInt32(32 - slotBits))
    while slots[slot].index >= 0, slots[slot].pattern != pattern {
      slot = (slot + 1) & (1 << slotBits - 1)
    }
    return slot
  }
}
