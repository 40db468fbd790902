extension Normalizer {
  /// Replaces every occurrence of a string, from left to right.
  static func replace(_ string: [UInt32], with content: [UInt32], in text: inout [UInt32]) {
    let pattern = SplitPattern.string(string)
    var result: [UInt32] = []
    var done = 0
    while let match = pattern.match(in: text, text.indices, from: done) {
      result += text[done..<match.lowerBound]
      result += content
      done = match.upperBound
    }
    if done > 0 { text = result + text[done...] }
  }
}
