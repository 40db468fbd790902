import Execution
import Graph

/// Turns inputs of one kind into the input tensors of the model's graphs.
protocol InputPreparation: Sendable {
  /// Looks at the kind and form of inputs, without the work of preparing them.
  ///
  /// - Throws: `EvaluationError.unusableInput`.
  func check(_ inputs: [Input]) throws(EvaluationError)

  /// Puts inputs into batches.
  ///
  /// - Parameter images: the folder of image files.
  /// - Throws: `EvaluationError.unusableInput`, and errors of reading files.
  func batches(of inputs: [Input], images: ImageFiles) throws -> PreparedBatches

  /// Puts texts given as token ids into batches; nil for a model that takes no texts.
  func batches(ofTokens ids: [[Int32]]) -> PreparedBatches?

  /// Prepares one input alone.
  ///
  /// - Parameter index: its number, for messages.
  /// - Throws: as `batches`.
  func single(_ input: Input, _ index: Int, images: ImageFiles) throws -> SingleInput

  /// An input as the model sees it.
  ///
  /// - Parameter index: its number, for messages.
  /// - Throws: as `batches`.
  func seen(_ input: Input, _ index: Int, images: ImageFiles) throws -> SeenInput

  /// Whether no text has a token except those around it and the one for unknown words.
  func areUnknown(_ all: [SeenInput]) -> Bool

  /// Ids of tokens that are not part of a text; empty for other kinds of input.
  var structuralTokens: Set<Int32> { get }
}

extension InputPreparation {
  var structuralTokens: Set<Int32> { [] }

  func batches(ofTokens ids: [[Int32]]) -> PreparedBatches? { nil }

  func areUnknown(_ all: [SeenInput]) -> Bool { false }

  func seen(_ input: Input, _ index: Int, images: ImageFiles) throws -> SeenInput {
    switch try single(input, index, images: images) {
    case .tokens(let ids): .tokens(ids)
    case .floats(let values): .values(values)
    }
  }
}

/// Inputs in batches.
struct PreparedBatches: Sendable {
  let plan: [Batch]
  /// The values of a graph's inputs for one batch; called once for each, on any thread.
  let values: @Sendable (Batch, ModelGraph) throws -> [String: InputValues]
}

extension Input {
  /// The fault that this input, number `index`, cannot be used.
  package func unusable(_ index: Int, _ fault: String) -> EvaluationError {
    .unusableInput(index: index, input: label, fault: fault)
  }

  /// The fault that a model takes another kind of input.
  func wrongKind(_ index: Int, for model: ModelInput) -> EvaluationError {
    unusable(index, "is \(words), the model takes \(model.shortWords)")
  }
}
