import TestSupport
import Testing

@testable import Weights

@Suite struct NpzHostileTests {
  @Test func enoughCases() { #expect(NpzHostileTests.cases.count >= 20) }

  @Test(arguments: cases) func refused(_ hostile: HostileCase) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("m.npz", hostile.bytes)
    do throws(WeightsError) {
      _ = try WeightCollection.open(path)
      Issue.record("accepted")
    } catch {
      #expect(error.description == "\(path): \(hostile.message)")
    }
  }

  private static let array = NpyBytes.array("<f4", "(2,)", data: floatBytes([1, 2]))
  private static let stored = ZipBytes.Member("a.npy", array)
  private static let deflated = ZipBytes.Member("a.npy", array, deflated: true)

  private static func archive(
    _ member: ZipBytes.Member, _ change: (inout ZipBytes.Member) -> Void = { _ in }
  ) -> [UInt8] {
    ZipBytes([member.with(change)]).bytes
  }

  private static func archive(_ change: (inout ZipBytes) -> Void) -> [UInt8] {
    var zip = ZipBytes([stored])
    change(&zip)
    return zip.bytes
  }

  static let cases: [HostileCase] = directoryCases + memberCases + contentCases

  static let directoryCases: [HostileCase] = [
    HostileCase("empty file", [], "has no zip directory at its end; the file looks truncated"),
    HostileCase(
      "cut off", Array(archive(stored).dropLast()),
      "has no zip directory at its end; the file looks truncated"),
    HostileCase(
      "bytes after the archive", archive(stored) + [0],
      "has no zip directory at its end; the file looks truncated"),
    HostileCase(
      "bytes before the archive", [0] + archive(stored),
      "the directory is said to lie at 111 with 51 bytes, it must end at 163"),
    HostileCase(
      "several disks", archive { $0.disk = 1 }, "is one part of an archive in several parts"),
    HostileCase(
      "ZIP64", archive { $0.directoryOffset = .max },
      "is a ZIP64 archive, which is not read; save the arrays as npy files"),
    HostileCase(
      "more members than there are", archive { $0.memberCount = 2 },
      "the zip directory is damaged at byte 162"),
    HostileCase(
      "fewer members than there are", archive { $0.memberCount = 0 },
      "the directory has 51 bytes, its 0 members take 0"),
    HostileCase(
      "directory in the wrong place", archive { $0.directoryOffset = 0 },
      "the directory is said to lie at 0 with 51 bytes, it must end at 162"),
    HostileCase(
      "directory overflows",
      archive {
        $0.directoryOffset = .max - 1
        $0.directoryByteCount = .max - 1
      },
      "the directory is said to lie at 4294967294 with 4294967294 bytes, it must end at 162"),
    HostileCase(
      "a member twice", ZipBytes([stored, stored]).bytes, "holds 'a.npy' twice"),
    HostileCase(
      "members share their data",
      ZipBytes([
        stored,
        stored.with {
          $0.name = Array("b.npy".utf8); $0.headerOffset = 0
        },
      ]).bytes,
      "member 'b.npy' is named or compressed otherwise in its own header"),
    HostileCase(
      "members overlap", overlapping,
      "member 'b.npy' starts at byte 70, inside the one before it, which ends at 146"),
  ]

  /// A member whose header lies in the data of another.
  private static let overlapping: [UInt8] = {
    let inner = ZipBytes([ZipBytes.Member("b.npy", array)]).bytes.prefix(35 + array.count)
    let outer = ZipBytes.Member("a.npy", Array(inner))
    var other = ZipBytes.Member("b.npy", array)
    other.headerOffset = 35
    return ZipBytes([outer, other]).bytes
  }()

