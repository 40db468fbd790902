import Testing

@testable import Project

struct YAMLNodeTests {
  @Test func readsNumbersAsYAMLWritesThem() {
    func node(_ text: String, isPlain: Bool = true) -> YAMLNode {
      YAMLNode(
        content: .scalar(text, isPlain: isPlain), place: Place(file: "", line: 1, column: 1))
    }
    #expect(node("12").integer == 12)
    #expect(node("-3").integer == -3)
    #expect(node("12", isPlain: false).integer == nil)
    for text in ["", "-", "0x10", "1_000", "1.0", "+1", "1-"] { #expect(node(text).integer == nil) }
    #expect(node("0.5").double == 0.5)
    #expect(node("1e-3").double == 0.001)
    for text in ["nan", "inf", ".inf", "0x1p3", "1e999", ""] { #expect(node(text).double == nil) }
  }
}
