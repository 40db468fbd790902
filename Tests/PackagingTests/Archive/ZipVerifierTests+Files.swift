@testable import Packaging

/// Sound zip archives of files that do not make a package.
extension ZipVerifierTests {
  private static func entry(_ path: String, _ content: [UInt8]) throws -> Tarball.Entry {
    try Tarball.Entry(path, content, time: try Sample.time(1_795_219_200))
  }

  static let files = [
    Case(files: "a file more at the end", "entry 'z' is not listed in the manifest") {
      $0.entries.append(try entry("z", [1]))
    },
    Case(files: "a file more between", "entry 'n' is not listed in the manifest") {
      $0.entries.insert(try entry("n", [1]), at: 2)
    },
    Case(
      files: "a file less",
      "'sbom.cdx.json' is listed in the manifest, but not in the archive"
    ) { $0.entries.removeLast() },
    Case(
      files: "other order",
      "'models/encoder/model.safetensors' is listed in the manifest, but not in the archive"
    ) { $0.entries.swapAt(1, 2) },
    Case(
      files: "a file twice",
      "entry 'models/encoder/model.safetensors' appears twice, or differs from another only in case"
    ) { $0.entries.insert($0.entries[1], at: 2) },
    Case(
      files: "a file twice but for case",
      "entry 'receipts/ENCODER.json' appears twice, or differs from another only in case"
    ) { $0.entries.append(try entry("receipts/ENCODER.json", [])) },
    Case(
      files: "manifest not first",
      "the first entry is 'receipts/encoder.json', expected 'manifest.json'"
    ) { $0.entries.swapAt(0, 3) },
    Case(files: "manifest of no bytes", "manifest.json has 0 bytes, expected 1...12582912") {
      $0.entries[0] = try entry("manifest.json", [])
    },
    Case(files: "manifest of 12 MiB", "manifest.json has 12582913 bytes, expected 1...12582912") {
      $0.entries[0] = try entry("manifest.json", [UInt8](repeating: 0x20, count: 12_582_913))
    },
    Case(
      files: "manifest with a space", "manifest.json is not in the one byte form that packages use"
    ) { try $0.editManifest { $0 + " " } },
    Case(
      files: "changed weights with their CRC",
      "entry 'models/encoder/model.safetensors' has sha256 #, the manifest says #"
    ) { $0.entries[1].content[60] ^= 1 },
    Case(
      files: "a bomb",
      "entry 'models/encoder/model.safetensors' has 67108864 bytes, the manifest says #"
    ) {
      $0.entries[1] = try entry(
        "models/encoder/model.safetensors", [UInt8](repeating: 0, count: 64 << 20))
    },
    Case(
      files: "a receipt of other weights",
      "receipt 'receipts/encoder.json' has candidate #, the manifest says #"
    ) {
      let other = $0.entries[4].content
      try $0.replace("receipts/encoder.json", other)
    },
  ]
}
