// Numbers, and arrays of them.
extension UBJSONScanner {
  /// The marker of a number.
  enum NumberType: UInt8 {
    case int8 = 0x69  // i
    case uint8 = 0x55  // U
    case int16 = 0x49  // I
    case int32 = 0x6C  // l
    case int64 = 0x4C  // L
    case float = 0x64  // d
    case double = 0x44  // D

    var byteCount: Int {
      switch self {
      case .int8, .uint8: 1
      case .int16: 2
      case .int32, .float: 4
      case .int64, .double: 8
      }
    }

    var isWhole: Bool { self != .float && self != .double }
  }

  package mutating func integer() throws(ScanError) -> Int {
    let type = try numberType("a whole number")
    guard type.isWhole else { throw error("is not a whole number") }
    return try whole(type)
  }

  package mutating func double() throws(ScanError) -> Double {
    let type = try numberType("a number")
    return Self.double(type, try bits(type))
  }

  package mutating func floats() throws(ScanError) -> [Float] {
    try numbers { (type, bits) in
      type == .float
        ? Float(bitPattern: UInt32(truncatingIfNeeded: bits))
        : type.isWhole ? Float(Self.whole(type, bits)) : Float(Double(bitPattern: bits))
    }
  }

  package mutating func doubles() throws(ScanError) -> [Double] { try numbers(Self.double) }

  package mutating func integers() throws(ScanError) -> [Int32] {
    let start = window.offset
    var fault: String?
    let numbers: [Int32] = try numbers { (type, bits) in
      let value = type.isWhole ? Int32(exactly: Self.whole(type, bits)) : nil
      if value == nil, fault == nil {
        fault = "holds \(Self.double(type, bits)), expected a whole number of 32 bits"
      }
      return value ?? 0
    }
    if let fault { throw error(fault, at: start) }
    return numbers
  }

  @inline(__always)
  private mutating func numbers<Number>(
    _ number: (NumberType, UInt64) -> Number
  ) throws(ScanError) -> [Number] {
    var numbers: [Number] = []
    try beginArray()
    guard let (type, count) = leaveTypedArray() else {
      while try nextElement() {
        let type = try numberType("a number")
        numbers.append(number(type, try bits(type)))
      }
      return numbers
    }
    numbers.reserveCapacity(count)
    while numbers.count < count {
      window.ensure(type.byteCount)
      let inWindow = min((window.end - window.place) / type.byteCount, count - numbers.count)
      guard inWindow > 0 else { throw error("the file ends inside an array") }
      let end = window.place + inWindow * type.byteCount
      for place in stride(from: window.place, to: end, by: type.byteCount) {
        numbers.append(number(type, Self.bits(window.bytes.span, place, type.byteCount)))
      }
      window.place = end
    }
    return numbers
  }

  /// The bytes of a number that comes next, the first of them the highest.
  private mutating func bits(_ type: NumberType) throws(ScanError) -> UInt64 {
    window.ensure(type.byteCount)
    guard window.end - window.place >= type.byteCount else {
      throw error("the file ends inside a number")
    }
    let bits = Self.bits(window.bytes.span, window.place, type.byteCount)
    window.place += type.byteCount
    return bits
  }

  mutating func whole(_ type: NumberType) throws(ScanError) -> Int {
    Self.whole(type, try bits(type))
  }

  @inline(__always)
  private static func bits(_ bytes: Span<UInt8>, _ place: Int, _ count: Int) -> UInt64 {
    var bits: UInt64 = 0
    for offset in 0..<count { bits = bits << 8 | UInt64(bytes[place + offset]) }
    return bits
  }

  private static func whole(_ type: NumberType, _ bits: UInt64) -> Int {
    switch type {
    case .int8: Int(Int8(truncatingIfNeeded: bits))
    case .uint8: Int(UInt8(truncatingIfNeeded: bits))
    case .int16: Int(Int16(truncatingIfNeeded: bits))
    case .int32: Int(Int32(truncatingIfNeeded: bits))
    case .int64, .float, .double: Int(truncatingIfNeeded: bits)
    }
  }

  private static func double(_ type: NumberType, _ bits: UInt64) -> Double {
    switch type {
    case .float: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case .double: Double(bitPattern: bits)
    default: Double(whole(type, bits))
    }
  }
}
