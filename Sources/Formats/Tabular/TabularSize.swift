/// Estimates what the parsed messages of a file take, before they are parsed.
///
/// An empty message takes two bytes of a file and a hundred of memory: a file of nothing else would take
/// fifty times its size. Files as tools write them take up to ten times.
struct TabularSize {
  private let bytes: [UInt8]
  /// Bytes of memory.
  private var estimate = 0

  /// - Throws: if the messages would take out of proportion to the file.
  static func check(_ bytes: [UInt8], at place: TabularPlace) throws(TabularError) {
    var size = TabularSize(bytes: bytes)
    size.model(0..<bytes.count, depth: 0)
    guard size.estimate <= 16 * bytes.count + 1 << 20 else {
      throw place.fault(
        "has \(bytes.count) bytes of nearly empty messages, which would take "
          + "\(size.estimate) in memory")
    }
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func model(_ range: Range<Int>, depth: Int) {
    guard depth <= TabularProgram.depthLimit else { return }
    estimate += 320
    for field in fields(range) {
      switch field.number {
      case 2: estimate += 144 * fields(field.range).count
      case 200, 201:
        for inner in fields(field.range) where inner.number == 1 { pipeline(inner.range, depth) }
      case 202: pipeline(field.range, depth)
      case 403, 500:
        for inner in fields(field.range) {
          estimate += MemoryLayout<SpecNeuralNetworkLayer>.stride
          if inner.number == 10 { estimate += 144 * fields(inner.range).count }
        }
      case 302, 402:
        for inner in fields(field.range) where inner.number == 1 { trees(inner.range) }
      default: break
      }
    }
  }

  private mutating func pipeline(_ range: Range<Int>, _ depth: Int) {
    for field in fields(range) where field.number == 1 { model(field.range, depth: depth + 1) }
  }

  private mutating func trees(_ range: Range<Int>) {
    var place = range.lowerBound
    while let field = next(at: &place, before: range.upperBound) {
      guard field.number == 1 else { continue }
      estimate += MemoryLayout<SpecTreeNode>.stride
      var inner = field.range.lowerBound
      while let part = next(at: &inner, before: field.range.upperBound) {
        if part.number == 20 { estimate += MemoryLayout<SpecEvaluationInfo>.stride }
      }
    }
  }

  private struct Field {
    let number: UInt64
    /// Its bytes; empty if it is a number.
    let range: Range<Int>
  }

  private func fields(_ range: Range<Int>) -> [Field] {
    var fields: [Field] = []
    var place = range.lowerBound
    while let field = next(at: &place, before: range.upperBound) { fields.append(field) }
    return fields
  }

  /// The field that begins at a place, which moves behind it; nil at the end, and at what is no field.
  private func next(at place: inout Int, before end: Int) -> Field? {
    guard let tag = varint(at: &place, before: end) else { return nil }
    var start = place
    switch tag & 7 {
    case 0: guard varint(at: &place, before: end) != nil else { return nil }
    case 1: place += 8
    case 2:
      guard let length = varint(at: &place, before: end), length <= UInt64(end - place) else {
        return nil
      }
      start = place
      place += Int(length)
      return Field(number: tag >> 3, range: start..<place)
    // A group, which the format does not have: its fields count as those around it.
    case 3, 4: break
    case 5: place += 4
    default: return nil
    }
    guard place <= end else { return nil }
    return Field(number: tag >> 3, range: start..<start)
  }

  private func varint(at place: inout Int, before end: Int) -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while place < end, shift < 64 {
      let byte = bytes[place]
      place += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }
}
