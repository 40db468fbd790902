import Testing
import Trees

@testable import Formats

/// Bytes written by hand from the format's field numbers, as coremltools writes them.
struct TabularBytesTests {
  private static func double(_ value: Double) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(8 * $0)) }
  }

  @Test func treesAreNodesInAList() throws {
    let nodes = TreeNodes([
      .branch(feature: 0, threshold: 0.5, rule: [], left: 1, right: 4),
      .branch(feature: 1, threshold: 3, rule: [.isStrict, .missingGoesLeft], left: 2, right: 3),
      .leaf([1]), .leaf([0]), .leaf([-2]),
    ])
    let program = try TabularProgram(
      path: "a", inputs: [.init("d", .double), .init("e", .double)],
      regressor: .treeRegressor(try TabularFixtures.ensemble([nodes])), name: "p")
    let info: (Double) -> [UInt8] = { [0xa2, 0x01, 0x09, 0x11] + Self.double($0) }
    let written: [[UInt8]] = [
      [0x59] + Self.double(0.5) + [0x60, 1, 0x68, 4],
      [0x10, 1, 0x18, 1, 0x50, 1, 0x59] + Self.double(3) + [0x60, 2, 0x68, 3, 0x70, 1],
      [0x10, 2, 0x18, 6] + info(1),
      [0x10, 3, 0x18, 6, 0xa2, 0x01, 0x00],
      [0x10, 4, 0x18, 6] + info(-2),
    ]
    let ensemble =
      written.flatMap { [0x0a, UInt8($0.count)] + $0 } + [0x10, 1, 0x1a, 8] + Self.double(0.25)
    let regressor = [0x0a, UInt8(ensemble.count)] + ensemble
    let description: [UInt8] =
      [0x0a, 7, 0x0a, 1, 0x64, 0x1a, 2, 0x12, 0] + [0x0a, 7, 0x0a, 1, 0x65, 0x1a, 2, 0x12, 0]
      + [0x52, 7, 0x0a, 1, 0x70, 0x1a, 2, 0x12, 0] + [0x5a, 1, 0x70]
    #expect(
      try program.serialized() == [0x08, 1, 0x12, UInt8(description.count)] + description
        + [0xf2, 0x12, UInt8(regressor.count)] + regressor)
  }

  @Test func aClassifierHasLabelsAndADictionary() throws {
    let program = try TabularProgram(
      path: "a", inputs: [.init("d", .double)],
      classifier: .linearClassifier(
        .init(
          weights: [[2]], offsets: [0.5], encoding: .oneVersusRest, labels: .integers([3, 4]))),
      labels: .integers([3, 4]), name: "p")
    let model: [UInt8] =
      [0x0a, 10, 0x0a, 8] + Self.double(2) + [0x12, 8] + Self.double(0.5) + [0x20, 1]
      + [0xaa, 0x06, 4, 0x0a, 2, 3, 4]
    let description: [UInt8] =
      [0x0a, 7, 0x0a, 1, 0x64, 0x1a, 2, 0x12, 0] + [0x52, 7, 0x0a, 1, 0x70, 0x1a, 2, 0x0a, 0]
      + [0x52, 15, 0x0a, 7] + Array("p_probs".utf8) + [0x1a, 4, 0x32, 2, 0x0a, 0]
      + [0x5a, 1, 0x70] + [0x62, 7] + Array("p_probs".utf8)
    #expect(
      try program.serialized() == [0x08, 1, 0x12, UInt8(description.count)] + description
        + [0x82, 0x19, UInt8(model.count)] + model)
  }

  @Test func scalersAndImputersArePackedDoubles() throws {
    let array = TabularFeature("x", .array(1))
    let scaler = try TabularProgram(
      path: "a", inputs: [array], outputs: [array], step: .scaler(shift: [1], scale: [2]))
    let feature: [UInt8] = [0x0a, 1, 0x78, 0x1a, 9, 0x2a, 7, 0x0a, 1, 1, 0x10, 0xc0, 0x80, 0x04]
    let description =
      [0x0a, UInt8(feature.count)] + feature + [0x52, UInt8(feature.count)] + feature
    let start = [0x08, 1, 0x12, UInt8(description.count)] + description
    #expect(
      try scaler.serialized() == start + [0xe2, 0x25, 20, 0x0a, 8] + Self.double(1) + [0x12, 8]
        + Self.double(2))
    let imputer = try TabularProgram(
      path: "a", inputs: [array], outputs: [array], step: .imputer(.array([2], missing: 0.5)))
    #expect(
      try imputer.serialized() == start + [0xca, 0x25, 21, 0x22, 10, 0x0a, 8] + Self.double(2)
        + [0x59] + Self.double(0.5))
  }
}
