package import StrictJSON

/// A tokenizer whose model is all that sets it apart from others.
package protocol PipelineTokenizer: TextTokenizer {
  /// Everything but the model.
  var pipeline: TokenizerPipeline { get }
}

extension PipelineTokenizer {
  package var vocabularySize: Int { pipeline.vocabularySize }
  package var paddingID: Int32 { pipeline.paddingID }
  package var declaredMaximumLength: Int? { pipeline.lengths.declared }
  package var configuredMaximumLength: Int? { pipeline.lengths.configured }
  package var sides: TextSides { pipeline.sides }

  package var specialTokenCounts: (before: Int, behind: Int) {
    (pipeline.template.before.count, pipeline.template.after.count)
  }

  package func requireRows(_ rows: Int) throws(PreprocessingError) {
    try pipeline.added.requireRows(rows)
  }
}

extension TokenizerDifferences {
  /// Compares everything but the model.
  mutating func compare(_ our: TokenizerPipeline, _ their: TokenizerPipeline) {
    compare(our.normalizer == their.normalizer, "the normalizer")
    compare(our.preTokenizer == their.preTokenizer, "the pre_tokenizer")
    compare(our.template == their.template, "the special tokens around a text")
    compare(
      our.preTokenizer.dropsSpace ? our.added.findsSame(as: their.added) : our.added == their.added,
      "the added tokens")
    compare(our.paddingID == their.paddingID, "the padding id")
    compare(our.sides.truncation == their.sides.truncation, "the end that is cut")
  }
}
