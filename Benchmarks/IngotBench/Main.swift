import Execution
import Files
import Formats
import Graph
import Inputs

/// Measures sentences, images or texts per second inside one process, as the peers' scripts do: best
/// of several.
///
/// usage: ingot-bench MODEL SENTENCES.jsonl JOBS REPEATS
///        ingot-bench MODEL ROWS.f64 JOBS REPEATS           rows of features, as raw doubles
///        ingot-bench MODEL --encoders JOBS REPEATS         batches of 8 without preparing inputs
@main
enum Main {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let jobs = Int(arguments[3]), let repeats = Int(arguments[4]) else {
      System.write(
        "usage: ingot-bench MODEL SENTENCES.jsonl|ROWS.f64|--encoders JOBS REPEATS\n", to: 2)
      return
    }
    if arguments[2] == "--encoders" {
      for model in try ModelLoader.encoders(of: arguments[1]) {
        let bench = EncoderBench(model: model, jobs: jobs, repeats: repeats)
        System.write(try bench.report() + "\n", to: 1)
      }
      return
    }
    let model = try ModelLoader.open(arguments[1])
    if case .features = model.architecture.input {
      let bench = TreeBench(model: model, jobs: jobs, repeats: repeats)
      System.write(try bench.report(rows: arguments[2]) + "\n", to: 1)
      return
    }
    let fixed = try fixedBatches(model, jobs: jobs, repeats: repeats)
    let sentences = try InputLines.read(arguments[2]).inputs
    let runner = try ModelRunner(model: model, jobs: jobs)
    let mixed = try best(repeats) { _ = try runner.outputs(for: sentences) { _, _ in } }
    System.write(
      """
      {"fixed": \(fixed), "mixedWithTokenising": \(Double(sentences.count) / mixed)}

      """, to: 1)
  }

  /// Sentences per second at one batch of 32 × 128 tokens after the other, tokenising excluded; the
  /// executor gets a batch in parts of 8, as `ModelRunner` hands them on.
  private static func fixedBatches(_ model: Model, jobs: Int, repeats: Int) throws -> Double {
    let parts = 4, rows = 8, length = 128
    let executor = Executor(weights: model.weights, jobs: jobs)
    let ids = (0..<rows * length).map { Int32(1000 + $0 * 7919 % 20000) }
    let mask = [Int32](repeating: 1, count: rows * length)
    let architecture = model.architecture
    let seconds = try best(repeats) {
      _ = try executor.runAll(count: parts) { _ in
        (
          try architecture.graph(batch: rows, length: length),
          ["input_ids": .integers(ids), "attention_mask": .integers(mask)]
        )
      }
    }
    return Double(parts * rows) / seconds
  }

  /// The least seconds of several runs, after one that does not count.
  static func best(_ repeats: Int, _ work: () throws -> Void) throws -> Double {
    try work()
    var minimum = Double.infinity
    for _ in 0..<repeats {
      let start = System.monotonicSeconds()
      try work()
      minimum = min(minimum, System.monotonicSeconds() - start)
    }
    return minimum
  }
}
