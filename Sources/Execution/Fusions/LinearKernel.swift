import Graph

/// `linear` fused with the steps after it, which run while its output is still in the cache.
///
/// Reads x, weight, the bias if any, and for `norm` then residual, gamma, beta.
struct LinearKernel: Kernel {
  enum Ending: Sendable {
    /// y = function(x · weight + bias)
    case function(ElementFunction)
    /// y = layer_norm(x · weight + bias + residual)
    case norm(epsilon: Float)
  }

  /// Whether the weight is laid out [in, out] rather than [out, in].
  let isInputMajor: Bool
  let hasBias: Bool
  let ending: Ending

  /// Elements of output that are made before the ending is applied: half of a 1 MB second-level
  /// cache.
  private static let blockCount = 128 * 1024
  /// Fewest rows the matrix product runs well with.
  private static let blockRows = 64

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    let rows = output.type.rowCount, width = output.type.rowWidth, inner = inputs[0].type.rowWidth
    guard output.count > 0 else { return }
    let block =
      context.threads > 1
      ? rows : max(LinearKernel.blockRows, LinearKernel.blockCount / width)
    let weight = unsafe MatrixProduct.Factor(
      inputs[1].floats, rowStride: isInputMajor ? width : inner, isTransposed: !isInputMajor)
    for first in stride(from: 0, to: rows, by: block) {
      let count = min(block, rows - first)
      unsafe try MatrixProduct.multiply(
        MatrixProduct.Factor(inputs[0].floats + first * inner, rowStride: inner), weight,
        into: output.floats + first * width, rows: count, columns: width, inner: inner)
      end(inputs, output, context, first: first, count: count)
    }
  }

  private func end(
    _ inputs: [Tensor], _ output: Tensor, _ context: KernelContext, first: Int, count: Int
  ) {
    let width = output.type.rowWidth
    let y = unsafe output.floats + first * width
    let bias = unsafe hasBias ? UnsafePointer(inputs[2].floats) : nil
    switch ending {
    case .function(let function):
      unsafe context.loops.map(function, y, addingBias: bias, rows: count, width: width)
    case .norm(let epsilon):
      let next = hasBias ? 3 : 2
      unsafe context.loops.norm(
        y, bias: bias, residual: inputs[next].floats + first * width,
        gamma: inputs[next + 1].floats, beta: inputs[next + 2].floats, epsilon: epsilon, into: y,
        rows: count, width: width)
    }
  }
}
