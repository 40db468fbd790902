package import Graph

/// The palette of the tensor's distinct values, which loses nothing: of the fewest bits that tell them
/// apart, so that values must be read to know them.
package struct UniqueScheme: CompressionScheme {
  package var label: String { "unique values" }
  package var isLossless: Bool { true }
  package var fitsEveryWeight: Bool { false }
  package var hasOneScale: Bool { false }
  package var channelUnit: Int { 1 }

  package func validate() {}
  package func fault(of reference: WeightReference) -> TensorRefusal.Fault? { nil }
  package func blocks(of reference: WeightReference) -> [Int] { reference.shape.map { _ in 1 } }

  package func storedBits(_ floats: FloatType) -> Int { 8 * floats.byteCount }

  package func storedBytes(of reference: WeightReference, _ floats: FloatType) -> Int {
    floats.byteCount * reference.elementCount
  }

  package func stored(for reference: WeightReference) -> Scheme { .unique }

  package func peakBytes(of reference: WeightReference, jobs: Int) -> Int {
    7 * reference.elementCount
  }

  package func compress(
    _ values: [Float], _ reference: WeightReference, _ floats: FloatType, importance: Importance?,
    jobs: Int
  ) -> CompressedTensor.Content {
    .palette(Palettizer.unique(values, reference, floats))
  }
}
