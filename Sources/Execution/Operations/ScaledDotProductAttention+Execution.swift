import Graph

extension ScaledDotProductAttention: ExecutableOperation {
  func scratchCount(_ inputs: [ValueType], _ output: ValueType) -> Int {
    VectorLoops.attentionScratch(keys: inputs[1].shape[2], width: inputs[1].shape[3])
  }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    let query = output.shape, key = inputs[1].shape
    let rows = AttentionHeads.Matrix(
      offset: 0, batchStride: query[1] * query[2] * query[3], headStride: query[2] * query[3],
      rowStride: query[3])
    let keys = AttentionHeads.Matrix(
      offset: 0, batchStride: key[1] * key[2] * key[3], headStride: key[2] * key[3],
      rowStride: key[3])
    AttentionHeads(
      batch: query[0], heads: query[1], queries: query[2], keys: key[2], width: query[3],
      query: rows, key: keys, value: keys, output: rows
    ).run(inputs, output, context)
  }
}
