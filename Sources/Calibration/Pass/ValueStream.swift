import Execution
import Graph

/// Values of one model over all batches, up to the current layer of the pass.
///
/// Every value is [rows, …] of its batch. A batch runs on one thread, so that results do not depend
/// on the number of threads.
struct ValueStream {
  private let sample: CalibrationSample
  private let jobs: Int
  /// The values computed so far, by name, one array per batch.
  private var known: [String: [[Float]]] = [:]

  init(_ sample: CalibrationSample, jobs: Int) {
    self.sample = sample
    self.jobs = max(1, min(jobs, sample.batches.count))
  }

  /// A computed value, by batches.
  subscript(name: String) -> [[Float]] { known[name] ?? [] }

  /// Computes a value from those already known and keeps it.
  mutating func make(_ name: String, with weights: any WeightSource) throws {
    guard known[name] == nil else { return }
    if let given = inputs(name) {
      known[name] = given
      return
    }
    let names = Set(known.keys)
    let batches = sample.batches, known = known
    let executor = Executor(weights: weights, jobs: jobs)
    self.known[name] = try executor.runAll(count: batches.count) { index in
      let part = try batches[index].graph.part(making: name, from: names)
      var inputs: [String: InputValues] = [:]
      for input in part.inputs {
        inputs[input.name] =
          known[input.name].map { .floats($0[index]) } ?? batches[index].inputs[input.name]
      }
      return (part, inputs)
    }
  }

  /// Forgets every value that making others does not read.
  mutating func keep(for wanted: [String]) {
    guard let graph = sample.batches.first?.graph else { return }
    let sources = graph.reach(of: wanted, from: Set(known.keys)).sources
    known = known.filter { sources.contains($0.key) }
  }

  /// The values of a model input; nil if the model has no input of that name.
  private func inputs(_ name: String) -> [[Float]]? {
    guard sample.batches.first?.inputs[name] != nil else { return nil }
    return sample.batches.map { batch in
      switch batch.inputs[name] {
      case .floats(let values): values
      case .integers(let values): values.map { Float($0) }
      case .doubles(let values): values.map { Float($0) }
      case nil: []
      }
    }
  }
}
