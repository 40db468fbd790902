import Execution
import Formats
import Gate
import Graph
import Inputs
import Packaging
import SelfTesting

/// Makes self-tests of models that passed the gate.
struct SelfTestMaker {
  private let source: SelfTest.Source
  private let references: ReferenceSet
  private let limits: Limits
  private let jobs: Int

  /// - Parameters:
  ///   - references: those that proved the model.
  ///   - limits: those that it kept.
  init(
    _ source: SelfTest.Source, _ references: ReferenceSet, _ limits: Limits, jobs: Int
  ) {
    (self.source, self.references) = (source, references)
    (self.limits, self.jobs) = (limits, jobs)
  }

  /// Runs the model as it ships on a few inputs, with the same bits on every machine.
  ///
  /// - Parameter details: of the model, whose last output is compared.
  /// - Throws: errors of opening and running the model.
  func selfTest(of emitted: EmittedModel, _ details: ModelDetails) throws -> SelfTest {
    let model = try ModelLoader.open(
      emitted.path, files: ModelFiles(carriedBy: emitted.path, texts: emitted.companions))
    return try selfTest(of: model, output: details.outputs.last?.name ?? "")
  }

  /// The same of a model that was opened.
  ///
  /// - Parameter output: the name of what is compared.
  func selfTest(of model: Model, output: String) throws -> SelfTest {
    let runner = try ModelRunner(model: model, jobs: jobs, arithmetic: .portable)
    let inputs: SelfTestInputs =
      switch source {
      case .references: .some(of: references, for: model)
      case .synthetic: .synthetic
      }
    var isEmbedding = false
    if case .embedding = model.architecture.output { isEmbedding = true }
    return SelfTest(
      source, Tolerance(of: limits, isEmbedding: isEmbedding),
      try runner.cases(inputs, output: output))
  }
}
