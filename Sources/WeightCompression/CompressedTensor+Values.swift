import Graph

extension CompressedTensor {
  /// The values a model computes with, row-major.
  package func dequantized() -> [Float] {
    if case .kept(let values) = content { return values }
    let count = reference.elementCount
    let decoder = Decoder(self)
    return [Float](unsafeUninitializedCapacity: count) { values, initialized in
      decoder.write(0..<count, into: values)
      initialized = count
    }
  }

  /// Of the first values that `dequantized` gives.
  package func checksum(first count: Int) -> ValueChecksum {
    var checksum = ValueChecksum()
    forEachPiece(before: count) { _, piece in checksum.add(piece) }
    return checksum
  }

  /// ‖w − ŵ‖ / ‖w‖ for the values this tensor was made from, and the checksum of ŵ.
  func measured(against values: [Float]) -> (relativeError: Double, checksum: ValueChecksum) {
    var difference = 0.0
    var total = 0.0
    var checksum = ValueChecksum()
    values.withUnsafeBufferPointer { values in
      forEachPiece(before: values.count) { start, piece in
        checksum.add(piece)
        for i in piece.indices {
          let value = Double(values[start + i])
          let error = value - Double(piece[i])
          difference += error * error
          total += value * value
        }
      }
    }
    return (total > 0 ? (difference / total).squareRoot() : 0, checksum)
  }

  /// Calls `body(start, piece)` with the values from flat place `start` on, in order.
  private func forEachPiece(
    before end: Int, _ body: (Int, UnsafeBufferPointer<Float>) -> Void
  ) {
    let decoder = Decoder(self)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: Decoder.chunk) { buffer in
      for start in stride(from: 0, to: end, by: Decoder.chunk) {
        let range = start..<min(start + Decoder.chunk, end)
        decoder.write(range, into: buffer)
        body(start, UnsafeBufferPointer(rebasing: buffer[..<range.count]))
      }
    }
  }
}

/// Turns stored numbers back into values, a piece of a tensor at a time.
private struct Decoder {
  /// Elements decoded at a time; a multiple of eight, so that packed numbers start on bytes.
  static let chunk = 4096

  private let tensor: CompressedTensor
  private let layout: RunLayout
  /// Palette entries as a model computes with them.
  private let entries: [Float]
  /// Elements of a tensor that lie between neighbours along the channel axis.
  private let channelStride: Int

  init(_ tensor: CompressedTensor) {
    self.tensor = tensor
    layout = tensor.layout
    if case .palette(let codes) = tensor.content {
      entries = codes.floats(tensor.floats)
    } else {
      entries = []
    }
    channelStride = tensor.shape.dropFirst(tensor.role.channelAxis + 1).reduce(1, *)
  }

  /// Writes the values of a flat range that starts on a chunk to the start of `output`.
  func write(_ range: Range<Int>, into output: UnsafeMutableBufferPointer<Float>) {
    var start = range.lowerBound
    while start < range.upperBound {
      let part = start..<min(start + Self.chunk, range.upperBound)
      let target = UnsafeMutableBufferPointer(
        rebasing: output[(start - range.lowerBound)..<(part.upperBound - range.lowerBound)])
      switch tensor.content {
      case .kept(let values): for i in part { target[i - start] = values[i] }
      case .linear(let codes): scale(part, codes, into: target)
      case .palette(let codes) where codes.width == 1: lookUp(part, codes, into: target)
      case .palette(let codes): lookUpVectors(part, codes, into: target)
      }
      start = part.upperBound
    }
  }

  private func scale(
    _ range: Range<Int>, _ codes: LinearCodes, into output: UnsafeMutableBufferPointer<Float>
  ) {
    let scheme = LinearScheme(codes.integers, mode: codes.mode, granularity: .perTensor)
    let fixed = scheme.fixedOffset ?? 0
    withUnpacked(codes.packed, bits: codes.integers.bits, range) { unpacked in
      let shift = 8 - codes.integers.bits
      layout.forEachRun(in: range) { group, run in
        let scale = codes.scales[group]
        let offset = Int32(codes.offsets.isEmpty ? fixed : Int(codes.offsets[group]))
        if codes.integers.isSigned {
          for i in run {
            let code = Int8(bitPattern: unpacked[i - range.lowerBound] &<< shift) &>> shift
            output[i - range.lowerBound] = scale * Float(Int32(code) &- offset)
          }
        } else {
          for i in run {
            let code = Int32(unpacked[i - range.lowerBound])
            output[i - range.lowerBound] = scale * Float(code &- offset)
          }
        }
      }
    }
    // A loader multiplies in Float and rounds the product to the scale's type.
    tensor.floats.round(output)
  }

  private func lookUp(
    _ range: Range<Int>, _ codes: PaletteCodes, into output: UnsafeMutableBufferPointer<Float>
  ) {
    withUnpacked(codes.indices, bits: codes.bits, range) { unpacked in
      entries.withUnsafeBufferPointer { entries in
        layout.forEachRun(in: range) { group, run in
          let base = group << codes.bits
          for i in run {
            output[i - range.lowerBound] = entries[base + Int(unpacked[i - range.lowerBound])]
          }
        }
      }
    }
  }

  // Elements of one vector lie `channelStride` apart.
  private func lookUpVectors(
    _ range: Range<Int>, _ codes: PaletteCodes, into output: UnsafeMutableBufferPointer<Float>
  ) {
    let span = channelStride * codes.width
    let first = range.lowerBound / span * channelStride / 8 * 8
    let last = (range.upperBound + span - 1) / span * channelStride
    withUnpacked(codes.indices, bits: codes.bits, first..<last) { unpacked in
      layout.forEachRun(in: range) { group, run in
        let base = group << codes.bits
        for i in run {
          let index = i / span * channelStride + i % channelStride
          let entry = base + Int(unpacked[index - first])
          output[i - range.lowerBound] =
            entries[entry * codes.width + i % span / channelStride]
        }
      }
    }
  }

  private func withUnpacked(
    _ packed: [UInt8], bits: Int, _ range: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: range.count) { unpacked in
      packed.withUnsafeBufferPointer {
        BitPacking.unpack($0, bits: bits, range, into: unpacked)
      }
      if let base = unpacked.baseAddress { body(UnsafePointer(base)) }
    }
  }
}
