import Execution
import Graph

/// Measures the encoders of a model on batches of 8, as the peer's script does; preparing the inputs
/// is not in it.
struct EncoderBench {
  // A batch goes to the executor in parts, one thread each, as `ModelRunner` hands them on.
  private static let parts = 2, rows = 4

  let model: Model
  let jobs: Int
  let repeats: Int

  /// One line of JSON: images per second, or texts per second: of 128 tokens, or, where no token can
  /// be hidden, of the greatest length and, as nothing behind the end token is seen, of a fifth of it.
  func report() throws -> String {
    let fields = try lengths.map { name, length in
      let value = try perSecond(length: length)
      return "\"\(name)\": \((value * 100).rounded() / 100)"
    }
    let kind = model.architecture.encoder?.rawValue ?? "encoder"
    return "{\"\(kind)\": {\(fields.joined(separator: ", "))}}"
  }

  private var lengths: [(name: String, length: Int)] {
    guard case .tokens(let longest, _) = model.architecture.input else { return [("perSecond", 1)] }
    guard model.architecture.endToken != nil else { return [("perSecond", min(longest, 128))] }
    return [("perSecond", longest), ("perSecondOf\(longest / 5)", longest / 5)]
  }

  private func perSecond(length: Int) throws -> Double {
    let executor = Executor(weights: model.weights, jobs: jobs)
    let architecture = model.architecture
    let values = [
      values(length: length), .integers([Int32](repeating: 1, count: Self.rows * length)),
    ]
    let seconds = try Main.best(repeats) {
      _ = try executor.runAll(count: Self.parts) { _ in
        let graph = try architecture.graph(batch: Self.rows, length: length)
        let inputs = zip(graph.inputs.map(\.name), values)
        return (graph, Dictionary(inputs) { first, _ in first })
      }
    }
    return Double(Self.parts * Self.rows) / seconds
  }

  /// Rows of pixels, or of ids whose last is the end token.
  private func values(length: Int) -> InputValues {
    if case .image(let width, let height) = model.architecture.input {
      return .floats((0..<Self.rows * 3 * width * height).map { Float($0 * 7919 % 256) })
    }
    let last = model.architecture.endToken ?? 0
    return .integers(
      (0..<Self.rows * length).map {
        $0 % length == length - 1 ? last : Int32(1000 + $0 * 7919 % 20000)
      })
  }
}
