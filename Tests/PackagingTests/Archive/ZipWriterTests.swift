import Files
import Formats
import Foundation
import TestSupport
import Testing
import Weights

@testable import Packaging

@Suite struct ZipWriterTests {
  @Test func recordsAreTheOneForm() throws {
    #expect(try ZipArchive().bytes.count > 0)
    let bytes = try Sample.zip.get()
    let tar = try Tarball()
    #expect(bytes == (try ZipArchive(of: tar).bytes))
    #expect(
      bytes.count
        == Zip.byteCount(of: try tar.manifest, manifestBytes: tar.entries[0].content.count))
  }

  @Test func holdsItsTimeInUTC() throws {
    let expected = try Sample.zip.get()
    #expect(ContentDigest(of: expected) == ContentDigest(of: try Sample.zip.get()))
    // Bytes 10 to 13 of the first header: 2026-11-21 00:00 in UTC; nothing here reads TZ.
    #expect(Array(expected[10..<14]) == [0, 0, 0x75, 0x5D])
  }

  struct Moment: CustomTestStringConvertible, Sendable {
    let seconds: Int
    let date: (Int, Int, Int)
    let time: (Int, Int, Int)
    var testDescription: String { "\(seconds)" }
  }

  @Test(arguments: [
    Moment(seconds: 0, date: (1980, 1, 1), time: (0, 0, 0)),
    Moment(seconds: 315_532_799, date: (1980, 1, 1), time: (0, 0, 0)),
    Moment(seconds: 315_532_800, date: (1980, 1, 1), time: (0, 0, 0)),
    Moment(seconds: 315_532_803, date: (1980, 1, 1), time: (0, 0, 2)),
    Moment(seconds: 951_827_696, date: (2000, 2, 29), time: (12, 34, 56)),
    Moment(seconds: 2_147_483_648, date: (2038, 1, 19), time: (3, 14, 8)),
    Moment(seconds: 4_102_444_800, date: (2100, 1, 1), time: (0, 0, 0)),
    Moment(seconds: 4_354_819_199, date: (2107, 12, 31), time: (23, 59, 58)),
    Moment(seconds: 4_354_819_200, date: (2107, 12, 31), time: (23, 59, 58)),
    Moment(seconds: Timestamp.maximum, date: (2107, 12, 31), time: (23, 59, 58)),
  ])
  func times(_ moment: Moment) throws {
    let found = DOSTime(try Sample.time(moment.seconds))
    let (date, time) = (Int(found.date), Int(found.time))
    #expect((date >> 9 + 1980, date >> 5 & 15, date & 31) == moment.date)
    #expect((time >> 11, time >> 5 & 63, (time & 31) * 2) == moment.time)
  }

  @Test func readsBackAtTheEdgesOfTime() throws {
    for seconds in [0, 1, 315_532_801, 4_354_819_200, Timestamp.maximum] {
      let plan = try PackageContents(try Sample.details(seconds: seconds), try Sample.models())
      #expect(throws: Never.self) { try Sample.bytes(of: plan, as: .zip) }
    }
  }

  @Test func refusesWhatNeedsZip64() throws {
    let proven = try ProvenModel(seed: 0.5)
    let size = 5 << 30
    let huge = EmittedModel(
      path: proven.emitted.path, format: .safetensors, digest: proven.emitted.digest,
      files: [EmittedModel.File(path: "", byteCount: size, digest: proven.emitted.digest)])
    let model = try PackagedModel(
      huge, receipt: proven.receipt, identity: .shared(name: "x"), details: proven.details)
    let plan = try PackageContents(try Sample.details(), [model])
    let byteCount = Zip.byteCount(of: plan.manifest, manifestBytes: plan.manifest.bytes.count)
    #expect(byteCount > size)
    let scratch = try TemporaryFolder()
    let path = scratch.path("a.zip")
    #expect(
      message { _ = try PackageWriter(workers: 1).write(plan, as: .zip, to: path) }
        == "a zip archive of \(byteCount) bytes and 4 entries would need Zip64; at most 4294967294 "
        + "bytes and 65534 entries do without")
    #expect(try Folder.names(in: scratch.path).isEmpty)
  }

  static let tools: [[String]] = [
    ["unzip", "-t"], ["zipinfo", "-v"], ["bsdtar", "-tvf"], ["python3", "-m", "zipfile", "-t"],
  ]

  @Test(arguments: tools) func otherToolsReadIt(_ tool: [String]) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("p.zip", try Sample.zip.get())
    guard try run("sh", "-c", "command -v \(tool[0])").status == 0 else {
      print("\(tool[0]) is not installed")
      return
    }
    let found = try run(tool + [path])
    #expect(found.status == 0, "\(found.output)")
    #expect(!found.output.lowercased().contains("warning"), "\(found.output)")
  }

  @Test func unzipGivesTheSameFiles() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("p.zip", try Sample.zip.get())
    guard try run("sh", "-c", "command -v unzip").status == 0 else {
      print("unzip is not installed")
      return
    }
    let ours = scratch.path("ours")
    _ = try PackageExtractor.extract(path, to: ours)
    let unzip = try run("unzip", "-q", path, "-d", scratch.path("theirs"))
    #expect(unzip.status == 0, "\(unzip.output)")
    let difference = try run("diff", "-r", ours, scratch.path("theirs"))
    #expect(difference.status == 0, "\(difference.output)")
    let listing = try run("unzip", "-Z", "-l", "-T", path).output.split(separator: "\n")
    let lines = listing.filter { $0.hasPrefix("-rw-r--r--") }
    #expect(lines.count == 6)
    #expect(lines.allSatisfy { $0.contains(" stor ") && $0.contains("20261121.000000") })
  }
}
