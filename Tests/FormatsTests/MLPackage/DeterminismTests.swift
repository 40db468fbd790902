import Files
import Graph
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Formats

/// The same model gives the same bytes; what is not proven is not there.
struct DeterminismTests {
  let folder: TemporaryFolder
  var path: String { folder.path("X.mlpackage") }

  init() throws { folder = try TemporaryFolder() }

  private func bytes(of path: String) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for file in try MLPackageFolder(path: path).files() {
      found[file] = try MappedFile.contents(of: Folder.join(path, file), limit: 1 << 20)
    }
    return found
  }

  static let schemes: [Scheme?] = [
    nil, .int8(.perTensor), .int8(.perChannel), .palette(bits: 1, .perTensor),
    .palette(bits: 3, .perTensor), .palette(bits: 4, .perGroup(size: 2)),
    .palette(bits: 8, .perTensor),
  ]

  @Test(arguments: schemes) func theSameBytes(_ scheme: Scheme?) throws {
    let places = ["a", "b", "c"].map { folder.path($0) + "/X.mlpackage" }
    for (place, jobs) in zip(places, [1, 3, 1]) {
      try Folder.create(Folder.parent(of: place))
      // Everything is made anew.
      try SmallModels.bert().write(scheme, jobs: jobs, to: place)
    }
    let first = try bytes(of: places[0])
    #expect(first.count == 3)
    for place in places.dropFirst() { #expect(try bytes(of: place) == first) }
  }

  private func digest(_ parts: MLPackageParts) throws -> ContentDigest {
    try parts.write(to: path)
    return try CoreMLPackage.model(of: path, files: MLPackageParts.noFiles).digest
  }

  @Test func onlyTheReceiptDoesNotCount() throws {
    let emitted = try SmallModels.embedding().write(to: path)
    let sound = try MLPackageParts(of: path)
    #expect(try digest(sound) == emitted.digest)
    var parts = sound
    for receipt in ["1", "2", String(repeating: "3", count: 64)] {
      parts.message.description_p.metadata.userDefined[CoreMLDigest.receiptKey] = receipt
      #expect(try digest(parts) == emitted.digest)
      #expect(
        try CoreMLDigest.receipt(in: MLPackageFolder(path: path).model()) == receipt)
    }
    let changes: [(inout MLPackageParts) -> Void] = [
      { $0.message.description_p.metadata.userDefined[CoreMLPackage.recipeKey] = "other" },
      { $0.message.description_p.metadata.userDefined["dev.ingot.other"] = "" },
      { $0.message.description_p.metadata.author = "other" },
      { $0.message.description_p.input[0].shortDescription = "other" },
      { $0.weights?[128] ^= 1 }, { $0.weights?.append(0) },
      { $0.manifest.append(UInt8(ascii: "\n")) },
      { $0["b"].attributes["val"] = .bytes([1, 2, 3, 4, 5, 6, 7, 8], .float16, [4]) },
    ]
    var digests: Set = [emitted.digest]
    for change in changes {
      var parts = sound
      change(&parts)
      #expect(try digests.insert(digest(parts)).inserted)
      // With a receipt and a change the change still counts.
      parts.message.description_p.metadata.userDefined[CoreMLDigest.receiptKey] = "1"
      #expect(try !digests.insert(digest(parts)).inserted)
    }
    // A file more, and a file of another name.
    try sound.write(to: path)
    try AtomicFile.write([], to: path + "/more")
    #expect(
      try digests.insert(
        CoreMLPackage.model(of: path, files: MLPackageParts.noFiles).digest
      ).inserted)
  }

  private func stage() throws -> StagedModel {
    let model = try SmallModels.embedding()
    return try CoreMLPackage().stage(
      try model.compressed(), of: model, recipe: "uncompressed", at: ModelPlace(path))
  }

  private func write() throws { _ = try stage().commitUnproven() }

  @Test func theReceiptIsNamedInThePackage() throws {
    let staged = try stage()
    let receipt = try SaidReceipt(of: staged)
    let emitted = try staged.commit(receipt)
    #expect(emitted.digest == receipt.candidate.weights)
    #expect(
      try CoreMLDigest.receipt(in: MLPackageFolder(path: path).model())
        == ContentDigest(of: receipt.packedBytes).hex)
    #expect(
      try CoreMLPackage.model(of: path, files: MLPackageParts.noFiles).digest == emitted.digest)
    let files = try bytes(of: path)
    #expect(emitted.files.map(\.path) == files.keys.sorted())
    for file in emitted.files {
      #expect(files[file.path]?.count == file.byteCount)
      #expect(files[file.path].map { ContentDigest(of: $0) } == file.digest)
    }
  }

  /// Not even in place of an earlier one.
  @Test func whatIsNotCommittedReplacesNothing() throws {
    try write()
    let before = try bytes(of: path)
    do {
      let staged = try stage()
      #expect(try Folder.names(in: folder.path).count == 2)
      #expect(staged.path == path)
    }
    #expect(try bytes(of: path) == before)
    #expect(try Folder.names(in: folder.path) == ["X.mlpackage"])
  }

  @Test func onlyAPackageIsReplaced() throws {
    try SmallModels.classifier().write(to: path)
    let before = try bytes(of: path)
    try write()
    #expect(try bytes(of: path) != before)
    #expect(try Folder.names(in: folder.path) == ["X.mlpackage"])
    try Folder.remove(path)
    try Folder.create(path)
    try AtomicFile.write([1], to: path + "/mine")
    #expect(
      message { try write() }
        == "\(path): cannot write: a folder of that name is there")
    #expect(try Folder.names(in: path) == ["mine"])
    try Folder.remove(path)
    try AtomicFile.write([1], to: path)
    #expect(
      message { try write() }
        == "\(path): cannot write: a file of that name is there")
    #expect(try Folder.names(in: folder.path) == ["X.mlpackage"])
  }
}
