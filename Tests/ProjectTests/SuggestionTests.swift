import Testing

@testable import Project

@Suite struct SuggestionTests {
  @Test func findsWhatWasMeant() {
    let known = ["source", "compress", "gate", "formats"]
    #expect(Suggestion.nearest(to: "sorce", among: known) == "source")
    #expect(Suggestion.nearest(to: "Gate", among: known) == "gate")
    #expect(Suggestion.nearest(to: "gates", among: known) == "gate")
    #expect(Suggestion.nearest(to: "gaet", among: known) == "gate")
    #expect(Suggestion.nearest(to: "egta", among: known) == nil)
    #expect(Suggestion.nearest(to: "compression", among: known) == nil)
    #expect(Suggestion.nearest(to: "", among: known) == nil)
    #expect(Suggestion.nearest(to: String(repeating: "a", count: 65), among: known) == nil)
    #expect(Suggestion.nearest(to: "x", among: []) == nil)
  }
}
