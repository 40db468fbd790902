import ArgumentParser
import WeightCompression

/// How to compress, as users say it.
struct CompressionFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "int8, palettize (k-means palettes, always the exact optimum), or none.",
      discussion: """
        Measured on all-MiniLM-L6-v2 (22.7 M weights, 90.9 MB): int8 per channel keeps a mean \
        cosine of 0.9996 at 24 MB; 4-bit palettes per tensor 0.953 at 13 MB; 3-bit palettes do not \
        pass any profile of the gate.
        """,
      valueName: "scheme"))
  var scheme = "int8"

  @Option(help: ArgumentHelp("Bits of a palette index: 1, 2, 3, 4, 6 or 8.", valueName: "n"))
  var bits: Int?

  @Option(
    help: ArgumentHelp(
      "per-tensor, per-channel (int8) or per-group (palettes).", valueName: "granularity"))
  var granularity: String?

  @Option(help: ArgumentHelp("Output channels that share a palette.", valueName: "n"))
  var groupSize: Int?

  func options(floats: FloatWidth = .float32) throws -> CompressionOptions {
    try CompressionOptions(
      scheme: scheme, bits: bits, granularity: granularity, groupSize: groupSize, floats: floats)
  }

  func validate() throws {
    do {
      _ = try options()
    } catch {
      throw ValidationError("\(error)")
    }
  }
}
