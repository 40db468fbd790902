import Graph

/// Looks for places of an axis where every value is zero, in values that come piece by piece.
struct DeadPlaces {
  private let layout: RunLayout
  /// Of each place, the bits of all its values.
  private var bits: [UInt32]
  private var place = 0
  /// Values of the place that came already, in this turn.
  private var offset = 0

  init(_ layout: RunLayout) {
    self.layout = layout
    bits = [UInt32](repeating: 0, count: layout.groups)
  }

  /// Takes the next values.
  mutating func add(_ values: UnsafeBufferPointer<Float>) {
    var start = 0
    while start < values.count {
      let rest = unsafe UnsafeBufferPointer(rebasing: values[start...])
      unsafe start += layout.runLength == 1 ? addSingly(rest) : addRun(rest)
    }
  }

  // Values of places that follow each other; a value is ±0 where no bit but the sign is set.
  private mutating func addSingly(_ values: UnsafeBufferPointer<Float>) -> Int {
    let count = min(layout.groups - place, values.count)
    unsafe bits.withUnsafeMutableBufferPointer { [place] bits in
      for i in 0..<count { unsafe bits[place + i] |= values[i].bitPattern }
    }
    place = (place + count) % layout.groups
    return count
  }

  // Values of one place.
  private mutating func addRun(_ values: UnsafeBufferPointer<Float>) -> Int {
    let count = min(layout.runLength - offset, values.count)
    var found: UInt32 = 0
    for i in 0..<count { unsafe found |= values[i].bitPattern }
    bits[place] |= found
    offset += count
    if offset == layout.runLength { (place, offset) = ((place + 1) % layout.groups, 0) }
    return count
  }

  /// The places that had nothing but zeros.
  var found: ChannelStatistics.Kind {
    var dead = ChannelStatistics.Kind()
    guard layout.groupCount > 0 else { return dead }
    for place in bits.indices where bits[place] & 0x7fff_ffff == 0 { dead.add(place) }
    return dead
  }
}
