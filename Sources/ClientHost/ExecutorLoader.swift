import Execution
import Formats
import Graph
package import IngotClient
package import SelfTesting
import Weights

/// Loads models of packages with Ingot's own executor.
package struct ExecutorLoader: DeviceModelLoader {
  private let jobs: Int

  /// - Parameter jobs: threads.
  package init(jobs: Int) { self.jobs = jobs }

  package func load(_ model: InstalledModel) async throws -> any SelfTestable {
    let opened = try ModelLoader.open(model.path)
    return LoadedModel(
      model: opened, executor: Executor(weights: opened.weights, jobs: jobs))
  }
}

/// A model that was loaded.
struct LoadedModel: SelfTestable {
  let model: Model
  let executor: Executor

  func output(named name: String, for inputs: [TensorValue]) async throws -> [Float] {
    var length = 1
    if case .tokens = model.architecture.input { length = inputs.first?.shape.last ?? 1 }
    let graph = try model.graph(batch: 1, length: length)
    let values = inputs.map { ($0.name, InputValues($0.elements)) }
    return try executor.run(graph, inputs: Dictionary(values) { first, _ in first })
  }
}

extension InputValues {
  init(_ elements: TensorValue.Elements) {
    switch elements {
    case .int32(let values): self = .integers(values)
    case .float64(let values): self = .doubles(values)
    case .float32, .uint8: self = .floats(elements.floats)
    }
  }
}
