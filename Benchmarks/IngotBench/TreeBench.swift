import Execution
import Files
import Graph
import Weights

/// Measures rows per second of a model of trees, reading the rows not included.
struct TreeBench {
  private static let batchRows = 256

  let model: Model
  let jobs: Int
  let repeats: Int

  /// One line of JSON.
  ///
  /// - Parameter path: raw doubles, as many for each row as the model has features.
  func report(rows path: String) throws -> String {
    let graph = try model.graph(batch: Self.batchRows, length: 1)
    let width = graph.inputs[0].type.shape[1]
    let rows = try read(path)
    let count = rows.count / width
    let batches = stride(from: 0, to: count, by: Self.batchRows).map { start in
      let end = min(start + Self.batchRows, count)
      let values = Array(rows[start * width..<end * width])
      return (
        rows: end - start,
        values: graph.inputs[0].type.scalar == .float64
          ? InputValues.doubles(values) : .floats(values.map { Float($0) })
      )
    }
    let executor = Executor(weights: model.weights, jobs: jobs)
    let model = model
    let seconds = try Main.best(repeats) {
      _ = try executor.runAll(count: batches.count) { index in
        let batch = batches[index]
        return (try model.graph(batch: batch.rows, length: 1), ["features": batch.values])
      }
    }
    return "{\"rows\": \(count), \"seconds\": \(seconds)}"
  }

  private func read(_ path: String) throws -> [Double] {
    let file = try MappedFile(path: path)
    return file.withBytes { bytes in
      stride(from: 0, to: bytes.byteCount, by: 8).map {
        Double(bitPattern: bytes.littleEndian(at: $0, as: UInt64.self))
      }
    }
  }
}
