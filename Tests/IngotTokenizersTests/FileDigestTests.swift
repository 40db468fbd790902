import Crypto
import Testing

@testable import IngotTokenizers

struct FileDigestTests {
  /// Every length around the ends of blocks, beside another library.
  @Test func digestsAreThoseOfCrypto() {
    for count in Array(0...260) + [1000, 4095, 65_537] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ count) }
      let expected = SHA256.hash(data: bytes).map {
        let digits = String($0, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
      }
      #expect(FileDigest.hex(of: bytes) == expected.joined(), "\(count) bytes")
    }
  }

  /// FIPS 180-4's own example.
  @Test func theStandardsExampleHolds() {
    #expect(
      FileDigest.hex(of: Array("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }
}
