import StrictJSON
import Weights

@testable import Packaging

/// A small package put together by hand.
struct SamplePackage {
  static let shared = shared(receipt: receipt(of: FuzzTests.compressedModel))
  static let flows = SamplePackage(
    named: "upsell_1", ["flowId": 8362, "flowName": "upsell_1", "modelVersion": 73],
    model: FuzzTests.compressedModel, receipt: receipt(of: FuzzTests.compressedModel))
  static let all = [shared, flows]

  private static let seconds = 1_795_219_200

  let manifest: [UInt8]
  /// The entries behind the manifest, as the tar stream holds them.
  let files: [(path: String, content: [UInt8])]

  var receipt: [UInt8] { files[1].content }

  var tar: [UInt8] { SamplePackage.tar([("manifest.json", manifest)] + files) }

  var zip: [UInt8] { SamplePackage.zip([("manifest.json", manifest)] + files) }

  /// The package of a shared model with any receipt.
  static func shared(receipt: [UInt8]) -> SamplePackage {
    SamplePackage(
      named: "encoder", ["name": "encoder"], model: FuzzTests.compressedModel, receipt: receipt)
  }

  /// The package of a shared model that is any bytes; everything else fits it.
  static func shared(model: [UInt8]) -> SamplePackage {
    SamplePackage(
      named: "encoder", ["name": "encoder"], model: model, receipt: receipt(of: model))
  }

  private static func receipt(of model: [UInt8]) -> [UInt8] {
    Array(Receipts.embedding(of: ContentDigest(of: model).hex).utf8)
  }

  /// - Parameter identity: members that say which model it is.
  private init(
    named name: String, _ identity: [String: JSONValue], model bytes: [UInt8], receipt: [UInt8]
  ) {
    let files = [
      ("models/\(name)/model.safetensors", bytes), ("receipts/\(name).json", receipt),
    ]
    let model = SamplePackage.model(named: name, byteCount: bytes.count)
      .merging(identity) { first, _ in first }
    // The bill follows from all of the manifest but its own entry.
    let draft = SamplePackage.manifest(of: name, model, files, bill: [])
    let bill = (try? Manifest(draft, origin: "draft")).map { BillOfMaterials($0).bytes } ?? []
    self.files = files + [(BillOfMaterials.entryName, bill)]
    manifest = SamplePackage.manifest(of: name, model, files, bill: bill)
  }

  private static func manifest(
    of name: String, _ model: [String: JSONValue], _ files: [(path: String, content: [UInt8])],
    bill: [UInt8]
  ) -> [UInt8] {
    CanonicalJSON.bytes(
      of: [
        "schema": 1,
        "app": [
          "appId": "c2d67cdb-e117-4c3e-acca-2ae7f1a42210", "bundleIdentifiers": ["com.a.b", "x.y"],
        ],
        "build": SamplePackage.build(of: name),
        "compatibility": ["belowSDK": "5.0.0", "minSDK": "3.2.0"],
        "files": [
          SamplePackage.entry(files[0].path, "model", files[0].content),
          SamplePackage.entry(files[1].path, "receipt", files[1].content),
          SamplePackage.entry(BillOfMaterials.entryName, "sbom", bill),
        ],
        "licenses": [["spdx": "MIT"]], "models": [.object(model)],
        "package": [
          "createdAt": .string(SamplePackage.time), "name": "com.a.b.models", "version": "1.4.0",
        ],
        "totals": [
          "files": 3,
          "installedBytes": .integer(files.reduce(bill.count) { $0 + $1.content.count }),
        ],
      ])
  }

  private static let digest: JSONValue = ["sha256": .string(Receipts.digest)]
  private static let time = Timestamp(seconds: seconds)?.description ?? ""

  private static func build(of name: String) -> JSONValue {
    [
      "inputs": [
        ["name": .string("\(name)/model"), "sha256": .string(Receipts.digest)],
        ["name": .string("\(name)/references"), "sha256": .string(Receipts.digest)],
      ], "sourceDateEpoch": .integer(seconds),
      "tool": "ingot", "toolVersion": "0.1.0",
    ]
  }

  private static func model(named name: String, byteCount: Int) -> [String: JSONValue] {
    [
      "path": .string("models/\(name)/model.safetensors"), "format": "safetensors",
      "architecture": "dense", "decision": ["threshold": "0.35"],
      "inputs": [
        [
          "name": "features", "dtype": "float32", "shape": [-1, 3], "features": ["a", "b", "c"],
        ]
      ],
      "outputs": [["name": "embedding", "dtype": "float32", "shape": [-1, 4]]],
      "compression": [
        "method": "int8 per-channel", "options": ["scheme": "int8"], "originalBytes": 64,
        "bytes": .integer(byteCount),
      ],
      "gate": [
        "passed": true, "profile": "standard",
        "limits": [
          "cosineMean": "0.99", "cosineMin": "0.97", "neighbourOverlap": "0.9",
          "similarityDriftMax": "0.05", "similarityDriftMean": "0.01",
        ],
        "baseline": digest, "references": digest,
        "receipt": .string("receipts/\(name).json"),
        "metrics": [
          "cosine.mean": "0.9999", "cosine.min": "0.98", "cosine.p1": "0.99", "flips": "0",
          "inputs": "12", "neighbourOverlap": "1", "normDrift": "0.0001", "pairs": "6",
          "similarityDrift.max": "0.004", "similarityDrift.mean": "0.001",
          "spearman.baseline": "0.5", "spearman.candidate": "-0.25", "topOneAgreement": "0.95",
        ],
      ],
    ]
  }

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

  /// A zip of files at paths that packages may hold.
  static func zip(_ files: [(path: String, content: [UInt8])]) -> [UInt8] {
    var (archive, directory): ([UInt8], [UInt8]) = ([], [])
    for (path, content) in files {
      guard let path = try? PackagePath(path), let time = Timestamp(seconds: seconds) else {
        return []
      }
      var checksum = CRC32()
      unsafe checksum.update(content.span.bytes)
      let entry = Zip.Entry(
        path: path, size: content.count, checksum: checksum.value, offset: archive.count,
        time: DOSTime(time))
      archive += entry.header.bytes + content
      directory += entry.listing.bytes
    }
    let place = archive.count..<archive.count + directory.count
    return archive + directory + Zip.end(entryCount: files.count, directory: place).bytes
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
