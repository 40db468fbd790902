import CKernels
import Glibc
import TestSupport
import Testing

@testable import Execution

/// The loops over rows against their plain Swift twins, for every instruction set.
struct LoopTests {
  static let widths = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 67, 384]

  private static func norm(_ rows: [[Double]], _ gamma: [Float], _ beta: [Float]) -> [Float] {
    rows.flatMap { row -> [Float] in
      let mean = row.reduce(0, +) / Double(row.count)
      let variance = row.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(row.count)
      return row.indices.map {
        Float(
          (row[$0] - mean) / (variance + 1e-5).squareRoot() * Double(gamma[$0]) + Double(beta[$0]))
      }
    }
  }

  @Test(arguments: FunctionTests.instructionSets, widths)
  func normAddsWhatIsGiven(_ instructionSet: String, _ width: Int) throws {
    let loops = try #require(VectorLoops(named: instructionSet))
    var generator = SeededGenerator(seed: UInt64(width))
    let rows = 3
    let x = generator.floats(rows * width), residual = generator.floats(rows * width)
    let bias = generator.floats(width), gamma = generator.floats(width)
    let beta = generator.floats(width)
    for (hasBias, hasResidual) in [(false, false), (true, false), (false, true), (true, true)] {
      let sums = (0..<rows).map { row in
        (0..<width).map { column -> Double in
          let place = row * width + column
          return Double(x[place]) + (hasBias ? Double(bias[column]) : 0)
            + (hasResidual ? Double(residual[place]) : 0)
        }
      }
      // In place, as the executor uses it.
      var y = x
      y.withUnsafeMutableBufferPointer { y in
        bias.withUnsafeBufferPointer { bias in
          residual.withUnsafeBufferPointer { residual in
            guard let base = y.baseAddress else { return }
            loops.norm(
              base, bias: hasBias ? bias.baseAddress : nil,
              residual: hasResidual ? residual.baseAddress : nil, gamma: gamma, beta: beta,
              epsilon: 1e-5, into: base, rows: rows, width: width)
          }
        }
      }
      #expect(difference(y, Self.norm(sums, gamma, beta)) < 1e-4)
    }
  }

  @Test(arguments: FunctionTests.instructionSets, widths)
  func softmaxSumsToOne(_ instructionSet: String, _ width: Int) throws {
    let loops = try #require(VectorLoops(named: instructionSet))
    var generator = SeededGenerator(seed: UInt64(width))
    let x = generator.floats(width, range: 30)
    var y = x
    y.withUnsafeMutableBufferPointer { y in
      if let base = y.baseAddress { loops.softmax(base, into: base, rows: 1, width: width) }
    }
    let greatest = Double(x.max() ?? 0)
    let exponentials = x.map { exp(Double($0) - greatest) }
    let sum = exponentials.reduce(0, +)
    #expect(difference(y, exponentials.map { Float($0 / sum) }) < 1e-6)
  }

  @Test(arguments: FunctionTests.instructionSets, widths)
  func biasIsAddedToEachRow(_ instructionSet: String, _ width: Int) throws {
    let loops = try #require(VectorLoops(named: instructionSet))
    var generator = SeededGenerator(seed: UInt64(width))
    let x = generator.floats(2 * width), bias = generator.floats(width)
    var y = x
    y.withUnsafeMutableBufferPointer { y in
      bias.withUnsafeBufferPointer { bias in
        guard let base = y.baseAddress else { return }
        loops.map(.relu, base, addingBias: bias.baseAddress, rows: 2, width: width)
      }
    }
    #expect(y == x.indices.map { max(0, x[$0] + bias[$0 % width]) })
  }

  struct Head: CustomTestStringConvertible, Sendable {
    let queries: Int
    let keys: Int
    let width: Int
    var testDescription: String { "\(queries) × \(keys) × \(width)" }
  }

  static let heads = [
    Head(queries: 1, keys: 1, width: 1), Head(queries: 5, keys: 3, width: 2),
    Head(queries: 6, keys: 16, width: 16), Head(queries: 7, keys: 17, width: 32),
    Head(queries: 13, keys: 64, width: 33), Head(queries: 12, keys: 65, width: 64),
    Head(queries: 19, keys: 128, width: 31), Head(queries: 2, keys: 200, width: 48),
  ]

  /// softmax(q · kᵀ · scale + mask) · v in Double; rows lie `stride` apart.
  private static func attention(
    _ head: Head, stride: Int, _ q: [Float], _ k: [Float], _ v: [Float], _ mask: [Float]
  ) -> [Float] {
    (0..<head.queries).flatMap { row -> [Float] in
      let scores = (0..<head.keys).map { key in
        (0..<head.width).reduce(0.0) {
          $0 + Double(q[row * stride + $1]) * Double(k[key * stride + $1])
        } * 0.25 + Double(mask[key])
      }
      let greatest = scores.max() ?? 0
      let weights = scores.map { exp($0 - greatest) }
      let sum = weights.reduce(0, +)
      return (0..<head.width).map { column in
        Float(
          (0..<head.keys).reduce(0.0) { $0 + weights[$1] * Double(v[$1 * stride + column]) } / sum)
      }
    }
  }

  @Test(arguments: FunctionTests.instructionSets, heads)
  func attentionReadsRowsWhereTheyLie(_ instructionSet: String, _ head: Head) throws {
    let loops = try #require(VectorLoops(named: instructionSet))
    var generator = SeededGenerator(seed: 9)
    let stride = head.width + 3
    let q = generator.floats(head.queries * stride), k = generator.floats(head.keys * stride)
    let v = generator.floats(head.keys * stride), mask = generator.floats(head.keys, range: 3)
    var y = [Float](repeating: 7, count: head.queries * stride)
    // Scratch is full of NaN: what is used must have been written.
    var scratch = [Float](
      repeating: .nan, count: VectorLoops.attentionScratch(keys: head.keys, width: head.width))
    y.withUnsafeMutableBufferPointer { y in
      scratch.withUnsafeMutableBufferPointer { scratch in
        q.withUnsafeBufferPointer { q in
          k.withUnsafeBufferPointer { k in
            v.withUnsafeBufferPointer { v in
              mask.withUnsafeBufferPointer { mask in
                guard let q = q.baseAddress, let k = k.baseAddress, let v = v.baseAddress,
                  let y = y.baseAddress, let mask = mask.baseAddress,
                  let scratch = scratch.baseAddress
                else { return }
                loops.attention(
                  ingot_attention(
                    query: q, key: k, value: v, output: y, mask: mask, scratch: scratch,
                    query_stride: stride, key_stride: stride, value_stride: stride,
                    output_stride: stride, mask_row_stride: 0, mask_column_stride: 1,
                    query_count: head.queries, key_count: head.keys, width: head.width,
                    scale: 0.25))
              }
            }
          }
        }
      }
    }
    let found = (0..<head.queries).flatMap { y[$0 * stride..<$0 * stride + head.width] }
    #expect(difference(found, Self.attention(head, stride: stride, q, k, v, mask)) < 2e-6)
    let between = (0..<head.queries).flatMap { y[($0 * stride + head.width)..<($0 + 1) * stride] }
    #expect(!between.contains { $0 != 7 })
  }
}
