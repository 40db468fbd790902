import Graph

extension Pool: ExecutableOperation {
  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    let image = Array(inputs[0].shape[2...]), places = Array(output.shape[2...])
    for plane in 0..<output.shape[0] * output.shape[1] {
      let x = unsafe inputs[0].floats + plane * image[0] * image[1]
      let y = unsafe output.floats + plane * places[0] * places[1]
      if isWhole(image) {
        unsafe y[0] = average(x, count: image[0] * image[1])
        continue
      }
      for row in 0..<places[0] {
        let rows = range(row, axis: 0, image)
        for column in 0..<places[1] {
          unsafe y[row * places[1] + column] = pooled(
            x, rows, range(column, axis: 1, image), width: image[1])
        }
      }
    }
  }

  // Whether the one place of the window is the whole image.
  private func isWhole(_ image: [Int]) -> Bool {
    kind == .average && window == image && steps.isUnpadded
  }

  // Eight sums side by side, then these one after the other.
  private func average(_ x: UnsafePointer<Float>, count: Int) -> Float {
    var sums = SIMD8<Float>()
    var rest: Float = 0
    for first in stride(from: 0, to: count - 7, by: 8) {
      unsafe sums += UnsafeRawPointer(x + first).loadUnaligned(as: SIMD8<Float>.self)
    }
    for i in count / 8 * 8..<count { unsafe rest += x[i] }
    return (sums.sum() + rest) / Float(count)
  }

  // The part of the window at a place that lies inside the image; never empty.
  func range(_ place: Int, axis: Int, _ image: [Int]) -> Range<Int> {
    let first = place * steps.strides[axis] - steps.padding[2 * axis]
    return max(0, first)..<min(image[axis], first + window[axis])
  }

  private func pooled(
    _ x: UnsafePointer<Float>, _ rows: Range<Int>, _ columns: Range<Int>, width: Int
  ) -> Float {
    var result: Float = kind == .max ? -.infinity : 0
    for row in rows {
      for column in columns {
        let value = unsafe x[row * width + column]
        switch kind {
        case .average: result += value
        // NaN on either side stays.
        case .max: if value > result || value != value { result = value }
        }
      }
    }
    return kind == .max ? result : result / Float(rows.count * columns.count)
  }
}
