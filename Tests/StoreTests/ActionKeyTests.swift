import StrictJSON
import Testing

@testable import Store

@Suite struct ActionKeyTests {
  @Test func followsItsInputs() {
    #expect(ActionKey(["a": 1, "b": "x"]) == ActionKey(["b": "x", "a": 1]))
    #expect(ActionKey(["a": 1]) != ActionKey(["a": 2]))
  }
}
