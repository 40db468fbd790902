import Testing

@testable import Tokenization

/// Ends of clusters as the library has them.
struct GraphemeClustersTests {
  @Test(arguments: [
    ("ab", 1), ("a\u{301}\u{301}b", 3), ("\r\n\n", 2), ("\n\u{301}", 1), ("\u{600}a", 2),
    ("\u{1100}\u{1161}\u{11A8}\u{1100}", 3), ("가\u{11A8}가", 2), ("각\u{1161}", 1),
    ("\u{A9}\u{200D}\u{A9}", 3), ("a\u{200D}\u{A9}", 2),
    ("\u{915}\u{94D}\u{915}", 3), ("\u{915}\u{301}\u{915}", 2),
    ("\u{915}\u{94D}\u{200C}\u{915}", 3),
    ("\u{1F1E6}\u{1F1E7}\u{1F1E8}", 2), ("\u{903}\u{903}", 2),
  ]) func ends(_ text: String, _ end: Int) {
    #expect(GraphemeClusters.end(in: scalars(text), from: 0) == end)
  }
}
