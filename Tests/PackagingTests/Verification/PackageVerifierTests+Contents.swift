import Files
import Testing
import Weights

@testable import Packaging

/// Manifests and files that do not agree, in sound tar streams.
extension PackageVerifierTests {
  static let contents = [
    Case("manifest of no bytes", "manifest.json has 0 bytes, expected 1...12582912") {
      $0.entries[0] = try .init("manifest.json", [], time: try Sample.time(0))
    },
    Case("manifest of 12 MiB", "manifest.json has 12582913 bytes, expected 1...12582912") {
      let spaces = [UInt8](repeating: 0x20, count: 12_582_913)
      $0.entries[0] = try .init("manifest.json", spaces, time: try Sample.time(0))
    },
    Case("manifest with a space", "manifest.json is not in the one byte form that packages use") {
      try $0.editManifest { $0 + " " }
    },
    Case("manifest with 1.0", "manifest.json is not in the one byte form that packages use") {
      try $0.editManifest { $0.replacing(#""schema":1"#, with: #""schema":1.0"#) }
    },
    Case(
      "manifest of brackets", "manifest.json:1:66: values nest deeper than 64 levels"
    ) { try $0.editManifest { _ in String(repeating: "[", count: 100_000) } },
    Case(
      "manifest of small objects", "manifest.json:1:#: the text holds more than 500000 values"
    ) { try $0.editManifest { _ in "[" + String(repeating: "{},", count: 600_000) + "0]" } },
    Case(
      "manifest with a key twice", "manifest.json:1:#: the key 'app' appears twice in one object"
    ) {
      try $0.editManifest { $0.replacing(#"{"app":"#, with: #"{"app":1,"app":"#) }
    },
    Case("manifest of another schema", "manifest.json:1:1: 'schema' is 2, this version reads 1") {
      try $0.editManifest { $0.replacing(#""schema":1"#, with: #""schema":2"#) }
    },
    Case(
      "manifest that lists one file less",
      "manifest.json:1:1: 'receipts/encoder.json' is not a file of its own with role 'receipt'"
    ) {
      try $0.editManifest { text in
        let start = text.firstRange(of: #"{"path":"receipts/encoder.json","#)?.lowerBound
        let rest = text[(start ?? text.endIndex)...]
        guard let start, let end = rest.firstIndex(of: "}") else { return text }
        return text.replacingCharacters(in: start..<text.index(end, offsetBy: 2), with: "")
      }
    },
    Case(
      "manifest that lists one file more",
      "manifest.json:1:1: file 'models/z' belongs to no model"
    ) {
      try $0.editManifest { text in
        text.replacing(
          #"{"path":"receipts/encoder.json","#,
          with: #"{"path":"models/z","role":"model","sha256":""#
            + String(repeating: "0", count: 64)
            + #"","size":1},{"path":"receipts/encoder.json","#)
      }
    },
    Case(
      "changed weights",
      "entry 'models/encoder/model.safetensors' has sha256 #, the manifest says #"
    ) { $0.entries[1].content[60] ^= 1 },
    Case(
      "size of an entry",
      "entry 'models/encoder/model.safetensors' has 8 bytes, the manifest says #"
    ) {
      $0.entries[1] = try .init(
        "models/encoder/model.safetensors", [UInt8](repeating: 0, count: 8),
        time: try Sample.time(1_795_219_200))
    },
    Case(
      "bomb",
      "entry 'models/encoder/model.safetensors' has 67108864 bytes, the manifest says #"
    ) {
      $0.entries[1] = try .init(
        "models/encoder/model.safetensors", [UInt8](repeating: 0, count: 64 << 20),
        time: try Sample.time(1_795_219_200))
    },
    Case(
      "another bill of materials", "'sbom.cdx.json' is not the bill of materials of this manifest"
    ) { try $0.replace("sbom.cdx.json", Array("{}".utf8)) },
    Case(
      "another threshold",
      "receipt 'receipts/encoder.json' has threshold nothing, the manifest says 0.5"
    ) {
      try $0.editManifest {
        $0.replacing(
          #"8},"format":"#, with: #"8},"decision":{"threshold":"0.5"},"format":"#)
      }
    },
    Case(
      "another architecture",
      "receipt 'receipts/encoder.json' has architecture dense, "
        + "the manifest says bert"
    ) {
      try $0.editManifest {
        $0.replacing(#""architecture":"dense""#, with: #""architecture":"bert""#)
      }
    },
    Case("other options", "'sbom.cdx.json' is not the bill of materials of this manifest") {
      try $0.editManifest { $0.replacing(#""scheme":"int8""#, with: #""scheme":"none""#) }
    },
    Case(
      "receipt of other weights",
      "receipt 'receipts/encoder.json' has candidate #, the manifest says #"
    ) {
      let other = $0.entries[4].content
      try $0.replace("receipts/encoder.json", other)
    },
    Case(
      "empty receipt",
      "receipt 'receipts/encoder.json' is not sound: receipts/encoder.json:1:1: the key "
        + "'schemaVersion' is missing"
    ) { try $0.replace("receipts/encoder.json", Array("{}".utf8)) },
    Case(
      "receipt with a space",
      "receipt 'receipts/encoder.json' is not sound: it is not in the one byte form that packages "
        + "use"
    ) { try $0.replace("receipts/encoder.json", $0.entries[3].content + [0x20]) },
    Case(
      "better metrics in the manifest",
      "receipt 'receipts/encoder.json' has inputs 12, the manifest says 13"
    ) {
      var isFirst = true
      try $0.editManifest { text in
        defer { isFirst = false }
        let range = text.firstRange(of: #""inputs":"12""#)
        guard isFirst, let range else { return text }
        return text.replacingCharacters(in: range, with: #""inputs":"13""#)
      }
    },
  ]
}
