/// A tensor that a model takes or gives, with its name.
public struct TensorValue: Equatable, Sendable {
  /// Numbers in row-major order.
  public enum Elements: Equatable, Sendable {
    case float32([Float])
    case int32([Int32])
    /// Levels of a picture, 0...255.
    case uint8([UInt8])
  }

  /// As the model names it.
  public let name: String
  /// The length of each axis.
  public let shape: [Int]
  /// As many as the shape has.
  public let elements: Elements

  /// A tensor; nil where the numbers are not as many as its shape has.
  public init?(name: String, shape: [Int], _ elements: Elements) {
    guard let count = Self.elementCount(of: shape), count == elements.count else { return nil }
    (self.name, self.shape, self.elements) = (name, shape, elements)
  }

  /// The numbers of a tensor with this shape; nil where an axis has no length, or no machine could hold it.
  static func elementCount(of shape: [Int]) -> Int? {
    var count = 1
    for length in shape {
      let (product, overflow) = count.multipliedReportingOverflow(by: length)
      guard length > 0, !overflow else { return nil }
      count = product
    }
    return count
  }
}

extension TensorValue.Elements {
  /// How many there are.
  public var count: Int {
    switch self {
    case .float32(let values): values.count
    case .int32(let values): values.count
    case .uint8(let values): values.count
    }
  }

  /// The numbers as floats; integers of more than 24 bits are rounded.
  public var floats: [Float] {
    switch self {
    case .float32(let values): values
    case .int32(let values): values.map(Float.init)
    case .uint8(let values): values.map(Float.init)
    }
  }

  /// The word for their type in a self-test.
  package var typeName: String {
    switch self {
    case .float32: "float32"
    case .int32: "int32"
    case .uint8: "uint8"
    }
  }

  /// Their bytes, the least significant first.
  var bytes: [UInt8] {
    switch self {
    case .float32(let values): values.flatMap { Self.bytes(of: $0.bitPattern) }
    case .int32(let values): values.flatMap { Self.bytes(of: UInt32(bitPattern: $0)) }
    case .uint8(let values): values
    }
  }

  private static func bytes(of word: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
  }

  /// Reads what `bytes` gives; nil for another type, and for bytes that make no whole number of elements.
  init?(_ typeName: String, _ bytes: [UInt8]) {
    func words() -> [UInt32]? {
      guard bytes.count.isMultiple(of: 4) else { return nil }
      return stride(from: 0, to: bytes.count, by: 4).map { start in
        (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
      }
    }
    switch typeName {
    case "float32":
      guard let words = words() else { return nil }
      self = .float32(words.map { Float(bitPattern: $0) })
    case "int32":
      guard let words = words() else { return nil }
      self = .int32(words.map { Int32(bitPattern: $0) })
    case "uint8": self = .uint8(bytes)
    default: return nil
    }
  }
}
