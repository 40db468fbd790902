import Testing

@testable import Signatures

@Suite struct PublicKeyTests {
  @Test func takesThirtyTwoBytesOnly() {
    #expect(PublicKey(bytes: Array(repeating: 7, count: 32))?.bytes.count == 32)
    #expect(PublicKey(bytes: Array(repeating: 7, count: 31)) == nil)
  }
}
