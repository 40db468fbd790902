/// A kind of model that Ingot can run: recognises its files and builds its graph.
///
/// To add one: a file under `Architectures/`, and its type in `Architectures.all`.
package protocol Architecture: Sendable {
  /// The name in messages and metadata.
  static var name: String { get }
  /// What its files look like, for the message that nothing was recognised.
  static var signature: String { get }
  /// Reads the describing files.
  ///
  /// - Returns: nil when the files are not of this architecture.
  /// - Throws: when they are, but ask for something that is not supported.
  static func recognise(_ files: ModelFiles, weights: any WeightSource) throws -> Self?

  /// Paths of the describing files it was made from; a compressed model carries them.
  var describingFiles: [String] { get }
  /// What one input is.
  var input: ModelInput { get }
  /// What one output means.
  var output: ModelOutput { get }
  /// The graph for a batch of inputs; `length` is the number of tokens and 1 for features.
  func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph
}

/// What a model takes for one input.
package enum ModelInput: Hashable, Sendable {
  /// Token ids of a text, at most so many; the graph's inputs are `input_ids` and
  /// `attention_mask`, int32 [batch, length]. `vocabulary` is the number of rows of the table.
  case tokens(maximumLength: Int, vocabulary: Int)
  /// Numbers with names; the graph's input is `features`, fp32 [batch, names.count].
  case features(names: [String])
}

/// What a model gives for one input.
package enum ModelOutput: Hashable, Sendable {
  /// A vector that is compared by cosine.
  case embedding(width: Int)
  /// One probability per label, or, for two labels, one number: that of the second label.
  case classes(labels: [String], width: Int)
  /// Plain numbers.
  case numbers(width: Int)

  /// Numbers per input.
  package var width: Int {
    switch self {
    case .embedding(let width), .classes(_, let width), .numbers(let width): width
    }
  }
}
