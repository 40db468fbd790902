/// A tensor that a model takes or gives, with its name.
public struct TensorValue: Equatable, Sendable {
  /// Numbers in row-major order.
  public enum Elements: Equatable, Sendable {
    case float32([Float])
    /// Features of trees that compare all of their digits.
    case float64([Double])
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
  /// Whether all bits are the same: a number that is missing equals itself.
  public static func == (left: TensorValue.Elements, right: TensorValue.Elements) -> Bool {
    left.typeName == right.typeName && left.bytes == right.bytes
  }

  /// How many there are.
  public var count: Int {
    switch self {
    case .float32(let values): values.count
    case .float64(let values): values.count
    case .int32(let values): values.count
    case .uint8(let values): values.count
    }
  }

  /// The numbers as floats; those of more than 24 bits are rounded.
  public var floats: [Float] {
    switch self {
    case .float32(let values): values
    case .float64(let values): values.map { Float($0) }
    case .int32(let values): values.map(Float.init)
    case .uint8(let values): values.map(Float.init)
    }
  }

  /// The word for their type in a self-test.
  package var typeName: String {
    switch self {
    case .float32: "float32"
    case .float64: "float64"
    case .int32: "int32"
    case .uint8: "uint8"
    }
  }

  /// Their bytes, the least significant first.
  var bytes: [UInt8] {
    switch self {
    case .float32(let values): values.flatMap { Self.bytes(of: $0.bitPattern) }
    case .float64(let values): values.flatMap { Self.bytes(of: $0.bitPattern) }
    case .int32(let values): values.flatMap { Self.bytes(of: UInt32(bitPattern: $0)) }
    case .uint8(let values): values
    }
  }

  private static func bytes<Word: FixedWidthInteger>(of word: Word) -> [UInt8] {
    (0..<Word.bitWidth / 8).map { UInt8(truncatingIfNeeded: word >> Word(8 * $0)) }
  }

  /// Reads what `bytes` gives; nil for another type, and for bytes that make no whole number of elements.
  init?(_ typeName: String, _ bytes: [UInt8]) {
    func words<Word: FixedWidthInteger>(_ type: Word.Type) -> [Word]? {
      let size = Word.bitWidth / 8
      guard bytes.count.isMultiple(of: size) else { return nil }
      return stride(from: 0, to: bytes.count, by: size).map { start in
        (0..<size).reduce(0) { $0 | Word(bytes[start + $1]) << Word(8 * $1) }
      }
    }
    switch typeName {
    case "float32":
      guard let words = words(UInt32.self) else { return nil }
      self = .float32(words.map { Float(bitPattern: $0) })
    case "float64":
      guard let words = words(UInt64.self) else { return nil }
      self = .float64(words.map { Double(bitPattern: $0) })
    case "int32":
      guard let words = words(UInt32.self) else { return nil }
      self = .int32(words.map { Int32(bitPattern: $0) })
    case "uint8": self = .uint8(bytes)
    default: return nil
    }
  }
}
