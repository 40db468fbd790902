import Testing

@testable import Weights

struct GzipTests {
  /// `printf 'a plane\\nis taking off\\n' | gzip -n`.
  static let sample: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xFF, 0x4B, 0x54,
    0x28, 0xC8, 0x49, 0xCC, 0x4B, 0xE5, 0xCA, 0x2C, 0x56, 0x28, 0x49, 0xCC,
    0xCE, 0xCC, 0x4B, 0x57, 0xC8, 0x4F, 0x4B, 0xE3, 0x02, 0x00, 0x9A, 0x6F,
    0xCC, 0x9F, 0x16, 0x00, 0x00, 0x00,
  ]

  private func fault(_ bytes: [UInt8], limit: Int = 1000) -> String {
    do {
      _ = try Gzip.inflate(bytes, origin: "x.gz", limit: limit)
      return "(nothing was thrown)"
    } catch {
      return "\(error)"
    }
  }

  @Test func inflatesOneMemberAndSeveral() throws {
    let text = Array("a plane\nis taking off\n".utf8)
    #expect(try Gzip.inflate(Self.sample, origin: "x", limit: 1000) == text)
    #expect(try Gzip.inflate(Self.sample, origin: "x", limit: text.count) == text)
    #expect(try Gzip.inflate(Self.sample + Self.sample, origin: "x", limit: 1000) == text + text)
  }

  @Test func whatIsNotGzipIsRefused() {
    #expect(
      fault(Array("plain".utf8)) == "x.gz: is called '.gz', its bytes are not gzip's")
    #expect(fault(Array(Self.sample.dropLast(3))) == "x.gz: its gzip data is cut off")
    #expect(fault(Self.sample, limit: 20) == "x.gz: inflates to more than 20 bytes, the limit")
    #expect(fault(Self.sample + [1, 2, 3]) == "x.gz: its gzip data is damaged")
    var damaged = Self.sample
    damaged[damaged.count - 6] ^= 1
    #expect(fault(damaged) == "x.gz: its gzip data is damaged")
  }

  /// A bomb stops at the limit, whatever it would become.
  @Test func aBombIsStoppedAtTheLimit() throws {
    let bomb = Self.bomb
    #expect(bomb.count < 3000)
    #expect(fault(bomb, limit: 1 << 16) == "x.gz: inflates to more than 65536 bytes, the limit")
  }

  /// Two million zeros.
  static let bomb: [UInt8] =
    Array(sample.prefix(10)) + [
      0xED, 0xC1, 0x01, 0x01, 0x00, 0x00, 0x00, 0x82, 0x20, 0xFF, 0xAF, 0x6E, 0x48, 0x40, 0x01,
    ] + [UInt8](repeating: 0, count: 1937) + [
      0x6F, 0x06, 0x41, 0x1D, 0x5A, 0x42, 0x80, 0x84, 0x1E, 0x00,
    ]

  /// A changed bit is an error, or one of those that fill up the last byte and say nothing.
  @Test func everyCutAndEveryChangedByteIsAnError() throws {
    let text = try Gzip.inflate(Self.sample, origin: "x", limit: 1000)
    for count in 2..<Self.sample.count {
      #expect(fault(Array(Self.sample.prefix(count))) != "(nothing was thrown)", "\(count)")
    }
    for place in 10..<Self.sample.count {
      var bytes = Self.sample
      bytes[place] ^= 0x10
      let read = try? Gzip.inflate(bytes, origin: "x", limit: 1000)
      #expect(read == nil || read == text, "\(place)")
    }
  }
}
