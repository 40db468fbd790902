package import Files

/// Reads a document of objects, arrays, numbers and texts from its start to its end, a value at a time,
/// and keeps nothing of it.
///
/// The caller asks for the value that comes next, in the form that it expects; arrays of numbers come
/// without a value in between. A fault of the syntax, a key that appears twice in an object, more than
/// `ScanLimits` allow and a value of another kind are errors.
package protocol PullScanner {
  /// At the start of a file.
  ///
  /// - Throws: if the file starts as none of its form does.
  init(_ file: MappedFile) throws(ScanError)

  /// The file.
  var path: String { get }

  /// An error at the place that is reached.
  func error(_ fault: String) -> ScanError

  /// The kind of the value that comes next.
  mutating func kind() throws(ScanError) -> ScannedKind

  /// Enters an object.
  mutating func beginObject() throws(ScanError)
  /// Reads a key of the object entered last, up to its value.
  ///
  /// - Returns: nil at the end of the object, which is left.
  mutating func nextKey() throws(ScanError) -> String?

  /// Enters an array.
  mutating func beginArray() throws(ScanError)
  /// Goes to the next value of the array entered last.
  ///
  /// - Returns: false at the end of the array, which is left.
  mutating func nextElement() throws(ScanError) -> Bool

  mutating func string() throws(ScanError) -> String
  mutating func bool() throws(ScanError) -> Bool
  /// A whole number.
  mutating func integer() throws(ScanError) -> Int
  /// A number, rounded to 64 bits.
  mutating func double() throws(ScanError) -> Double

  /// An array of numbers, each the nearest of 32 bits; NaN and infinities where the form has them.
  mutating func floats() throws(ScanError) -> [Float]
  /// An array of numbers, each the nearest of 64 bits; NaN and infinities where the form has them.
  mutating func doubles() throws(ScanError) -> [Double]
  /// An array of whole numbers that fit 32 bits.
  mutating func integers() throws(ScanError) -> [Int32]

  /// Steps over a value, with the same checks.
  mutating func skip() throws(ScanError)

  /// Checks that nothing comes after the value.
  mutating func finish() throws(ScanError)
}

extension PullScanner {
  /// An array of 0 and 1, or of true and false.
  package mutating func flags() throws(ScanError) -> [Bool] {
    var flags: [Bool] = []
    try beginArray()
    while try nextElement() {
      if case .bool = try kind() {
        flags.append(try bool())
        continue
      }
      let value = try integer()
      guard value == 0 || value == 1 else { throw error("is \(value), expected 0 or 1") }
      flags.append(value == 1)
    }
    return flags
  }

  /// An array of texts.
  package mutating func strings() throws(ScanError) -> [String] {
    var texts: [String] = []
    try beginArray()
    while try nextElement() { texts.append(try string()) }
    return texts
  }
}

/// What a value is.
package enum ScannedKind: String, Sendable {
  case object = "an object"
  case array = "an array"
  case string = "a string"
  case number = "a number"
  case bool = "true or false"
  case null = "null"
}

/// Bounds on the cost of a document.
package enum ScanLimits {
  /// Arrays and objects within each other.
  package static let depth = 64
  /// Keys of one object.
  package static let keys = 65_536
  /// Bytes of a number as text.
  package static let numberBytes = 1000
}
