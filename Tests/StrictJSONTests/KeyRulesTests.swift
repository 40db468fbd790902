import Testing

@testable import StrictJSON

@Suite struct KeyRulesTests {
  private static let rules = KeyRules(
    understood: ["size", "limit"], harmless: ["author": "a name"],
    neutral: ["decoder": [false], "heads": [.object([:])], "chunk": [0], "map": [], "own": []],
    nullable: ["limit", "decoder", "map"])

  private func fault(_ text: String) -> String? {
    do {
      try Self.rules.check(try JSONParser.parseObject(Array(text.utf8), origin: "f"))
      return nil
    } catch { return "\(error)" }
  }

  @Test func knownKeysPass() {
    #expect(
      fault(#"{"size": 1, "author": [1, {}], "decoder": false, "heads": {}, "chunk": 0}"#) == nil)
    #expect(fault(#"{"decoder": null, "chunk": 0.0}"#) == nil)
  }

  @Test func aNullIsNotTheAbsenceOfItsKey() {
    #expect(
      fault(#"{"size": null}"#)
        == "f:1:10: 'size' is null, which is not the same as no such key; give it a value or leave "
        + "it out")
    #expect(
      fault(#"{"chunk": null}"#) == "f:1:11: 'chunk' is null, which is not supported; supported: 0")
    #expect(
      fault(#"{"own": null}"#)
        == "f:1:9: 'own' is null, which is not supported; supported: no such key")
    #expect(fault(#"{"limit": null, "decoder": null, "map": null, "author": null}"#) == nil)
    #expect(fault(#"{"map": 1}"#)?.hasSuffix("supported: null") == true)
  }

  @Test func everyKnownKeyMayBeNullWhereThatIsSaid() throws {
    let rules = KeyRules(understood: ["size"], neutral: ["chunk": [0]], nullable: .any)
    let text = #"{"size": null, "chunk": null}"#
    try rules.check(try JSONParser.parseObject(Array(text.utf8), origin: "f"))
  }

  @Test func anUnknownKeyIsNamed() {
    #expect(
      fault(#"{"size": 1, "sise": 2}"#)
        == "f:1:21: the key 'sise' (the number 2) is not understood, and it may change what the "
        + "model does")
    #expect(fault(#"{"sise": null}"#) != nil)
  }

  @Test func anotherValueThanTheNeutralOnesIsNamed() {
    #expect(
      fault(#"{"decoder": true}"#)
        == "f:1:13: 'decoder' is true, which is not supported; supported: false")
    #expect(fault(#"{"heads": {"0": [1]}}"#)?.contains("supported: {}") == true)
    #expect(fault(#"{"chunk": 0.5}"#) != nil)
  }
}
