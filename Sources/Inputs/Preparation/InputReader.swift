import Files
package import Graph

/// One input as the graphs of a model take it, neither padded nor in a batch.
package enum SingleInput: Equatable, Sendable {
  /// Token ids, those around the text included.
  case tokens([Int32])
  /// Features, or the pixels of an image: planes R, G and B, row by row.
  case floats([Float])
}

/// Prepares inputs one by one, for callers that batch them themselves.
package struct InputReader {
  private let preparation: any InputPreparation

  /// Reads the files that say how the model's inputs are prepared.
  ///
  /// - Throws: as `ModelRunner.init`.
  package init(model: Model) throws { preparation = try ModelRunner.preparation(for: model) }

  /// Ids of tokens that are not part of a text: those around it, and padding.
  package var structuralTokens: Set<Int32> { preparation.structuralTokens }

  /// Prepares inputs in their order.
  ///
  /// - Throws: `EvaluationError.unusableInput` or `unusableImage` with the input's number in
  ///   `inputs`.
  package func read(_ inputs: [Input], images: ImageFiles) throws -> [SingleInput] {
    try inputs.indices.map { try preparation.single(inputs[$0], $0, images: images) }
  }

  /// Inputs as the model sees them, in their order.
  ///
  /// - Parameter jobs: threads.
  /// - Throws: as `read`, for the first input that cannot be used.
  package func seen(_ inputs: [Input], images: ImageFiles, jobs: Int) throws -> [SeenInput] {
    let preparation = preparation
    return try Workers.map(inputs.count, jobs: jobs) { index in
      try preparation.seen(inputs[index], index, images: images)
    }
  }

  /// Whether no text has a token except those around it and the one for unknown words.
  func areUnknown(_ all: [SeenInput]) -> Bool { preparation.areUnknown(all) }
}
