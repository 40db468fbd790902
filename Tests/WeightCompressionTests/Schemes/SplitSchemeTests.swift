import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import WeightCompression

/// Tables in two parts.
struct SplitSchemeTests {
  static func table(_ rows: Int, _ width: Int) -> WeightReference {
    WeightReference("t", [rows, width], role: .tokenTable)
  }

  private static let groups = Scheme.palette(bits: 6, .perGroup(size: 2))
  private static let int4 = Scheme.linear(
    LinearScheme(.int4, granularity: .perBlock(size: 4), range: .leastSquares))

  /// What the first rows and the others are stored by.
  static let pairs: [[Scheme]] = [
    [groups, .palette(bits: 3, .perGroup(size: 4))],
    [.int8(.perChannel), .palette(bits: 2, .perTensor)],
    [.palette(bits: 8, .perTensor), int4],
    [
      .linear(LinearScheme(.uint8, mode: .asymmetric, granularity: .perTensor)),
      .palette(PaletteScheme(bits: 3, granularity: .perGroup(size: 4), entries: .int8)),
    ],
    [
      .palette(PaletteScheme(bits: 4, granularity: .perGroup(size: 2), width: 2)),
      .palette(PaletteScheme(bits: 1, granularity: .perTensor, width: 4)),
    ],
  ]

  func values(_ count: Int, _ seed: UInt64) -> [Float] {
    var random = SeededGenerator(seed: seed)
    return Samples.gaussian.values(count, &random)
  }

  private func compressed(
    _ reference: WeightReference, _ values: [Float], _ scheme: Scheme, _ floats: FloatType,
    _ effort: ClusteringEffort = .least
  ) throws -> CompressedTensor {
    let source = MemoryWeights(tensors: [reference.name: (reference.shape, values)])
    let planned = try WeightCompressor.plan(
      weights: [reference], from: source,
      options: try CompressionOptions(scheme: scheme, floats: floats))
    let tensor = try WeightCompressor.compress(planned, from: source, effort: effort, jobs: 2)[0]
    #expect(tensor.byteCount == planned[0].byteCount)
    #expect(tensor.scheme == planned[0].scheme)
    return tensor
  }

