/// A hash of values: equal for equal values, almost never equal for others.
///
/// It only tells which tensors are worth comparing. Its key is drawn anew by each process, so that
/// no file can be crafted whose tensors must all be compared.
package struct ContentHash: Hashable, Sendable {
  private let value: UInt64

  private static let key = UInt64.random(in: .min ... .max) | 1

  package init(_ values: [Float]) {
    var state = State()
    state.add(values.span)
    self = state.finish()
  }

  /// A hash of values that come piece by piece.
  package struct State {
    // Four streams of words, each multiplied and turned, mixed at the end.
    private var streams = (key, key &* 3, key &* 5, key &* 7)

    package init() {}

    /// Takes the next values; all calls but the last take a multiple of eight.
    package mutating func add(_ values: Span<Float>) {
      unsafe values.withUnsafeBytes { unsafe add($0) }
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
      var (a, b, c, d) = streams
      var offset = 0
      while offset + 32 <= bytes.count {
        a = unsafe ContentHash.mixed(
          a, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        b = unsafe ContentHash.mixed(
          b, bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
        c = unsafe ContentHash.mixed(
          c, bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
        d = unsafe ContentHash.mixed(
          d, bytes.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self))
        offset += 32
      }
      while offset + 4 <= bytes.count {
        let half = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        a = ContentHash.mixed(a, UInt64(half))
        offset += 4
      }
      streams = (a, b, c, d)
    }

    /// The hash of everything so far.
    package func finish() -> ContentHash {
      let (a, b, c, d) = streams
      return ContentHash(
        value: ContentHash.mixed(ContentHash.mixed(ContentHash.mixed(a, b), c), d))
    }
  }

  private init(value: UInt64) { self.value = value }

  @inline(__always)
  private static func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ word) &* key
    return product ^ product >> 29
  }
}
