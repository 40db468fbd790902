import Files
import TestSupport
import Testing

@testable import Weights

@Suite struct ContentDigestTests {
  @Test func knownValues() {
    #expect(
      ContentDigest(of: []).hex
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(
      ContentDigest(of: Array("abc".utf8)).description
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test(arguments: [0, 1, 1 << 20, (1 << 20) + 1, 3_000_001]) func files(_ count: Int) throws {
    let scratch = try TemporaryFolder()
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let file = try MappedFile(path: scratch.write("x", bytes))
    #expect(ContentDigest(of: file) == ContentDigest(of: bytes))
  }

  @Test func hexadecimal() {
    let hex = String(repeating: "0a", count: 32)
    #expect(ContentDigest(hex: hex)?.hex == hex)
    for wrong in ["", "0a", String(repeating: "0A", count: 32), hex + "0", hex.dropLast() + "g"] {
      #expect(ContentDigest(hex: wrong) == nil)
    }
  }

  @Test func combiningSortsByName() {
    let (one, two) = (ContentDigest(of: [1]), ContentDigest(of: [2]))
    let expected = ContentDigest(of: Array("\(one)  a\n\(two)  b\n".utf8))
    #expect(ContentDigest.combining([("b", two), ("a", one)]) == expected)
    #expect(ContentDigest.combining([]) == ContentDigest(of: []))
  }
}
