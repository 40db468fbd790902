import Graph

/// Values of indices into palettes.
struct PaletteDecoder: ValueDecoder {
  private let codes: PaletteCodes
  private let layout: RunLayout
  /// Palette entries as a model computes with them.
  private let entries: [Float]
  /// Elements of a tensor between neighbours along the channel axis.
  private let channelStride: Int

  init(_ codes: PaletteCodes, _ reference: WeightReference, _ floats: FloatType) {
    self.codes = codes
    layout = RunLayout(shape: reference.shape, blocks: codes.blocks)
    entries = codes.floats(floats)
    channelStride = reference.shape.dropFirst(reference.role.channelAxis + 1).reduce(1, *)
  }

  func write(_ range: Range<Int>, into output: UnsafeMutableBufferPointer<Float>) {
    if codes.width == 1 {
      unsafe lookUp(range, into: output)
    } else {
      unsafe lookUpVectors(range, into: output)
    }
  }

  private func lookUp(
    _ range: Range<Int>, into output: UnsafeMutableBufferPointer<Float>
  ) {
    unsafe BitPacking.withUnpacked(codes.indices, bits: codes.bits, range) { unpacked in
      unsafe entries.withUnsafeBufferPointer { entries in
        layout.forEachRun(in: range) { group, run in
          let base = group << codes.bits
          for i in run {
            unsafe output[i - range.lowerBound] =
              entries[base + Int(unpacked[i - range.lowerBound])]
          }
        }
      }
    }
  }

  // Elements of one vector are `channelStride` apart.
  private func lookUpVectors(
    _ range: Range<Int>, into output: UnsafeMutableBufferPointer<Float>
  ) {
    let span = channelStride * codes.width
    let first = range.lowerBound / span * channelStride / 8 * 8
    let last = (range.upperBound + span - 1) / span * channelStride
    unsafe BitPacking.withUnpacked(codes.indices, bits: codes.bits, first..<last) { unpacked in
      layout.forEachRun(in: range) { group, run in
        let base = group << codes.bits
        for i in run {
          let index = i / span * channelStride + i % channelStride
          let entry = unsafe base + Int(unpacked[index - first])
          unsafe output[i - range.lowerBound] =
            entries[entry * codes.width + i % span / channelStride]
        }
      }
    }
  }
}
