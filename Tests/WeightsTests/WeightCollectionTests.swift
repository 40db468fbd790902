import Files
import Glibc
import TestSupport
import Testing

@testable import Weights

@Suite struct WeightCollectionTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func npy(_ values: [Float]) -> [UInt8] {
    NpyBytes.array("<f4", "(\(values.count),)", data: floatBytes(values))
  }

  @Test func safetensorsFile() throws {
    let header =
      #"{"__metadata__":{"format":"pt"},"b":{"dtype":"F32","shape":[1,2],"data_offsets":[2,10]},"#
      + #""a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}   "#
    let bytes = SafetensorsBytes.file(header, data: 2) + floatBytes([1.5, -2])
    let path = try scratch.write("x.safetensors", bytes)
    let weights = try WeightCollection.open(path)
    #expect(weights.origin == path)
    #expect(weights.format == "safetensors")
    #expect(weights.files == [path])
    #expect(weights.metadata == ["format": "pt"])
    #expect(weights.tensors.map(\.name) == ["a", "b"])
    #expect(weights["b"]?.shape == [1, 2])
    #expect(try weights["b"]?.floats() == [1.5, -2])
    #expect(try weights["b"]?.floats(in: 1..<2) == [-2])
    #expect(try weights["a"]?.floats() == [0, 1])
    #expect(weights["a"]?.byteCount == 2)
    #expect(weights["c"] == nil)
    #expect(weights.digest() == ContentDigest(of: bytes))
  }

  @Test func emptySafetensors() throws {
    let weights = try WeightCollection.open(
      scratch.write("x.safetensors", SafetensorsBytes.file("{}")))
    #expect(weights.tensors.isEmpty)
  }

  @Test func emptyTensorsAndScalars() throws {
    let header =
      #"{"e":{"dtype":"F32","shape":[3,0],"data_offsets":[4,4]},"#
      + #""s":{"dtype":"F32","shape":[],"data_offsets":[0,4]},"#
      + #""z":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}"#
    let weights = try WeightCollection.open(
      scratch.write("x.safetensors", SafetensorsBytes.file(header) + floatBytes([7])))
    #expect(try weights["e"]?.floats() == [])
    #expect(try weights["s"]?.floats() == [7])
    #expect(try weights["z"]?.floats() == [])
  }

  @Test func theTypesAreThoseOfTheFormat() {
    #expect(SafetensorsBytes.bitWidths.count == 22)
    #expect(Set(ElementType.allCases.map(\.rawValue)) == Set(SafetensorsBytes.bitWidths.keys))
  }

  /// Eight values, so that the bits of one are the bytes of all.
  @Test(arguments: SafetensorsBytes.bitWidths.sorted { $0.key < $1.key })
  func everyTypeIsListed(_ name: String, _ bitWidth: Int) throws {
    let header =
      "{\"t\":{\"dtype\":\"\(name)\",\"shape\":[8],\"data_offsets\":[0,\(bitWidth)]}}"
    let path = try scratch.write("x.safetensors", SafetensorsBytes.file(header, data: bitWidth))
    let tensor = try #require(try WeightCollection.open(path)["t"])
    let type = tensor.elementType
    #expect(type.rawValue == name)
    #expect(tensor.byteCount == bitWidth)
    #expect(type.isConvertible == !SafetensorsBytes.withoutConversion.contains(name))
    if type.isConvertible {
      #expect(try tensor.floats().count == 8)
    } else {
      #expect(
        throws: WeightsError.notConvertible(name: "t", place: path, type: type)
      ) { try tensor.floats() }
      #expect(throws: WeightsError.self) { try tensor.floats(in: 0..<1) }
    }
  }

  @Test func notConvertibleMessage() {
    let error = WeightsError.notConvertible(name: "t", place: "m", type: .c64)
    #expect(error.description == "m: tensor 't' is C64, which is not converted to numbers")
  }

  @Test func namesDifferByTheirBytes() throws {
    let entry = #"{"dtype":"U8","shape":[0],"data_offsets":[0,0]}"#
    let header = "{\"\u{E9}\":\(entry),\"e\u{301}\":\(entry)}"
    let weights = try WeightCollection.open(
      scratch.write("x.safetensors", SafetensorsBytes.file(header)))
    #expect(weights.tensors.count == 2)
    #expect(weights["\u{E9}"]?.name.text.utf8.count == 2)
    #expect(weights["e\u{301}"]?.name.text.utf8.count == 3)
  }

  @Test func formatByContent() throws {
    let array = npy([1])
    #expect(
      try WeightCollection.open(scratch.write("x", SafetensorsBytes.floats("a", [1]))).format
        == "safetensors")
    #expect(try WeightCollection.open(scratch.write("y", array)).tensors.map(\.name) == ["y"])
    #expect(
      try WeightCollection.open(
        scratch.write("z", ZipBytes([ZipBytes.Member("a.npy", array)]).bytes)
      ).format == "npz")
    let other = try scratch.write("w", Array("#!/bin/sh".utf8))
    #expect(
      opening(other) == "\(other): no weights found; looked for the start of a safetensors, npy or"
        + " npz file")
  }

  @Test func missingAndSpecialFiles() {
    #expect(
      opening("/dev/null") == "/dev/null: is a device, expected a regular file")
    #expect(
      opening("\(scratch.path)/no") == "\(scratch.path)/no: cannot open: no such file or directory")
  }

  /// The layout of the Hugging Face cache: a snapshot of links to blobs named by their digest.
  @Test func symbolicLinks() throws {
    for name in ["blobs", "snapshots/main"] { try Folder.create(Folder.join(scratch.path, name)) }
    let blob = try scratch.write("blobs/0a1b", SafetensorsBytes.floats("a", [1, 2]))
    let snapshot = Folder.join(scratch.path, "snapshots/main")
    try #require(symlink("../../blobs/0a1b", "\(snapshot)/model.safetensors") == 0)
    let weights = try WeightCollection.open(snapshot)
    #expect(weights.files == ["\(snapshot)/model.safetensors"])
    #expect(try weights["a"]?.floats() == [1, 2])
    #expect(try WeightCollection.open(blob).digest() == weights.digest())
    try Folder.remove(blob)
    #expect(
      opening(snapshot)
        == "\(snapshot)/model.safetensors: cannot open: no such file or directory")
    #expect(try weights["a"]?.floats() == [1, 2])
  }

  @Test func emptyFolder() {
    #expect(
      opening(scratch.path) == "\(scratch.path): no weights found; looked for"
        + " model.safetensors.index.json, *.safetensors, *.npz and *.npy")
  }

  @Test func folderTakesTheFirstKind() throws {
    let path = scratch.path
    _ = try scratch.write(".hidden.npy", [1])
    _ = try scratch.write("b.npy", npy([1]))
    _ = try scratch.write("a.npy", npy([2, 3]))
    let arrays = try WeightCollection.open(path)
    #expect(arrays.format == "folder of npy")
    #expect(arrays.tensors.map(\.name) == ["a", "b"])
    #expect(
      arrays.digest()
        == .combining([
          ("b.npy", ContentDigest(of: npy([1]))), ("a.npy", ContentDigest(of: npy([2, 3]))),
        ]))
    _ = try scratch.write("w.npz", ZipBytes([ZipBytes.Member("n.npy", npy([4]))]).bytes)
    #expect(try WeightCollection.open(path).format == "npz")
    _ = try scratch.write("one.safetensors", SafetensorsBytes.floats("one", [1]))
    #expect(try WeightCollection.open(path).tensors.map(\.name) == ["one"])
    _ = try scratch.write("two.safetensors", SafetensorsBytes.floats("two", [1]))
    #expect(
      opening(path) == "\(path): has 2 safetensors files and no model.safetensors.index.json"
        + " ('one.safetensors', 'two.safetensors'); name one")
    _ = try scratch.write(
      "model.safetensors.index.json",
      Array(#"{"weight_map":{"one":"one.safetensors","two":"two.safetensors"}}"#.utf8))
    let sharded = try WeightCollection.open(path)
    #expect(sharded.format == "sharded safetensors")
    #expect(sharded.tensors.map(\.name) == ["one", "two"])
    #expect(
      sharded.files.map { Folder.name(of: $0) }
        == ["model.safetensors.index.json", "one.safetensors", "two.safetensors"])
    // Libraries that save both read the whole file.
    _ = try scratch.write("model.safetensors", SafetensorsBytes.floats("main", [1]))
    #expect(try WeightCollection.open(path).tensors.map(\.name) == ["main"])
  }

  @Test func npzValues() throws {
    let big = NpyBytes.array(
      ">f8", "(2, 3)",
      data: [1, 4, 2, 5, 3, 6].flatMap { bigEndian(Double($0).bitPattern) }, fortran: true)
    let zip = ZipBytes([
      ZipBytes.Member("s.npy", npy([1, 2])), ZipBytes.Member("d.npy", big, deflated: true),
      ZipBytes.Member("i.npy", NpyBytes.array("|i1", "(2,)", data: [255, 3]), deflated: true),
    ])
    let weights = try WeightCollection.open(scratch.write("x.npz", zip.bytes))
    #expect(weights.tensors.map(\.name) == ["d", "i", "s"])
    let deflated = try #require(weights["d"])
    #expect(deflated.byteCount == 48)
    #expect(!deflated.isPlain)
    #expect(try deflated.floats() == [1, 2, 3, 4, 5, 6])
    #expect(try deflated.floats(in: 2..<4) == [3, 4])
    #expect(try deflated.withBytes { $0.byteCount } == 48)
    #expect(try weights["i"]?.floats() == [-1, 3])
    #expect(try weights["s"]?.floats() == [1, 2])
  }

  /// Values are inflated when they are asked for, which may be long after the archive was checked.
  @Test(arguments: [
    (UInt8(0xFF), "its deflate stream is damaged"), (0, "inflates to 47 bytes, 370 are stated"),
  ])
  func npzThatChangesBehindOurBackIsAnError(_ byte: UInt8, _ fault: String) throws {
    let values = NpyBytes.array("|u1", "(300,)", data: (0..<300).map { UInt8($0 * $0 % 251) })
    // Smaller files are copied as they are opened.
    let other = NpyBytes.array("|u1", "(9000,)", data: [UInt8](repeating: 0, count: 9000))
    let bytes = ZipBytes([
      ZipBytes.Member("d.npy", values, deflated: true), ZipBytes.Member("e.npy", other),
    ]).bytes
    let path = try scratch.write("x.npz", bytes)
    let weights = try WeightCollection.open(path)
    let descriptor = open(path, O_WRONLY)
    defer { close(descriptor) }
    let junk = [UInt8](repeating: byte, count: 60)
    #expect(pwrite(descriptor, junk, junk.count, 80) == 60)
    let tensor = try #require(weights["d"])
    do {
      _ = try tensor.floats()
      Issue.record("no error")
    } catch {
      #expect(
        "\(error)" == "\(path): member 'd.npy': was changed while it was read: \(fault)")
    }
  }

  @Test func emptyNpz() throws {
    #expect(try WeightCollection.open(scratch.write("x.npz", ZipBytes([]).bytes)).tensors.isEmpty)
  }

  @Test func npzWithNeedlessLargeRecords() throws {
    var zip = ZipBytes([ZipBytes.Member("a.npy", npy([1]))])
    zip.hasLargeRecords = true
    #expect(try WeightCollection.open(scratch.write("x.npz", zip.bytes)).tensors.count == 1)
  }

  @Test func npzWithComment() throws {
    var zip = ZipBytes([ZipBytes.Member("a.npy", npy([1]))])
    zip.comment = Array("PK\u{5}\u{6} and more than twenty-two bytes of it".utf8)
    #expect(try WeightCollection.open(scratch.write("x.npz", zip.bytes)).tensors.count == 1)
  }
}