  static let memberCases: [HostileCase] = [
    HostileCase(
      "encrypted", archive(stored) { $0.flags = 1 }, "member 'a.npy' is encrypted"),
    HostileCase(
      "another method", archive(stored) { $0.method = 14 },
      "member 'a.npy' is compressed by method 14, read are 0 (stored) and 8 (deflated)"),
    HostileCase(
      "a ZIP64 member", archive(stored) { $0.byteCount = .max },
      "member 'a.npy' uses ZIP64, which is not read; save the array as an npy file"),
    HostileCase(
      "stored in another size", archive(stored) { $0.byteCount = 1 },
      "member 'a.npy' is stored in 76 bytes, 1 are stated"),
    HostileCase(
      "beyond the directory",
      archive(stored) {
        $0.byteCount = 200
        $0.compressedCount = 200
      }, "member 'a.npy' ends at byte 235, the directory starts at 111"),
    HostileCase(
      "header beyond the directory", archive(stored) { $0.headerOffset = 120 },
      "member 'a.npy' has no header at byte 120"),
    HostileCase(
      "header elsewhere", archive(stored) { $0.headerOffset = 1 },
      "member 'a.npy' has no header at byte 1"),
    HostileCase(
      "two names", archive(stored) { $0.localName = Array("b.npy".utf8) },
      "member 'a.npy' is named or compressed otherwise in its own header"),
    HostileCase(
      "two methods", archive(stored) { $0.localMethod = 8 },
      "member 'a.npy' is named or compressed otherwise in its own header"),
    HostileCase(
      "a name that is no text", archive(stored) { $0.name = [0xFF] },
      "the name of the member at byte 107 is not valid UTF-8"),
    HostileCase(
      "not an array", ZipBytes([ZipBytes.Member("read.me", [1])]).bytes,
      "holds 'read.me', which is not an npy file"),
    HostileCase(
      "only a suffix", ZipBytes([ZipBytes.Member(".npy", [1])]).bytes,
      "holds '.npy', which is not an npy file"),
    HostileCase(
      "a PyTorch checkpoint", ZipBytes([ZipBytes.Member("archive/data.pkl", [1])]).bytes,
      "is a checkpoint of PyTorch, which is not read; save the model with safetensors: "
        + "model.save_pretrained(FOLDER) of a current transformers, model.save(FOLDER) of a current "
        + "sentence-transformers, or safetensors.torch.save_file"),
  ]

  static let contentCases: [HostileCase] = [
    HostileCase(
      "wrong CRC-32", archive(stored) { $0.crc = 1 },
      "member 'a.npy': has CRC-32 \(String(ZipBytes.checksum(array), radix: 16)), 1 is stated"),
    HostileCase(
      "wrong CRC-32, deflated", archive(deflated) { $0.crc = 1 },
      "member 'a.npy': has CRC-32 \(String(ZipBytes.checksum(array), radix: 16)), 1 is stated"),
    HostileCase(
      "inflates to more", archive(deflated) { $0.byteCount = 75 },
      "member 'a.npy': inflates to more than the 75 bytes stated"),
    HostileCase(
      "inflates to less", archive(deflated) { $0.byteCount = 77 },
      "member 'a.npy': inflates to 76 bytes, 77 are stated"),
    HostileCase(
      "deflate stream cut off",
      archive(deflated) { $0.stored = ZipBytes.deflated(array).dropLast(4) },
      "member 'a.npy': its deflate stream is cut off"),
    HostileCase(
      "deflate stream damaged", archive(deflated) { $0.stored = [0xFF, 0xFF] },
      "member 'a.npy': its deflate stream is damaged"),
    HostileCase(
      "no deflate stream", archive(deflated) { $0.stored = [] },
      "member 'a.npy': its deflate stream is cut off"),
    HostileCase(
      "bytes after the deflate stream",
      archive(deflated) { $0.stored = ZipBytes.deflated(array) + [0, 0] },
      "member 'a.npy': has 2 bytes after the end of its deflate stream"),
    HostileCase(
      "a bomb", archive(ZipBytes.Member("a.npy", bomb, deflated: true)),
      "member 'a.npy': has 4194304 bytes of data, F32 [2] needs 8"),
    HostileCase(
      "a truncated array", archive(ZipBytes.Member("a.npy", Array(array.dropLast()))),
      "member 'a.npy': has 7 bytes of data, F32 [2] needs 8"),
    HostileCase(
      "objects", archive(ZipBytes.Member("a.npy", NpyBytes.array("|O", "()", data: [0]))),
      "member 'a.npy': holds Python objects; save plain numbers"),
  ]

  private static let bomb =
    NpyBytes.array("<f4", "(2,)", data: []) + [UInt8](repeating: 0, count: 4 << 20)
}
