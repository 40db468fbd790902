import Graph

// Convolution as a matrix product: weight [out, in · h · w] times patches [in · h · w, places].
extension ConvKernel {
  /// One image, group by group, some rows of places at a time.
  func product(
    _ shape: ConvShape, _ image: Int, _ inputs: [Tensor], _ output: Tensor,
    _ context: KernelContext
  ) throws(KernelFault) {
    let block = shape.isPatches ? shape.rows : shape.blockRows
    for group in 0..<shape.groups {
      for first in stride(from: 0, to: shape.rows, by: block) {
        let rows = first..<min(shape.rows, first + block)
        try product(shape, image, group: group, rows, inputs, output, context)
      }
    }
  }

  private func product(
    _ shape: ConvShape, _ image: Int, group: Int, _ rows: Range<Int>, _ inputs: [Tensor],
    _ output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    let channels = shape.channels / shape.groups, first = group * channels
    let plane = shape.image[1] * shape.image[2], count = rows.count * shape.columns
    let source =
      unsafe UnsafePointer(inputs[0].floats)
      + (image * shape.image[0] + group * shape.window[0]) * plane
    let patches = unsafe context.scratch + 2 * shape.channels
    let stride = shape.isPatches ? count : MatrixProduct.rowStride(columns: count)
    if !shape.isPatches { unsafe unfold(source, shape, rows, into: patches, rowStride: stride) }
    let place = (image * shape.channels + first) * shape.places + rows.lowerBound * shape.columns
    let target = unsafe output.floats + place
    try unsafe context.multiply(
      MatrixProduct.Factor(inputs[1].floats + first * shape.inner, rowStride: shape.inner),
      MatrixProduct.Factor(shape.isPatches ? source : UnsafePointer(patches), rowStride: stride),
      into: target, rows: channels, columns: count, inner: shape.inner,
      outputStride: shape.places)
    if hasEnding {
      unsafe context.loops.map(
        function, channels: target, scale: context.scratch + first,
        shift: context.scratch + shape.channels + first, count: channels, width: count,
        stride: shape.places)
    }
    addResidual(
      inputs, to: output, at: place, channels: channels, count: count, stride: shape.places)
  }

  // Row (channel, i, j) of the patches holds the pixel (i, j) of every patch in turn.
  private func unfold(
    _ x: UnsafePointer<Float>, _ shape: ConvShape, _ rows: Range<Int>,
    into patches: UnsafeMutablePointer<Float>, rowStride: Int
  ) {
    let steps = conv.steps
    let height = shape.image[1], width = shape.image[2]
    var target = unsafe patches
    for channel in 0..<shape.window[0] {
      for i in 0..<shape.window[1] {
        for j in 0..<shape.window[2] {
          let left = j * steps.dilations[1] - steps.padding[2]
          for row in rows {
            let y = row * steps.strides[0] + i * steps.dilations[0] - steps.padding[0]
            let line = unsafe (0..<height).contains(y) ? x + (channel * height + y) * width : nil
            unsafe copy(line, width: width, from: left, into: target, count: shape.columns)
            unsafe target += shape.columns
          }
          unsafe target += rowStride - rows.count * shape.columns
        }
      }
    }
  }

  // Every stride-th pixel of a line from `first` on; 0 outside of the line.
  private func copy(
    _ line: UnsafePointer<Float>?, width: Int, from first: Int,
    into target: UnsafeMutablePointer<Float>, count: Int
  ) {
    let stride = conv.steps.strides[1]
    guard let line = unsafe line else { return unsafe target.update(repeating: 0, count: count) }
    let start = min(count, first >= 0 ? 0 : (stride - 1 - first) / stride)
    let end = max(start, min(count, first >= width ? 0 : (width - 1 - first) / stride + 1))
    unsafe target.update(repeating: 0, count: start)
    unsafe (target + end).update(repeating: 0, count: count - end)
    if stride == 1 {
      return unsafe (target + start).update(from: line + (first + start), count: end - start)
    }
    for column in start..<end { unsafe target[column] = line[first + column * stride] }
  }
}
