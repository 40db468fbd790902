import CKernels
import Graph

/// Runs attention for every head of a batch, for any layout of the heads' rows.
struct AttentionHeads {
  /// The layout of one operand's rows, in elements.
  struct Matrix: Sendable {
    /// The first row of the first head.
    let offset: Int
    let batchStride: Int
    let headStride: Int
    let rowStride: Int

    func place(_ batch: Int, _ head: Int) -> Int {
      offset + batch * batchStride + head * headStride
    }
  }

  let batch: Int
  let heads: Int
  let queries: Int
  let keys: Int
  let width: Int
  let query: Matrix
  let key: Matrix
  let value: Matrix
  let output: Matrix

  /// - Parameter inputs: query, key, value, and the mask if there is one, which broadcasts to
  ///   [batch, heads, queries, keys].
  func run(_ inputs: [Tensor], _ result: Tensor, _ context: KernelContext) {
    guard result.count > 0, keys > 0 else {
      return unsafe result.floats.update(repeating: 0, count: result.count)
    }
    let mask = inputs.count == 4 ? Broadcast.strides(of: inputs[3].shape, rank: 4) : [0, 0, 0, 0]
    let masks = unsafe inputs.count == 4 ? UnsafePointer(inputs[3].floats) : nil
    for index in 0..<batch {
      for head in 0..<heads {
        unsafe context.loops.attention(
          ingot_attention(
            query: inputs[0].floats + query.place(index, head),
            key: inputs[1].floats + key.place(index, head),
            value: inputs[2].floats + value.place(index, head),
            output: result.floats + output.place(index, head),
            mask: masks.map { unsafe $0 + index * mask[0] + head * mask[1] },
            scratch: context.scratch,
            query_stride: query.rowStride, key_stride: key.rowStride,
            value_stride: value.rowStride, output_stride: output.rowStride,
            mask_row_stride: mask[2], mask_column_stride: mask[3], query_count: queries,
            key_count: keys, width: width, scale: 1 / Float(width).squareRoot()))
      }
    }
  }
}
