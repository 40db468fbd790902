import Execution
import Graph
import WeightCompression
import Weights

/// What some inputs make of a model's layers, and what each layer's output does to the model's.
struct LossProbe {
  let batch: CalibrationSample.Batch
  private let values: [String: [Float]]
  /// One for each direction.
  private let gradients: [[String: [Float]]]

  /// Runs a batch there and back.
  ///
  /// - Parameters:
  ///   - isEmbedding: whether only the direction of an output counts, and not its length.
  ///   - directions: in which its outputs are looked at.
  ///   - seed: of the directions; fewer of one seed are the first of more.
  init(
    _ batch: CalibrationSample.Batch, _ uses: [WeightUse], with executor: Executor,
    isEmbedding: Bool, directions: Int, seed: UInt64
  ) throws {
    let tape = try executor.tape(batch.graph, inputs: batch.inputs)
    let outputs = Set(uses.map(\.output))
    var numbers = SeededNumbers(seed: seed)
    let result = tape.result
    gradients = try (0..<directions).map { _ in
      let seed = LossProbe.seed(
        result, width: result.count / max(1, batch.count), isEmbedding, &numbers)
      return try tape.gradients(of: outputs, seed: seed)
    }
    self.batch = batch
    values = Dictionary(
      Set(uses.map(\.input)).map { ($0, tape[$0]) }
    ) { first, _ in first }
  }

  /// For outputs z [inputs, width] and random signs v the gradient of v · z, or of v · z / |z|.
  private static func seed(
    _ result: [Float], width: Int, _ isEmbedding: Bool, _ numbers: inout SeededNumbers
  ) -> [Float] {
    var seed = result.indices.map { _ in numbers.next() & 1 == 0 ? Float(1) : -1 }
    guard isEmbedding, width > 0 else { return seed }
    for first in stride(from: 0, to: result.count, by: width) {
      let row = first..<first + width
      let square = row.reduce(0.0) { $0 + Double(result[$1]) * Double(result[$1]) }
      let along = row.reduce(0.0) { $0 + Double(result[$1]) * Double(seed[$1]) }
      guard square > 0 else { continue }
      let length = square.squareRoot()
      for i in row {
        seed[i] = Float((Double(seed[i]) - along / square * Double(result[i])) / length)
      }
    }
    return seed
  }

  /// The gradients of a value, one for each direction.
  func gradients(of value: String) -> [[Float]] { gradients.compactMap { $0[value] } }

  /// Adds the change of each input's output in each direction, [inputs, directions], that an error of
  /// a weight makes at one of its uses.
  ///
  /// - Parameter error: has all rows that are looked up, or all of them.
  func add(
    _ error: WeightError, at use: WeightUse, to changes: inout [Double]
  ) throws(CalibrationError) {
    switch use {
    case .product(let layer): try add(error.all, layer, &changes)
    case .lookup(_, let indices, let output):
      add((values[indices] ?? []).flatMap { error.row(Int($0)) }, output, &changes) { $0 }
    }
  }

  /// The rows of a table that are looked up.
  func rows(at uses: [WeightUse]) -> [Int] {
    uses.flatMap { use -> [Int] in
      guard case .lookup(_, let indices, _) = use else { return [] }
      return (values[indices] ?? []).map { Int($0) }
    }
  }

  private func add(
    _ error: [Float], _ layer: CalibratedLayer, _ changes: inout [Double]
  ) throws(CalibrationError) {
    let inputs = values[layer.input] ?? []
    let outputs = layer.weight.channels / layer.groupCount
    let isInputMajor = layer.weight.role.channelAxis == 1
    let size = outputs * layer.inputCount
    for group in 0..<layer.groupCount {
      let rows = layer.patches?.inputs(inputs, group: group) ?? inputs
      let count = rows.count / layer.inputCount
      var moves = [Float](repeating: 0, count: count * outputs)
      do {
        try unsafe moves.withUnsafeMutableBufferPointer { moves in
          try unsafe rows.withUnsafeBufferPointer { rows in
            try unsafe error.withUnsafeBufferPointer { error in
              guard let left = rows.baseAddress, let right = error.baseAddress,
                let target = moves.baseAddress
              else { return }
              try unsafe MatrixProduct.multiply(
                MatrixProduct.Factor(left, rowStride: layer.inputCount),
                MatrixProduct.Factor(
                  right + group * size, rowStride: isInputMajor ? outputs : layer.inputCount,
                  isTransposed: !isInputMajor),
                into: target, rows: count, columns: outputs, inner: layer.inputCount)
            }
          }
        }
      } catch {
        throw CalibrationError(.matrixProduct(status: -1), layer: layer.weight.name)
      }
      add(moves, layer.output, &changes) { gradient in
        layer.patches?.outputs(gradient, group: group) ?? gradient
      }
    }
  }

  /// - Parameter rows: of a gradient, in the order of `moves`.
  private func add(
    _ moves: [Float], _ output: String, _ changes: inout [Double], rows: ([Float]) -> [Float]
  ) {
    let each = moves.count / max(1, batch.count)
    for (probe, gradient) in gradients.enumerated() {
      let gradient = rows(gradient[output] ?? [])
      for input in 0..<batch.count {
        let range = input * each..<(input + 1) * each
        changes[input * gradients.count + probe] += LossProbe.product(gradient, moves, range)
      }
    }
  }

  // Eight sums side by side, each run of a thousand numbers in Float.
  private static func product(_ x: [Float], _ y: [Float], _ range: Range<Int>) -> Double {
    var total = 0.0
    unsafe x.withUnsafeBytes { x in
      unsafe y.withUnsafeBytes { y in
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 1024) {
          let end = min(range.upperBound, start + 1024)
          let whole = start + (end - start) / 8 * 8
          var sums = SIMD8<Float>()
          for place in stride(from: start, to: whole, by: 8) {
            let left = unsafe x.loadUnaligned(fromByteOffset: 4 * place, as: SIMD8<Float>.self)
            sums += unsafe left * y.loadUnaligned(fromByteOffset: 4 * place, as: SIMD8<Float>.self)
          }
          total += Double(sums.sum())
          for place in whole..<end {
            let left = unsafe x.loadUnaligned(fromByteOffset: 4 * place, as: Float.self)
            total += unsafe Double(
              left * y.loadUnaligned(fromByteOffset: 4 * place, as: Float.self))
          }
        }
      }
    }
    return total
  }
}
