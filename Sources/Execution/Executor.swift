package import Graph
import CDNNL
import Synchronization
import Glibc

package enum InputValues: Sendable { case integers([Int32]); case floats([Float]) }

package struct ExecutionError: Error, CustomStringConvertible {
  package let description: String
}

package final class Executor: Sendable {
  private let source: any WeightSource
  private let cache = Mutex<[String: [Float]]>([:])
  package init(weights: any WeightSource, jobs: Int) { source = weights }

  private func weight(_ reference: WeightReference) throws -> [Float] {
    if let values = cache.withLock({ $0[reference.name] }) { return values }
    let values = try source.floats(of: reference.name)
    cache.withLock { $0[reference.name] = values }
    return values
  }

  package func runAll(
    count: Int, _ make: @Sendable (Int) throws -> (ModelGraph, [String: InputValues])
  ) throws -> [[Float]] {
    try (0..<count).map {
      let (graph, inputs) = try make($0); return try run(graph, inputs: inputs)
    }
  }

  package func run(_ graph: ModelGraph, inputs: [String: InputValues]) throws -> [Float] {
    var values: [String: [Float]] = [:]
    var types: [String: ValueType] = [:]
    for input in graph.inputs {
      guard let given = inputs[input.name] else { throw ExecutionError(description: "missing") }
      switch given {
      case .integers(let v): values[input.name] = v.map { Float($0) }
      case .floats(let v): values[input.name] = v
      }
      types[input.name] = input.type
    }
    func get(_ operand: Operand) throws -> ([Float], [Int]) {
      switch operand {
      case .value(let n): return (values[n]!, types[n]!.shape)
      case .weight(let r): return (try weight(r), r.shape)
      case .literal(.floats(let v, let s)): return (v, s)
      case .literal(.integers(let v, let s)): return (v.map { Float($0) }, s)
      }
    }
    for node in graph.nodes {
      let ins = try node.operation.operands.map { try get($0.operand) }
      values[node.name] = try apply(node, ins)
      types[node.name] = node.type
    }
    return values[graph.output]!
  }

  private func apply(_ node: ModelGraph.Node, _ i: [([Float], [Int])]) throws -> [Float] {
    let count = node.type.elementCount
    func broadcastIndex(_ shape: [Int], _ out: [Int]) -> [Int] {
      var idx = [Int](repeating: 0, count: out.reduce(1, *))
      var strides = [Int](repeating: 0, count: out.count)
      var s = 1
      for d in stride(from: shape.count - 1, through: 0, by: -1) {
        let o = d + out.count - shape.count
        strides[o] = shape[d] == 1 ? 0 : s
        s *= shape[d]
      }
      var block = idx.count
      for d in out.indices {
        block /= max(out[d], 1)
        if strides[d] == 0 { continue }
        for k in idx.indices { idx[k] += (k / block % out[d]) * strides[d] }
      }
      return idx
    }
    switch node.operation {
    case let o as ElementwiseBinary:
      let a = i[0].0, b = i[1].0
      let ia = broadcastIndex(i[0].1, node.type.shape), ib = broadcastIndex(i[1].1, node.type.shape)
      return (0..<count).map {
        let x = a[ia[$0]], y = b[ib[$0]]
        switch o.kind {
        case .add: return x + y
        case .sub: return x - y
        case .mul: return x * y
        case .realDivision: return x / y
        case .maximum: return x.isNaN || y.isNaN ? .nan : max(x, y)
        }
      }
    case let o as ElementwiseUnary:
      return i[0].0.map {
        switch o.kind {
        case .relu: return $0.isNaN ? $0 : max($0, 0)
        case .sigmoid: return 1 / (1 + exp(-$0))
        case .tanh: return tanh($0)
        }
      }
    case let o as Gelu:
      return i[0].0.map {
        switch o.mode {
        case .exact: return 0.5 * $0 * (1 + erf($0 / Float(2).squareRoot()))
        case .tanhApproximation:
          return 0.5 * $0 * (1 + tanh(0.7978845608 * ($0 + 0.044715 * $0 * $0 * $0)))
        case .sigmoidApproximation: return $0 / (1 + exp(-1.702 * $0))
        }
      }
    case is Linear:
      let k = i[0].1.last!, n = i[1].1[0], m = count / n
      var out = [Float](repeating: 0, count: count)
      _ = unsafe dnnl_sgemm(
        78, 84, Int64(m), Int64(n), Int64(k), 1, i[0].0, Int64(k), i[1].0, Int64(k), 0, &out,
        Int64(n))
      if i.count == 3 { for r in 0..<m { for c in 0..<n { out[r * n + c] += i[2].0[c] } } }
      return out
    case let o as Matmul where !o.transposeX && !o.transposeY && i[1].1.count == 2:
      let k = i[0].1.last!, n = i[1].1[1], m = count / n
      var out = [Float](repeating: 0, count: count)
      for r in 0..<m {
        for c in 0..<n {
          for q in 0..<k { out[r * n + c] += i[0].0[r * k + q] * i[1].0[q * n + c] }
        }
      }
      return out
    case let o as LayerNorm:
      let w = i[0].1.last!
      var out = i[0].0
      for r in 0..<(count / w) {
        let row = out[r * w..<(r + 1) * w]
        let mean = row.reduce(0, +) / Float(w)
        let variance = row.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(w)
        let f = 1 / (variance + o.epsilon).squareRoot()
        for c in 0..<w { out[r * w + c] = (out[r * w + c] - mean) * f * i[1].0[c] + i[2].0[c] }
      }
      return out
    case is Softmax:
      let w = i[0].1.last!
      var out = i[0].0
      for r in 0..<(count / w) {
        let top = out[r * w..<(r + 1) * w].max()!
        var sum: Float = 0
        for c in r * w..<(r + 1) * w { out[c] = exp(out[c] - top); sum += out[c] }
        for c in r * w..<(r + 1) * w { out[c] /= sum }
      }
      return out
    case is Gather:
      let row = i[0].1.dropFirst().reduce(1, *)
      return try i[1].0.flatMap { (v: Float) throws -> ArraySlice<Float> in
        let k = Int(v)
        guard k >= 0, k < i[0].1[0] else { throw ExecutionError(description: "index \(k)") }
        return i[0].0[k * row..<(k + 1) * row]
      }
    case is Reshape, is ExpandDims, is Cast: return i[0].0
    case let o as Transpose:
      let shape = i[0].1
      var strides = [Int](repeating: 1, count: shape.count)
      for d in stride(from: shape.count - 2, through: 0, by: -1) {
        strides[d] = strides[d + 1] * shape[d + 1]
      }
      var out: [Float] = []; out.reserveCapacity(count)
      func go(_ d: Int, _ base: Int) {
        if d == shape.count { out.append(i[0].0[base]); return }
        let axis = o.permutation[d]
        for k in 0..<shape[axis] { go(d + 1, base + k * strides[axis]) }
      }
      go(0, 0)
      return out
    case let o as SliceByIndex:
      let shape = i[0].1
      var out: [Float] = []
      func go(_ d: Int, _ base: Int) {
        if d == shape.count { out.append(i[0].0[base]); return }
        for k in o.begin[d]..<o.end[d] { go(d + 1, base * shape[d] + k) }
      }
      go(0, 0)
      return out
    case let o as Reduce:
      let shape = i[0].1, outer = shape[..<o.axis].reduce(1, *),
        inner = shape[(o.axis + 1)...].reduce(1, *)
      var out = [Float](repeating: 0, count: count)
      for a in 0..<outer {
        for b in 0..<inner {
          let v = (0..<shape[o.axis]).map { i[0].0[(a * shape[o.axis] + $0) * inner + b] }
          switch o.kind {
          case .sum: out[a * inner + b] = v.reduce(0, +)
          case .max: out[a * inner + b] = v.max()!
          case .l2Norm: out[a * inner + b] = v.reduce(0) { $0 + $1 * $1 }.squareRoot()
          }
        }
      }
      return out
    case is Select:
      let s = node.type.shape
      let ic = broadcastIndex(i[0].1, s), ia = broadcastIndex(i[1].1, s),
        ib = broadcastIndex(i[2].1, s)
      return (0..<count).map { i[0].0[ic[$0]] != 0 ? i[1].0[ia[$0]] : i[2].0[ib[$0]] }
    case is ScaledDotProductAttention:
      let q = i[0].1, s = q[2], d = q[3], a = q[1]
      var out = [Float](repeating: 0, count: count)
      let mask = broadcastIndex(i[3].1, [q[0], q[1], s, s])
      for bh in 0..<(q[0] * a) {
        for r in 0..<s {
          var scores = (0..<s).map { c -> Float in
            var sum: Float = 0
            for e in 0..<d { sum += i[0].0[(bh * s + r) * d + e] * i[1].0[(bh * s + c) * d + e] }
            return sum / Float(d).squareRoot() + i[3].0[mask[(bh * s + r) * s + c]]
          }
          let top = scores.max()!
          var total: Float = 0
          for c in 0..<s { scores[c] = exp(scores[c] - top); total += scores[c] }
          for c in 0..<s {
            for e in 0..<d {
              out[(bh * s + r) * d + e] += scores[c] / total * i[2].0[(bh * s + c) * d + e]
            }
          }
        }
      }
      return out
    default: throw ExecutionError(description: "operation \(node.operation.milName)")
    }
  }
}
