package import Execution
import Files
package import Graph
import IngotFeatures
package import Tokenization
package import Weights

/// Runs a model over inputs: prepares them as the model's kind needs it, batches them, and gives the
/// outputs back in the order of the inputs.
package struct ModelRunner {
  package let model: Model
  let preparation: any InputPreparation
  private(set) var executor: Executor
  /// Nil for a model that has a graph for every length.
  private(set) var shortTexts: ShortTexts?
  let jobs: Int

  /// Prepares a model.
  ///
  /// - Parameters:
  ///   - weights: other weights to run the model's graph with; its own when nil.
  ///   - jobs: threads, at least 1.
  ///   - arithmetic: how its graphs are computed.
  package init(
    model: Model, weights: (any WeightSource)? = nil, jobs: Int,
    arithmetic: Arithmetic = .fastest
  ) throws {
    try ModelRunner.requireMemory(for: model)
    self.model = model
    self.jobs = max(1, jobs)
    preparation = try ModelRunner.preparation(for: model)
    executor = Executor(
      weights: weights ?? model.weights, jobs: max(1, jobs), arithmetic: arithmetic)
    shortTexts = ShortTexts(model, weights: weights ?? model.weights)
  }

  /// Checks that there is memory for all weights a model runs with.
  ///
  /// - Throws: `FileError.noMemory`, before anything is read.
  package static func requireMemory(for model: Model) throws {
    let count = try model.usedWeights().reduce(0) { $0 + $1.elementCount }
    try Memory.require(4 * count, for: "running the model", of: model.origin)
  }

  /// The same model with some weights replaced; everything read and computed from the others is
  /// shared.
  package func replacing(_ names: [TensorName], by weights: any WeightSource) -> ModelRunner {
    var runner = self
    runner.executor = executor.replacing(names, by: weights)
    runner.shortTexts = shortTexts?.replacing(names, by: weights)
    return runner
  }

  /// Frees the weights, which the next run reads anew: who keeps a runner need not keep its memory.
  package func forgetWeights() { executor.forgetWeights() }

  static func preparation(for model: Model) throws -> any InputPreparation {
    switch model.architecture.input {
    case .features(let schema):
      FeatureInputs(
        preparer: FeaturePreparer(schema), shapes: model.architecture.shapes,
        scalar: try model.architecture.smallestGraph().inputs[0].type.scalar)
    case .image(let width, let height):
      try ImageInputs(of: model, width: width, height: height)
    case .tokens(let maximumLength, let rows):
      try TextInputs(of: model, maximumLength: maximumLength, rows: rows)
    }
  }

  /// Runs the checks that do not need the model to run: the files that prepare its inputs, and the
  /// kind and number of values of every input. Texts are not tokenised, images not read.
  ///
  /// - Throws: as `init` and `outputs(for:)`.
  package static func check(_ inputs: [Input], for model: Model) throws {
    try preparation(for: model).check(inputs)
  }

  /// Runs the model over inputs; a text that a package pads to its own length, without the padding
  /// where the output is proven not to depend on it.
  ///
  /// - Parameters:
  ///   - tokens: of the inputs, which are texts then, as the model's own preparation gives them; nil to
  ///     prepare the inputs here.
  ///   - images: the folder of image files; by default the current one.
  ///   - progress: called with the numbers of inputs done and in all, from any thread.
  /// - Returns: one row per input, in their order.
  /// - Throws: `EvaluationError.unusableInput` (or `unusableImage`), naming the input and the kind
  ///   that is needed.
  package func outputs(
    for inputs: [Input], tokens: [TextTokens]? = nil, images: ImageFiles = ImageFiles(folder: ""),
    progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) throws -> OutputMatrix {
    let prepared =
      try tokens.flatMap(preparation.batches) ?? preparation.batches(of: inputs, images: images)
    return try run(prepared, count: inputs.count, progress)
  }

  /// Runs the model over texts that are already token ids.
  ///
  /// - Parameter texts: ids of the model's table, those around each text included; none longer than
  ///   the model takes.
  /// - Returns: one row per text; nil without texts, and for a model that takes none.
  package func outputs(forTokens texts: [[Int32]]) throws -> OutputMatrix? {
    guard !texts.isEmpty, let prepared = preparation.batches(of: texts.map { TextTokens($0) })
    else { return nil }
    return try run(prepared, count: texts.count) { _, _ in }
  }

  /// The lengths that inputs are padded to; empty for a model of any length and of no texts.
  ///
  /// - Throws: as `outputs(for:)`.
  package func lengths(of inputs: [Input]) throws -> Set<Int> {
    guard case .tokens = model.architecture.input, model.architecture.shapes != .any else {
      return []
    }
    let prepared = try preparation.batches(of: inputs, images: ImageFiles(folder: ""))
    return Set(prepared.plan.map(\.length))
  }

  /// Runs the model on some of several inputs, one at a time, and measures every value on the way, as a
  /// device would have it: with all padding.
  ///
  /// - Returns: for each number the largest magnitudes by the names of values in the graph; NaN
  ///   where a value holds one.
  /// - Throws: as `outputs(for:)`.
  package func magnitudes(
    for numbers: [Int], of inputs: [Input], images: ImageFiles
  ) throws -> [[String: Float]] {
    try Workers.map(numbers.count, jobs: jobs) { place in
      let number = numbers[place]
      do {
        let prepared = try preparation.batches(of: [inputs[number]], images: images)
        let batch = prepared.plan[0]
        let graph = try model.graph(batch: 1, length: batch.length)
        return try executor.magnitudes(graph, inputs: try prepared.values(batch, graph))
      } catch let error as EvaluationError {
        throw error.numbered(number)
      }
    }
  }

  /// Runs the model over inputs and shows values on the way, batch by batch.
  ///
  /// - Parameters:
  ///   - names: of values of floats in the graph.
  ///   - see: given a name, and the elements of the value, row-major.
  /// - Throws: as `outputs(for:)`.
  package func values(
    named names: Set<String>, for inputs: [Input], _ see: (String, [Double]) -> Void
  ) throws {
    let prepared = try preparation.batches(of: inputs, images: ImageFiles(folder: ""))
    for batch in prepared.plan {
      let graph = try model.graph(batch: batch.rows.count, length: batch.length)
      let inputs = try prepared.values(batch, graph)
      for (name, values) in try executor.values(named: names, graph, inputs: inputs) {
        see(name, values)
      }
    }
  }

  /// Runs the model over the lines of a file.
  ///
  /// - Throws: `EvaluationError.unusableLine` (or `unusableImageLine`), naming the file and the line.
  package func outputs(
    for lines: InputLines, progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) throws -> OutputMatrix {
    let lines = try lines.arranged(for: model.architecture.input)
    do {
      return try outputs(for: lines.inputs, images: lines.images, progress: progress)
    } catch let error as EvaluationError {
      throw error.placed(in: lines.origin) { lines.lines[$0] }
    }
  }
}