  /// Bit for bit what each part is as a weight of its own.
  @Test(arguments: pairs, [FloatType.float32, .float16])
  func eachPartIsStoredAsAloneAndDecodedTo(_ pair: [Scheme], _ floats: FloatType) throws {
    let values = values(24 * 20, 401)
    for effort in [ClusteringEffort.least, .little] {
      let whole = try compressed(
        Self.table(24, 20), values,
        .split(SplitScheme(rows: 8, first: pair[0], rest: pair[1])), floats, effort)
      let first = try compressed(
        Self.table(8, 20), Array(values[..<160]), pair[0], floats, effort)
      let rest = try compressed(
        Self.table(16, 20), Array(values[160...]), pair[1], floats, effort)
      #expect(
        whole.content
          == .split(SplitCodes(rows: 8, first: first.content, rest: rest.content)))
      #expect(whole.dequantized() == first.dequantized() + rest.dequantized())
      #expect(whole.byteCount == first.byteCount + rest.byteCount)
      #expect(whole.bits == max(first.bits, rest.bits))
    }
  }

  @Test func isLabelledByBothParts() {
    let scheme = Scheme.split(SplitScheme(rows: 8, first: Self.groups, rest: .int8(.perTensor)))
    #expect(scheme.label == "8 rows in palette 6 bits in groups of 2, others in int8 per tensor")
  }

  /// Ranges before, across and behind the place where the parts meet; the second table has it within
  /// a piece of decoding that is not the first.
  @Test(arguments: pairs, [(24, 20, 8), (300, 20, 252), (16, 2, 12)])
  func decodesAnyRange(_ pair: [Scheme], _ size: (rows: Int, width: Int, first: Int)) throws {
    let count = size.rows * size.width
    guard size.width % 4 == 0 || pair[1] != Self.int4 else { return }
    let values = values(count, 402)
    let tensor = try compressed(
      Self.table(size.rows, size.width), values,
      .split(SplitScheme(rows: size.first, first: pair[0], rest: pair[1])), .float32)
    let all = tensor.dequantized()
    #expect(all.count == count)
    let place = size.first * size.width
    for start in [0, 1, 7, place - 9, place - 8, place - 1, place, place + 1] {
      for end in [place - 1, place, place + 1, place + 9, count - 1, count]
      where start < end && end <= count {
        #expect(tensor.dequantized(in: start..<end) == Array(all[start..<end]), "\(start)..<\(end)")
      }
    }
  }

  struct Case: CustomTestStringConvertible {
    let name: String
    var reference = SplitSchemeTests.table(16, 8)
    var rows = 4
    var first = Scheme.int8(.perChannel)
    var rest = Scheme.int8(.perChannel)
    let reason: String
    var testDescription: String { name }
  }

  static let faults = [
    Case(
      name: "a matrix", reference: .matrix([16, 8]),
      reason: "is not a table of tokens; only those are split; use one scheme for all its rows"),
    Case(
      name: "a table of one axis", reference: WeightReference("t", [16], role: .tokenTable),
      reason: "is not a table of tokens; only those are split; use one scheme for all its rows"),
    Case(
      name: "all rows", rows: 16,
      reason: "has 16 rows, and is split after 16; use 1 to 15 rows"),
    Case(
      name: "more rows", rows: .max,
      reason: "has 16 rows, and is split after \(Int.max); use 1 to 15 rows"),
    Case(
      name: "one row", reference: table(1, 8), rows: 1,
      reason: "has 1 row, and is split after 1; use one scheme for all its rows"),
    Case(
      name: "no whole byte", reference: table(16, 3),
      reason: "is split after 4 rows of 3 values, which do not fill groups of eight; "
        + "use a multiple of 8 rows"),
    Case(
      name: "no whole byte of an even width", reference: table(16, 6), rows: 1,
      reason: "is split after 1 row of 6 values, which do not fill groups of eight; "
        + "use a multiple of 4 rows"),
    Case(
      name: "no whole byte of a width of whole halves", reference: table(16, 12), rows: 3,
      reason: "is split after 3 rows of 12 values, which do not fill groups of eight; "
        + "use a multiple of 2 rows"),
    Case(
      name: "groups of the first part", first: .palette(bits: 6, .perGroup(size: 3)),
      reason: "rows from 0 on: 4 channels are no multiple of the group size 3; "
        + "use a group size of 2, or per-tensor"),
    Case(
      name: "groups of the other part", rest: .palette(bits: 6, .perGroup(size: 5)),
      reason: "rows from 4 on: 12 channels are no multiple of the group size 5; "
        + "use a group size of 4 or 6, or per-tensor"),
  ]

  @Test(arguments: faults)
  func saysWhyAWeightIsNotSplit(_ item: Case) {
    let scheme = SplitScheme(rows: item.rows, first: item.first, rest: item.rest)
    #expect(scheme.fault(of: item.reference)?.reason == item.reason)
  }

  @Test func aTableThatTakesItHasNoFault() {
    let scheme = SplitScheme(rows: 15, first: .int8(.perChannel), rest: .int8(.perChannel))
    #expect(scheme.fault(of: Self.table(16, 8)) == nil)
  }

  @Test(
    arguments: [
      (
        0, Scheme.int8(.perTensor),
        "a table cannot be split after 0 rows; choose at least 1 and fewer"
      ),
      (8, Scheme.unique, "the parts of a split table are integers or palettes, not unique"),
      (
        8, .split(SplitScheme(rows: 8, first: .int8(.perTensor), rest: .int8(.perTensor))),
        "the parts of a split table are integers or palettes, not split"
      ),
      (8, .palette(bits: 5, .perTensor), "a palette cannot have 5 bits; choose 1, 2, 3, 4, 6 or 8"),
    ] as [(Int, Scheme, String)])
  func refusesPartsThatNoTableHas(_ rows: Int, _ part: Scheme, _ words: String) {
    for scheme in [
      SplitScheme(rows: rows, first: part, rest: .int8(.perTensor)),
      SplitScheme(rows: rows, first: .int8(.perTensor), rest: part),
    ] {
      let error = #expect(throws: CompressionError.self) {
        try CompressionOptions(scheme: .split(scheme))
      }
      #expect(error?.description.hasPrefix(words) == true)
    }
  }

  private static let eight = CompressedTensor.Content.int8(
    codes: [Int8](repeating: 1, count: 8), scales: [1], blocks: [1, 1])

  static let numbers: [(SplitCodes, String)] = [
    (
      SplitCodes(rows: 0, first: eight, rest: eight),
      "tensor 't': has 2 rows, and is split after 0; use 1 to 1 rows"
    ),
    (
      SplitCodes(rows: 2, first: eight, rest: eight),
      "tensor 't': has 2 rows, and is split after 2; use 1 to 1 rows"
    ),
    (
      SplitCodes(rows: 1, first: .uncompressed([]), rest: eight),
      "the parts of a split table are integers or palettes, not none"
    ),
    (
      SplitCodes(
        rows: 1, first: eight, rest: .split(SplitCodes(rows: 1, first: eight, rest: eight))),
      "the parts of a split table are integers or palettes, not split"
    ),
    (
      SplitCodes(
        rows: 1, first: eight, rest: .int8(codes: [1, 2], scales: [1], blocks: [1, 1])),
      "tensor 't': 2 bytes of codes, its shape needs 8"
    ),
    (
      SplitCodes(
        rows: 1, first: .palette(indices: [0], bits: 1, palettes: [1], blocks: [1, 1]),
        rest: eight), "tensor 't': 1 palette entries, its shape needs 2"
    ),
  ]

  @Test(arguments: numbers.indices)
  func refusesNumbersThatDoNotFit(_ index: Int) throws {
    let (codes, words) = Self.numbers[index]
    let error = #expect(throws: CompressionError.self) {
      try CompressedTensor(Self.table(2, 8), .split(codes), relativeError: 0)
    }
    #expect(error?.description == words)
  }

  /// The parts as the tensors they would be alone.
  @Test func itsPartsAreTensors() throws {
    let other = CompressedTensor.Content.int8(
      codes: [Int8](repeating: 2, count: 8), scales: [1], blocks: [1, 1])
    let codes = SplitCodes(rows: 1, first: Self.eight, rest: other)
    let (first, rest) = try codes.tensors(of: Self.table(2, 8), .float32)
    #expect(first.reference == Self.table(1, 8) && rest.reference == Self.table(1, 8))
    #expect(first.dequantized() == [Float](repeating: 1, count: 8))
    #expect(rest.dequantized() == [Float](repeating: 2, count: 8))
  }
}
