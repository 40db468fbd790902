package import Graph
import Tokenization
import Weights

/// One encoder on both sides, and the inputs it takes. A model without separate encoders has a
/// single encoder.
package struct EncoderSlot: Sendable {
  package let kind: InputKind
  /// Nil if outputs were given.
  package let baseline: Model?
  /// The baseline with no more tokens than the candidate: what its weights and its tokenizer are
  /// compared with. The baseline itself where the candidate has all tokens.
  package let counterpart: Model?
  /// Nil if outputs were given, and where the candidate leaves it as the baseline has it.
  package let candidate: Model?
  /// Numbers of the distinct inputs it takes; never empty.
  package let inputs: [Int]
  /// Whether it is judged together with another.
  package let isOfSeveral: Bool

  /// - Parameter counterpart: the baseline with the candidate's tokens; nil for all tokens.
  package init(
    kind: InputKind, baseline: Model?, counterpart: Model? = nil, candidate: Model?,
    inputs: [Int], isOfSeveral: Bool
  ) {
    self.kind = kind
    self.baseline = baseline
    self.counterpart = counterpart ?? baseline
    self.candidate = candidate
    self.inputs = inputs
    self.isOfSeveral = isOfSeveral
  }

  /// Which encoder of several it is; nil for a model that is judged alone.
  package var encoder: InputKind? { isOfSeveral ? kind : nil }

  /// `text encoder`; nil for a model that is judged alone.
  package var name: String? { encoder?.encoderWords }
}

extension InputKind {
  /// `text encoder`, for messages.
  package var encoderWords: String {
    switch self {
    case .image: "image encoder"
    case .text: "text encoder"
    case .textPair: "cross-encoder"
    case .values: "model of values"
    }
  }
}

/// Outputs of one encoder on one side.
package struct EncoderOutputs {
  /// One row per input of the references that it takes.
  package let references: OutputMatrix
  /// One row per generated text; nil without generated texts.
  package let generated: OutputMatrix?

  package init(references: OutputMatrix, generated: OutputMatrix?) {
    (self.references, self.generated) = (references, generated)
  }
}

extension ReferenceSet {
  /// Outputs of a model for some inputs, by their numbers, and for texts given as token ids.
  ///
  /// Inputs whose outputs are known do not run again.
  ///
  /// - Parameters:
  ///   - texts: as `ModelRunner.outputs(forTokens:)` takes them.
  ///   - keeps: whether a further run of the model on these inputs shall take the outputs of this one.
  ///   - digests: of the model, by which outputs are known; read where nothing else is given.
  ///   - progress: called with the number of inputs done.
  /// - Throws: as `ModelRunner.outputs(for:)`, for an input by its line.
  package func outputs(
    of runner: ModelRunner, _ rows: [Int], besides texts: [[Int32]] = [], keeps: Bool = false,
    digests: ModelDigests? = nil, progress: @escaping @Sendable (Int) -> Void
  ) throws -> EncoderOutputs {
    func key() throws -> OutputMemory.Key {
      OutputMemory.Key(
        runner.model, try digests ?? runner.model.digests(), rows.map { inputs[$0] })
    }
    if !memory.isEmpty, let known = memory.outputs(try key()) {
      progress(rows.count)
      return EncoderOutputs(references: known, generated: try runner.outputs(forTokens: texts))
    }
    return try naming(rows) { inputs in
      let outputs = try runner.outputs(
        for: inputs, tokens: try tokens(of: inputs, by: runner.model), images: images
      ) { count, _ in
        progress(count)
      }
      if keeps { memory.keep(outputs, try key()) }
      return EncoderOutputs(references: outputs, generated: try runner.outputs(forTokens: texts))
    }
  }

  /// Tokens of texts, where a model that prepares texts alike was asked for them before.
  private func tokens(of inputs: [Input], by model: Model) throws -> [TextTokens]? {
    guard case .tokens = model.architecture.input else { return nil }
    return views.tokens(of: inputs, by: try ViewMemory.Reader(model))
  }

  /// Embeddings of the inputs that a model takes and can tell apart; the gate does not run them again.
  ///
  /// - Parameter digests: of the model.
  /// - Parameter progress: called with the number of inputs done, from any thread.
  /// - Returns: numbers of inputs, and one row for each.
  /// - Throws: as the gate.
  package func embeddings(
    by model: Model, _ digests: ModelDigests, jobs: Int,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> (numbers: [Int], outputs: OutputMatrix) {
    let slot = EncoderSlot(
      kind: model.kind, baseline: model, candidate: nil,
      inputs: inputs.indices.filter { inputs[$0].kind == model.kind }, isOfSeveral: false)
    let distinct = try DistinctReferences(self, slots: [slot], decodes: true, jobs: jobs)
    let rows = distinct.set.inputs.indices.filter { distinct.set.inputs[$0].kind == model.kind }
    let runner = try ModelRunner(model: model, jobs: jobs)
    let known = OutputMemory.Key(model, digests, rows.map { distinct.set.inputs[$0] })
    let outputs = try memory.outputs(known) {
      try distinct.set.outputs(of: runner, rows, digests: digests, progress: progress)
        .references
    }
    return (rows.map { distinct.kept[$0] }, outputs)
  }
}
