import Testing

@testable import Trees

/// Thresholds of 64 bits in 32, where no branch decides otherwise for a row.
struct TreeRoundingTests {
  private static func stump(
    _ threshold: Double, _ rule: TreeEnsemble.Rule = [], roundsFeatures: Bool = false
  ) throws(TreeError) -> TreeEnsemble {
    var builder = try TreeEnsembleBuilder(
      path: "a", featureCount: 1, base: [0],
      precision: .init(roundsFeatures: roundsFeatures, addsFloats: false), transform: .identity)
    try builder.add(
      TreeNodes([
        .branch(feature: 0, threshold: threshold, rule: rule, left: 1, right: 2), .leaf([1]),
        .leaf([2]),
      ]))
    return try builder.finish()
  }

  /// The nearest number of 32 bits, or one next to it where a row lies between both.
  @Test(arguments: [[], .isStrict, .isEqual] as [TreeEnsemble.Rule])
  func rowsGoWhereTheyWent(_ rule: TreeEnsemble.Rule) throws {
    let rows: [Double] = [-3, 0.1, 0.2, 0.30000000000000004, .nan, 7]
    for threshold in [0.1, 0.25, 0.3, 1.0 / 3, -2, 6.999999999, 100] {
      let own = try Self.stump(threshold, rule)
      guard let rounded = own.roundingThresholds(rows: rows.map { [$0] }) else {
        // No number of 32 bits is equal to a row that is none.
        #expect(rule.contains(.isEqual) && rows.contains(threshold))
        continue
      }
      let found = rounded.thresholds[0]
      #expect(found == Double(Float(found)))
      #expect(abs(found - threshold) <= Double(Float(threshold).ulp))
      for row in rows { #expect(own.outputs(of: [row]) == rounded.outputs(of: [row]), "\(row)") }
    }
  }

  @Test func aRowBesideTheThresholdChoosesTheSide() throws {
    // 0.1 as 32 bits is above 0.1, and a row lies between them.
    let row = 0.1.nextUp
    #expect(Double(Float(0.1)) > row)
    let rounded = try #require(try Self.stump(0.1).roundingThresholds(rows: [[row], [1]]))
    #expect(rounded.thresholds == [Double(Float(0.1).nextDown)])
    let others = try Self.stump(0.1).roundingThresholds(rows: [[0], [1]])
    #expect(others?.thresholds == [Double(Float(0.1))])
  }

  @Test func thresholdsStayWhereRowsAreTooNear() throws {
    let threshold = 0.1
    let rows = [[threshold], [threshold.nextUp]]
    #expect(try Self.stump(threshold).roundingThresholds(rows: rows) == nil)
    #expect(try Self.stump(threshold, roundsFeatures: true).roundingThresholds(rows: []) == nil)
    #expect(try Self.stump(threshold).roundingThresholds(rows: [[]]) == nil)
  }

  /// A time in seconds: 32 bits keep it to two minutes, and rows of tomorrow lie between those of today.
  @Test func thresholdsStayWhereTheirFeatureIsLargeBesideItsRange() throws {
    let own = try Self.stump(1_700_000_050)
    #expect(own.roundingThresholds(rows: [[1_700_000_000], [1_700_086_400]]) == nil)
    #expect(own.roundingThresholds(rows: [[0], [1_700_086_400]]) != nil)
    #expect(try Self.stump(0.1).roundingThresholds(rows: []) == nil)
  }

  /// One number of 32 bits is enough then, and is read back.
  @Test func roundedThresholdsAreOneNumber() throws {
    let rounded = try #require(try Self.stump(0.1).roundingThresholds(rows: [[0], [1]]))
    var header = rounded.header
    header.thresholdCount = 1
    #expect(TreeArrays.thresholds.shape(header) == [1, 1])
    let read = try TreeEnsemble(header, path: "b") {
      Array(rounded.values(of: $0).prefix($0.shape(header).reduce(1, *)))
    }
    #expect(read == rounded)
  }
}
