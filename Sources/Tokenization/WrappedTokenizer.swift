import StrictJSON

/// A tokenizer that changes the ids of another one. It answers for it, where it does not say otherwise.
protocol WrappedTokenizer: TextTokenizer {
  var base: any TextTokenizer { get }
}

extension WrappedTokenizer {
  package var vocabularySize: Int { base.vocabularySize }
  package var paddingID: Int32 { base.paddingID }
  package var unknownID: Int32? { base.unknownID }
  package var declaredMaximumLength: Int? { base.declaredMaximumLength }
  package var configuredMaximumLength: Int? { base.configuredMaximumLength }
  package var sides: TextSides { base.sides }
  package var specialTokenCounts: (before: Int, behind: Int) { base.specialTokenCounts }

  package func requireRows(_ rows: Int) throws(PreprocessingError) { try base.requireRows(rows) }
}
