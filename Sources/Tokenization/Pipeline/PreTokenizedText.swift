/// A text on its way through the parts of a tokenizer: scalars, and the words they are cut into.
struct PreTokenizedText: Sendable {
  /// The text as the parts have changed it so far.
  var scalars: [UInt32]
  /// The words in `scalars`, ascending, without overlap; none is empty. Space between them is
  /// dropped.
  var words: [Range<Int>]
  /// Of the scalars at the start, how many came from the first character of the whole text as it
  /// was given: parts that treat the first word in a special way look at it.
  var leading: Int

  /// One word, or none if the text is empty.
  init(_ scalars: [UInt32], leading: Int) {
    self.scalars = scalars
    words = scalars.isEmpty ? [] : [scalars.indices]
    self.leading = leading
  }

  /// A part of the text as a text of its own, not cut yet.
  func part(_ range: Range<Int>) -> PreTokenizedText {
    guard range != scalars.indices else { return self }
    return PreTokenizedText(Array(scalars[range]), leading: max(0, leading - range.lowerBound))
  }
}
