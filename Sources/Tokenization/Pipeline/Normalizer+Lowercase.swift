import StrictJSON

extension Normalizer {
  /// Turns text into lower case before all else, unless lower case is among the steps.
  mutating func lowercaseFirst(_ added: AddedTokens) throws(PreprocessingError) {
    guard !lowercasesAsMember else { return }
    let before = self
    self = Normalizer(steps: [.lowercase] + steps)
    try added.checkSame(before, self, because: "'do_lower_case' of sentence_bert_config.json")
  }
}

extension AddedTokens {
  /// Refuses tokens that are found in normalised text and that two normalizers change differently:
  /// when the library replaces one normalizer by the other, only some versions then look for the
  /// tokens as the new one makes them.
  func checkSame(
    _ before: Normalizer, _ after: Normalizer, because cause: String
  ) throws(PreprocessingError) {
    for (entry, _) in tokens where entry.isNormalized {
      var old = entry.content.unicodeScalars.map(\.value)
      var new = old
      before.apply(to: &old)
      after.apply(to: &new)
      guard old == new else {
        throw .file(
          entry.error(
            "is looked for in normalised text, and \(cause) changes the normalizer: versions of the "
              + "library disagree how it is then found; supported: 'normalized' false"))
      }
    }
  }
}
