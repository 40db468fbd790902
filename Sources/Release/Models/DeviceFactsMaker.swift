import Execution
import Formats
import Gate
import Graph
import IngotTokenizers
import Inputs
import Packaging
import SelfTesting

/// Makes what devices need to know of models that passed the gate.
struct DeviceFactsMaker {
  private let source: SelfTest.Source
  private let references: ReferenceSet
  private let limits: Limits
  private let jobs: Int

  /// - Parameters:
  ///   - source: where the inputs of self-tests come from.
  ///   - references: those that proved the model.
  ///   - limits: those that it kept.
  init(
    _ source: SelfTest.Source, _ references: ReferenceSet, _ limits: Limits, jobs: Int
  ) {
    (self.source, self.references) = (source, references)
    (self.limits, self.jobs) = (limits, jobs)
  }

  /// The facts of a model as it ships.
  ///
  /// - Parameter details: of the model, whose last output is compared.
  /// - Throws: errors of opening and running the model.
  func facts(of emitted: EmittedModel, _ details: ModelDetails) throws -> DeviceFacts {
    let model = try ModelLoader.open(
      emitted.path, files: ModelFiles(carriedBy: emitted.path, texts: emitted.companions))
    return try facts(of: model, details)
  }

  /// The same of a model that was opened.
  func facts(of model: Model, _ details: ModelDetails) throws -> DeviceFacts {
    try facts(
      of: model, output: details.outputs.last?.name ?? "",
      features: details.inputs.first?.features ?? [])
  }

  /// The same of a model whose names are known otherwise.
  ///
  /// - Parameters:
  ///   - output: the name of what is compared.
  ///   - features: the names of the features of the model as trained; empty without any.
  func facts(of model: Model, output: String, features: [String]) throws -> DeviceFacts {
    let inputs = try model.inputConfiguration(features: features)
    return DeviceFacts(
      selfTest: try selfTest(of: model, output: output), inputs: inputs,
      cacheKey: try model.cacheKey(preparation: inputs.json))
  }

  /// Runs the model on a few inputs, with the same bits on every machine.
  private func selfTest(of model: Model, output: String) throws -> SelfTest {
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
