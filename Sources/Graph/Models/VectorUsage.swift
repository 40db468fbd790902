/// How sentence-transformers uses the vectors of a model, beside how it makes them.
package struct VectorUsage: Hashable, Sendable {
  /// `similarity_fn_name` of `config_sentence_transformers.json`: the function that compares vectors.
  package let similarity: String
  /// `include_prompt` of the pooling: whether the tokens of a prompt count. It shows in vectors only
  /// where a prompt is used. Nil of a model without a pooling.
  package let includesPrompt: Bool?

  /// The library's function where the file names none.
  static let usualSimilarity = "cosine"
}
