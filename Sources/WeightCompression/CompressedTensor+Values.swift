import Graph

extension CompressedTensor {
  /// The values a model computes with, row-major.
  package func dequantized() -> [Float] {
    if case .kept(let values) = content { return values }
    let count = reference.elementCount
    return [Float](unsafeUninitializedCapacity: count) { values, initialized in
      dequantize(0..<count, layout, into: values)
      initialized = count
    }
  }

  /// Whether these are the values a model computes with, bit for bit; of a weight that is cut to its
  /// first rows, their values.
  package func holds(_ values: [Float]) -> Bool {
    guard values.count <= reference.elementCount else { return false }
    let layout = layout
    return withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.chunk) { buffer in
      stride(from: 0, to: values.count, by: Self.chunk).allSatisfy { start in
        let range = start..<min(start + Self.chunk, values.count)
        dequantize(range, layout, into: buffer)
        return values.withUnsafeBufferPointer { values in
          range.allSatisfy { values[$0].bitPattern == buffer[$0 - start].bitPattern }
        }
      }
    }
  }

  /// ‖w − ŵ‖ / ‖w‖ for the values this tensor was made from.
  func relativeError(of values: [Float]) -> Double {
    if case .kept = content, floats == .float32 { return 0 }
    var difference = 0.0
    var total = 0.0
    let layout = layout
    withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.chunk) { buffer in
      for start in stride(from: 0, to: values.count, by: Self.chunk) {
        let range = start..<min(start + Self.chunk, values.count)
        dequantize(range, layout, into: buffer)
        values.withUnsafeBufferPointer { values in
          for i in range {
            let value = Double(values[i])
            let error = value - Double(buffer[i - start])
            difference += error * error
            total += value * value
          }
        }
      }
    }
    return total > 0 ? (difference / total).squareRoot() : 0
  }

  /// Elements dequantised at a time; a multiple of eight, so that packed indices start on bytes.
  private static let chunk = 4096

  /// Writes the values of a flat range to the start of `output`.
  private func dequantize(
    _ range: Range<Int>, _ layout: RunLayout, into output: UnsafeMutableBufferPointer<Float>
  ) {
    switch content {
    case .kept(let values):
      for i in range { output[i - range.lowerBound] = values[i] }
    case .int8(let codes, let scales):
      codes.withUnsafeBufferPointer { codes in
        layout.forEachRun(in: range) { group, run in
          let scale = scales[group]
          for i in run { output[i - range.lowerBound] = scale * Float(codes[i]) }
        }
      }
      // A loader multiplies in Float and rounds the product to the scale's type.
      floats.round(UnsafeMutableBufferPointer(rebasing: output[..<range.count]))
    case .palette(let indices, let bits, let palettes, _):
      var start = range.lowerBound
      while start < range.upperBound {
        let part = start..<min(start + Self.chunk, range.upperBound)
        let target = UnsafeMutableBufferPointer(rebasing: output[(start - range.lowerBound)...])
        lookUp(part, indices, bits, palettes, layout, into: target)
        start = part.upperBound
      }
    }
  }

  private func lookUp(
    _ range: Range<Int>, _ indices: [UInt8], _ bits: Int, _ palettes: [Float],
    _ layout: RunLayout, into output: UnsafeMutableBufferPointer<Float>
  ) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: range.count) { unpacked in
      indices.withUnsafeBufferPointer {
        BitPacking.unpack($0, bits: bits, range, into: unpacked)
      }
      palettes.withUnsafeBufferPointer { palettes in
        layout.forEachRun(in: range) { group, run in
          let base = group << bits
          for i in run {
            let index = i - range.lowerBound
            output[index] = palettes[base + Int(unpacked[index])]
          }
        }
      }
    }
  }
}
