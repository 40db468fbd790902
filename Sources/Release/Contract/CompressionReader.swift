import Graph
import Packaging
import WeightCompression

/// Reads how a model is compressed: one recipe, or one for each of its encoders.
struct CompressionReader {
  /// Type of the floats that the format stores.
  let floats: FloatWidth
  /// The one encoder that ships; nil when all do.
  let encoder: EncoderKind?

  /// The recipe, or the recipes; nil when there is a fault, which is noted.
  ///
  /// - Parameter section: what stands under `compress`.
  func read(_ section: ContractSection) -> CompressionTerms? {
    let kinds = EncoderKind.allCases.map(\.rawValue)
    guard section.entries.contains(where: { kinds.contains($0.key.value) }) else {
      return options(section).map { .one($0) }
    }
    section.allowOnly(kinds)
    guard let encoder else {
      let (image, text) = (options(of: .image, in: section), options(of: .text, in: section))
      return image.flatMap { image in text.map { .each(image: image, text: $0) } }
    }
    let other = encoder.other.rawValue
    if let extra = section.entries.first(where: { $0.key.value == other }) {
      section.fault(
        .badCompression, extra.key.place,
        "a recipe for the \(other) encoder stands here, 'encoder' is \(encoder.rawValue)",
        hint: "remove '\(other)', or 'encoder' to ship both")
    }
    return options(of: encoder, in: section).map { .one($0) }
  }

  private func options(
    of encoder: EncoderKind, in section: ContractSection
  ) -> CompressionOptions? {
    let word = encoder.rawValue
    return section.section(
      word,
      mend: "say how to compress the \(word) encoder: '\(word): {scheme: int8}'; to ship the "
        + "\(encoder.other.rawValue) encoder alone, add 'encoder: \(encoder.other.rawValue)'"
    ).flatMap(options)
  }

  private func options(_ section: ContractSection) -> CompressionOptions? {
    section.allowOnly(["scheme", "bits", "granularity", "groupSize"])
    let before = section.log.faults.errorCount
    let scheme = section.string("scheme", mend: "choose 'int8' or 'palettize'")
    let bits = section.optionalInteger("bits")
    let granularity = section.optionalString("granularity")
    let groupSize = section.optionalInteger("groupSize")
    guard let scheme, section.log.faults.errorCount == before else { return nil }
    do throws(CompressionError) {
      return try CompressionOptions(
        scheme: scheme.value, bits: bits, granularity: granularity?.value, groupSize: groupSize,
        floats: floats)
    } catch {
      section.fault(.badCompression, scheme.place, error.description)
      return nil
    }
  }
}
