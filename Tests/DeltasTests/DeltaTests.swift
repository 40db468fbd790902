import Files
import Foundation
import TestSupport
import Testing
import Zstd

@testable import Deltas
@testable import Updates

/// A delta makes the new file of the old one, whatever the two are.
@Suite struct DeltaTests {
  static func noise(_ count: Int, seed: UInt64, _ range: ClosedRange<UInt8> = 0...255) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: range, using: &generator) }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let old: [UInt8]?
    let new: [UInt8]
    /// The most bytes that the delta may have.
    let most: Int

    var testDescription: String { name }
  }

  static let cases: [Case] = {
    let numbers = noise(300_000, seed: 1, 100...156)
    var shaken = numbers
    for place in stride(from: 0, to: numbers.count, by: 50) { shaken[place] &+= 1 }
    let text = Array(String(repeating: "{\"token\": \"a\", \"id\": 17}\n", count: 500).utf8)
    return [
      Case(name: "whole", old: nil, new: numbers, most: 300_000),
      Case(name: "whole and empty", old: nil, new: [], most: 200),
      Case(name: "unchanged", old: numbers, new: numbers, most: 400),
      Case(name: "some codes by one", old: numbers, new: shaken, most: 12_000),
      Case(name: "longer", old: numbers, new: numbers + noise(100, seed: 2), most: 600),
      Case(name: "shorter", old: numbers, new: Array(numbers.prefix(1_000)), most: 400),
      Case(name: "from nothing", old: [], new: Array("text".utf8), most: 200),
      Case(name: "to nothing", old: numbers, new: [], most: 200),
      Case(name: "moved", old: numbers, new: noise(33, seed: 3) + numbers, most: 600),
      Case(name: "text", old: text, new: text + Array("{\"token\": \"b\"}".utf8), most: 300),
    ]
  }()

  @Test(arguments: cases) func theNewFileComesBack(_ given: Case) throws {
    let files = try DeltaFiles()
    let delta = try files.delta(given.old, given.new).all
    #expect(delta.count <= given.most)
    let made = try files.apply(delta, given.old, try files.identity(given.new))
    #expect(made == given.new)
  }

  @Test func theBytesDoNotDependOnThreads() throws {
    let files = try DeltaFiles()
    let (old, new) = (Self.noise(3_000_000, seed: 4), Self.noise(3_000_000, seed: 5))
    let one = try files.delta(old, new, workers: 1).all
    let three = try files.delta(old, new, workers: 3).all
    #expect(one == three)
  }

  /// zstd's own program reads the frame; its first block is the file as it is.
  @Test func zstdReadsTheFrame() throws {
    let files = try DeltaFiles()
    let new = Self.noise(10_000, seed: 6)
    let delta = try files.delta(nil, new).all
    let frame = try files.folder.write("frame.zst", Array(delta.dropFirst(DeltaHeader.byteCount)))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["zstd", "-q", "-d", frame, "-o", files.folder.path("frame")]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let content = try MappedFile(path: files.folder.path("frame")).all
    #expect(content == DeltaBlock(.plain, at: 0, count: new.count).bytes + new)
  }

  /// Tensors are compared by name, wherever they are, and codes by difference.
  @Test func tensorsAreComparedByName() throws {
    func file(_ tensors: [(String, [UInt8])]) -> [UInt8] {
      var (members, data) = ([String](), [UInt8]())
      for (name, bytes) in tensors {
        members.append(
          "\"\(name)\":{\"dtype\":\"U8\",\"shape\":[\(bytes.count)],\"data_offsets\":"
            + "[\(data.count),\(data.count + bytes.count)]}")
        data += bytes
      }
      let header = Array("{\(members.joined(separator: ","))}".utf8)
      return (0..<8).map { UInt8(truncatingIfNeeded: header.count >> (8 * $0)) } + header + data
    }
    let (first, second) = (Self.noise(5_000_000, seed: 7), Self.noise(5_000_000, seed: 8))
    let old = file([("first", first), ("second", second)])
    let new = file([("added", Self.noise(500, seed: 9)), ("second", second), ("first", first)])
    let files = try DeltaFiles()
    let delta = try files.delta(old, new).all
    #expect(delta.count < 3_000)
    #expect(try files.apply(delta, old, try files.identity(new)) == new)
  }

  /// A tensor that was trained anew is written plain, behind one that stays.
  @Test func aPlainPartMayFollowAnother() throws {
    let stays = Self.noise(5_000_000, seed: 10)
    let (old, new) = (
      stays + Self.noise(400_000, seed: 11, 0...15), stays + Self.noise(400_000, seed: 12, 0...15)
    )
    func file(_ bytes: [UInt8]) -> [UInt8] {
      let header = Array(
        "{\"a\":{\"data_offsets\":[0,5000000]},\"b\":{\"data_offsets\":[5000000,5400000]}}".utf8)
      return littleEndian(UInt64(header.count)) + header + bytes
    }
    let files = try DeltaFiles()
    let delta = try files.delta(file(old), file(new)).all
    #expect(delta.count < 300_000)
    #expect(try files.apply(delta, file(old), try files.identity(file(new))) == file(new))
  }

  /// Records that never go on are not a file of weights.
  @Test func recordsThatDoNotGoOnAreNone() throws {
    let record = littleEndian(UInt32(0xDEAD_BEEF)) + [UInt8](repeating: 0, count: 12)
    let file =
      littleEndian(UInt32.max) + [UInt8](repeating: 0, count: 60) + record
      + littleEndian(UInt64(64)) + [UInt8](repeating: 0, count: 40)
    let runs = TensorRuns(of: try DeltaFiles().file("weight.bin", file)).runs
    #expect(runs.isEmpty)
  }
}
