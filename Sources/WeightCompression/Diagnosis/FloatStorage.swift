/// How the formats store the floats of a model, in words for messages.
package struct FloatStorage: Hashable, Sendable {
  /// Those that round them to float16, each with its article: "an mlpackage".
  package let halving: [String]
  /// Names of those that keep float32.
  package let keeping: [String]

  package init(halving: [String], keeping: [String]) {
    self.halving = halving
    self.keeping = keeping
  }

  /// Something done to a tensor, and what becomes of some of its numbers in float16.
  func action(_ done: String, _ loss: String) -> String {
    guard !halving.isEmpty else { return done }
    let verb = halving.count == 1 ? "holds" : "hold"
    let those = halving.joined(separator: " and ")
    return "\(done); \(those) \(verb) \(loss)" + keepingWords(after: ",")
  }

  /// Where the numbers are kept, as the end of a sentence; empty if nowhere.
  func keepingWords(after mark: String) -> String {
    guard !keeping.isEmpty else { return "" }
    let verb = keeping.count == 1 ? "keeps" : "keep"
    return "\(mark) \(keeping.joined(separator: " and ")) \(verb) float32"
  }
}
