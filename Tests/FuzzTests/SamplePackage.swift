import StrictJSON
import Weights

@testable import Packaging

/// A small package put together by hand.
struct SamplePackage {
  static let sharedModel: [String: JSONValue] = ["name": "encoder"]
  static let shared = SamplePackage(sharedModel, receipt: soundReceipt)
  static let flows = SamplePackage(
    ["flowId": 8362, "flowName": "upsell_1", "modelVersion": 73], receipt: soundReceipt)
  static let all = [shared, flows]

  private static let weights = [UInt8](0..<40)
  private static let seconds = 1_795_219_200
  private static let soundReceipt = Array(
    Receipts.embedding(of: ContentDigest(of: weights).hex).utf8)

  let manifest: [UInt8]
  let receipt: [UInt8]

  /// The entries behind the manifest, as the tar stream holds them.
  var files: [(path: String, content: [UInt8])] {
    [("models/m.receipt.json", receipt), ("models/m.safetensors", SamplePackage.weights)]
  }

  var tar: [UInt8] { SamplePackage.tar([("manifest.json", manifest)] + files) }

  /// - Parameter identity: members that say which model it is.
  init(_ identity: [String: JSONValue], receipt: [UInt8]) {
    self.receipt = receipt
    let model = identity.merging(SamplePackage.model) { first, _ in first }
    let sizes = receipt.count + SamplePackage.weights.count
    manifest = CanonicalJSON.bytes(
      of: [
        "schema": 1,
        "app": [
          "appId": "c2d67cdb-e117-4c3e-acca-2ae7f1a42210", "bundleIdentifiers": ["com.a.b", "x.y"],
        ],
        "build": SamplePackage.build, "compatibility": ["belowSDK": "5.0.0", "minSDK": "3.2.0"],
        "files": [
          SamplePackage.entry("models/m.receipt.json", "receipt", receipt),
          SamplePackage.entry("models/m.safetensors", "model", SamplePackage.weights),
        ],
        "licenses": [["spdx": "MIT"]], "models": [.object(model)],
        "package": ["createdAt": .string(SamplePackage.time), "name": "p", "version": "1.4.0"],
        "totals": ["files": 2, "installedBytes": .integer(sizes)],
      ])
  }

  private static let digest: JSONValue = ["sha256": .string(Receipts.digest)]
  private static let time = Timestamp(seconds: seconds)?.description ?? ""

  private static let build: JSONValue = [
    "inputs": [["name": "a", "sha256": .string(Receipts.digest)]],
    "libraries": ["libzstd": "1.5.4"], "sourceDateEpoch": .integer(seconds), "tool": "ingot",
    "toolVersion": "0.1.0",
  ]

  private static let model: [String: JSONValue] = [
    "path": "models/m.safetensors", "format": "safetensors",
    "inputs": [["name": "f", "dtype": "float32", "shape": [-1, 2], "features": ["a", "b"]]],
    "outputs": [
      ["name": "p", "dtype": "float32", "shape": [-1, 1], "labels": ["no", "y\u{E9}s"]]
    ],
    "compression": ["method": "int8 per-channel", "originalBytes": 160, "bytes": 40],
    "gate": [
      "passed": true, "profile": "standard", "baseline": digest, "references": digest,
      "receipt": "models/m.receipt.json",
      "metrics": [
        "cosine.mean": "0.9999", "cosine.min": "0.98", "cosine.p1": "0.99", "flips": "0",
        "inputs": "12", "neighbourOverlap": "1", "normDrift": "0.0001", "pairs": "6",
        "similarityDrift.max": "0.004", "similarityDrift.mean": "0.001",
        "spearman.baseline": "0.5", "spearman.candidate": "-0.25", "topOneAgreement": "0.95",
      ],
    ],
  ]

  private static func entry(_ path: String, _ role: String, _ content: [UInt8]) -> JSONValue {
    [
      "path": .string(path), "role": .string(role), "size": .integer(content.count),
      "sha256": .string(ContentDigest(of: content).hex),
    ]
  }

  /// A stream of files at paths that packages may hold.
  static func tar(_ files: [(path: String, content: [UInt8])]) -> [UInt8] {
    var tar: [UInt8] = []
    for (path, content) in files {
      guard let path = try? PackagePath(path), let time = Timestamp(seconds: seconds) else {
        return []
      }
      tar += Tar.header(path: path, size: content.count, time: time) + content
      tar += [UInt8](repeating: 0, count: Tar.paddingByteCount(content.count))
    }
    return tar + [UInt8](repeating: 0, count: Tar.endByteCount)
  }

  /// The stream cut to whole blocks, with the right checksum in every block that looks like a
  /// header.
  static func withChecksums(_ bytes: [UInt8]) -> [UInt8] {
    var tar = Array(bytes.prefix(bytes.count / Tar.blockSize * Tar.blockSize))
    for start in stride(from: 0, to: tar.count, by: Tar.blockSize) {
      let block = Array(tar[start..<start + Tar.blockSize])
      guard block[257..<262].elementsEqual("ustar".utf8) else { continue }
      let digits = String(Tar.checksum(of: block), radix: 8)
      let field = String(repeating: "0", count: 6 - digits.count) + digits + "\0 "
      tar.replaceSubrange(start + 148..<start + 156, with: field.utf8)
    }
    return tar
  }
}
