import Files
import Glibc
import TestSupport
import Testing

@testable import Weights

/// No file makes the process that reads it use more than 100 MB, or 500 MB for the longest header of
/// a safetensors file.
///
/// Every file is read in a process of its own, whose peak the system reports.
@Suite(.serialized) struct HostileMemoryTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let file: String
    let bytes: @Sendable () -> [UInt8]
    /// Size the file is stretched to, with zeros that take no space.
    var byteCount = 0
    var isAccepted = false
    /// The most that may be used, in kilobytes.
    var limit = 100_000
    var testDescription: String { name }
  }

  @Test(arguments: cases) func staysSmall(_ test: Case) async throws {
    let path = try scratch.write(test.file, test.bytes())
    if test.byteCount > 0 { try #require(truncate(path, test.byteCount) == 0) }
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [path = path as String, isAccepted = test.isAccepted as Bool, limit = test.limit as Int] in
      do {
        let weights = try WeightCollection.open(path)
        try #require(isAccepted)
        _ = weights.digest()
      } catch is WeightsError {
        try #require(!isAccepted)
      }
      let peak = try #require(peakKilobytes())
      print("peak of \(Folder.name(of: path)): \(peak) kB")
      try #require(peak < limit)
    }
    if let output = result?.standardOutputContent {
      for line in String(decoding: output, as: UTF8.self).split(separator: "\n")
      where line.hasPrefix("peak") { print(line) }
    }
  }

  /// The measurement itself: memory that is used shows.
  @Test func measures() async {
    await #expect(processExitsWith: .success) {
      let before = try #require(peakKilobytes())
      let used = [UInt8](repeating: 1, count: 200 << 20)
      let after = try #require(peakKilobytes())
      try #require(used.count > 0 && after - before > 190_000)
    }
  }

  /// Of the longest header, in kilobytes.
  private static let headerLimit = 500_000

  static let cases: [Case] = [
    Case(
      name: "a length of 2^63", file: "length.safetensors",
      bytes: { SafetensorsBytes.file("{}", stated: 1 << 63) }),
    Case(
      name: "a header of 4 GiB", file: "header.safetensors",
      bytes: { SafetensorsBytes.file("{", stated: 4 << 30) }, byteCount: 8 << 30),
    Case(
      name: "the longest header, one string", file: "string.safetensors",
      bytes: { padded(#"{"__metadata__":{"a":""#, "", "\\n", #""}}"#) }, isAccepted: true,
      limit: headerLimit),
    Case(
      name: "the longest header, all numbers", file: "numbers.safetensors",
      bytes: { padded(#"{"a":["#, "1", ",1", "]}") }, limit: headerLimit),
    Case(
      name: "the longest header, small objects", file: "objects.safetensors",
      bytes: {
        padded(
          "{", objects(37_400, key: String(repeating: "k", count: 94)) + #""z":""#, " ", #""}"#)
      }, limit: headerLimit),
    Case(
      name: "the longest header, many tensors", file: "tensors.safetensors",
      bytes: { padded("{", tensors(21_400, nameByteCount: 510), "", "}") }, isAccepted: true,
      limit: headerLimit),
    Case(
      name: "the longest header, much metadata", file: "metadata.safetensors",
      bytes: { padded(#"{"__metadata__":{"#, strings(149_900, valueByteCount: 58), "", "}}") },
      isAccepted: true, limit: headerLimit),
    Case(
      name: "tensors of exabytes", file: "exabytes.safetensors",
      bytes: {
        SafetensorsBytes.tensor(
          #""dtype":"U8","shape":[1000000000000000000],"data_offsets":[0,1000000000000000000]"#)
      }),
    Case(
      name: "the longest index", file: "model.safetensors.index.json",
      bytes: {
        Array("{\"weight_map\":{\(strings(149_900, valueByteCount: 58))}}".utf8)
      }),
    Case(
      name: "an index of 8 GiB", file: "big.safetensors.index.json", bytes: { [] },
      byteCount: 8 << 30),
    Case(
      name: "a giant shape", file: "shape.npy",
      bytes: { NpyBytes.array("<f8", "(1000000, 1000000)", data: []) }),
    Case(
      name: "a header of 4 GiB in npy", file: "header.npy",
      bytes: { NpyBytes.file("{", version: 3, stated: 0xFFFF_FFFF) }, byteCount: 8 << 30),
    Case(
      name: "a large file with its digest", file: "large.npy",
      bytes: { NpyBytes.array("|u1", "(300000000,)", data: []) },
      byteCount: 300_000_000 + NpyBytes.array("|u1", "(300000000,)", data: []).count,
      isAccepted: true),
    Case(
      name: "a bomb that lies", file: "bomb.npz",
      bytes: { bomb(NpyBytes.array("<f4", "(2,)", data: [])) }),
    Case(
      name: "a bomb that is a sound array", file: "zeros.npz",
      bytes: { bomb(NpyBytes.array("|u1", "(268435456,)", data: [])) }, isAccepted: true),
    Case(
      name: "as many members as fit", file: "members.npz",
      bytes: {
        let array = NpyBytes.array("|u1", "(0,)", data: [])
        return ZipBytes((0..<65_534).map { ZipBytes.Member("m\($0).npy", array) }).bytes
      }, isAccepted: true),
    Case(
      name: "members on pages of their own", file: "pages.npz",
      bytes: {
        // Each member is larger than a page.
        let array = NpyBytes.array("|u1", "(6000,)", data: [UInt8](repeating: 7, count: 6000))
        return ZipBytes((0..<30_000).map { ZipBytes.Member("m\($0).npy", array) }).bytes
      }, isAccepted: true),
    Case(
      name: "a deflate stream that gives nothing", file: "nothing.npz",
      bytes: {
        // Stored blocks of no bytes, none of them the last.
        let empty: [UInt8] = [0, 0, 0, 0xFF, 0xFF]
        let blocks = (0..<22 << 20).flatMap { _ in empty }
        return ZipBytes([
          ZipBytes.Member("a.npy", [1], deflated: true).with { $0.stored = blocks }
        ]).bytes
      }),
    Case(
      name: "noise that does not compress", file: "noise.npz",
      bytes: {
        var state: UInt64 = 1
        let noise = (0..<(110 << 20)).map { _ in
          state = state &* 6_364_136_223_846_793_005 &+ 1
          return UInt8(truncatingIfNeeded: state >> 56)
        }
        let array = NpyBytes.array("|u1", "(115343360,)", data: noise)
        return ZipBytes([ZipBytes.Member("a.npy", array, deflated: true)]).bytes
      }, isAccepted: true),
    Case(
      name: "long names of members", file: "names.npz",
      bytes: {
        let array = NpyBytes.array("|u1", "(0,)", data: [])
        let tail = String(repeating: "n", count: 60_000)
        return ZipBytes((0..<1000).map { ZipBytes.Member("\($0)\(tail).npy", array) }).bytes
      }),
  ]

  /// A safetensors file whose header is filled up to the limit by repeating a part.
  private static func padded(
    _ start: String, _ content: String, _ repeated: String, _ end: String
  ) -> [UInt8] {
    var header = Array((start + content).utf8)
    let room = SafetensorsHeader.byteLimit - header.count - end.utf8.count
    precondition(room >= 0, "the content is \(-room) bytes too long")
    if repeated.isEmpty {
      header += Array(end.utf8) + Array(repeating: UInt8(ascii: " "), count: room)
    } else {
      for _ in 0..<room / repeated.utf8.count { header += Array(repeated.utf8) }
      header += Array(end.utf8)
    }
    return SafetensorsBytes.file(header)
  }

  private static func objects(_ count: Int, key: String) -> String {
    (0..<count).map { #""\#(key)\#($0)":{"\#(key)a":{"\#(key)b":{}},"c":{}},"# }.joined()
  }

  private static func tensors(_ count: Int, nameByteCount: Int) -> String {
    let tail = String(repeating: "n", count: nameByteCount)
    return (0..<count)
      .map { #""\#($0)\#(tail)":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}"# }
      .joined(separator: ",")
  }

  private static func strings(_ count: Int, valueByteCount: Int) -> String {
    let value = String(repeating: "v", count: valueByteCount)
    return (0..<count).map { #""key number \#($0)":"\#(value)""# }.joined(separator: ",")
  }

  /// An archive of one member, deflated 256 MiB of zeros behind a header.
  private static func bomb(_ header: [UInt8]) -> [UInt8] {
    let content = header + [UInt8](repeating: 0, count: 256 << 20)
    return ZipBytes([ZipBytes.Member("a.npy", content, deflated: true)]).bytes
  }
}
