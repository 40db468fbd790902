import Graph
import Testing
import Weights

@testable import WeightCompression

/// Numbers as places in the tables of their groups.
struct ValueTablesTests {
  /// The example of `specs/formats/compressed-safetensors.md`.
  @Test func placesLieAsThePageSays() throws {
    let values: [Float] = [0.5, 7, 0.25, 7, 1]
    let codes = try #require(TableCodes(fewestFor: values, groups: [0, 1, 0, 1, 0], named: "g"))
    #expect(codes.tables == ValueTables(bits: 2, groups: "g", count: 2, width: 3, isHalf: true))
    #expect(codes.entries == [0.25, 0.5, 1, 7, 7, 7])
    #expect(codes.places == [0b0000_0001, 0b10])
    #expect(codes.values(of: [0, 1, 0, 1, 0]) == values)
    #expect(NarrowCodes(codes, values).byteCount(.float32) == 2 + 2 * 6)
  }

  @Test(arguments: [1, 2, 3, 255, 256, 257, 65_536])
  func theFewestBitsAreTaken(_ count: Int) throws {
    let values = (0..<count).map { Float($0) + 0.1 }
    let codes = try #require(
      TableCodes(fewestFor: values, groups: values.map { _ in 0 }, named: "g"))
    #expect(1 << codes.tables.bits >= count && 1 << (codes.tables.bits - 1) < max(2, count))
    #expect(!codes.tables.isHalf)
    #expect(codes.values(of: values.map { _ in 0 }) == values)
  }

  @Test func zerosOfBothSignsStayApart() throws {
    let codes = try #require(TableCodes(fewestFor: [0, -0.0, 1], groups: [0, 0, 0], named: "g"))
    #expect(codes.values(of: [0, 0, 0])?.map(\.bitPattern) == [0, 0x8000_0000, 0x3F80_0000])
  }

  @Test func moreNumbersThanPlacesHaveBitsForAreNone() {
    let values = (0...65_536).map { Float($0) }
    #expect(TableCodes(fewestFor: values, groups: values.map { _ in 0 }, named: "g") == nil)
    #expect(TableCodes(fewestFor: [], groups: [], named: "g") == nil)
    // A table of a thousand numbers for each of a hundred thousand groups.
    let many = (0..<1000).map { Float($0) }
    #expect(
      TableCodes(fewestFor: many + [1], groups: many.map { _ in 0 } + [99_999], named: "g") == nil)
  }

  @Test func whatIsBeyondTheTablesIsNotRead() {
    let tables = ValueTables(bits: 2, groups: "g", count: 1, width: 3, isHalf: false)
    func values(_ places: [UInt8], _ groups: [Int]) -> [Float]? {
      TableCodes(tables, places: places, entries: [1, 2, 3]).values(of: groups)
    }
    #expect(values([0b10_01_00], [0, 0, 0]) == [1, 2, 3])
    #expect(values([0b11_01_00], [0, 0, 0]) == nil)
    #expect(values([0b10_01_00], [0, 1, 0]) == nil)
    #expect(values([0b10_01_00], [0, -1, 0]) == nil)
    #expect(values([0, 0], [0, 0, 0]) == nil)
  }
}
