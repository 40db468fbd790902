import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import Gate

/// Rows that are worse than compression explains, and schemes that leave none.
struct RowAuditTests {
  static let rows = 400
  static let width = 32
  static let table = WeightReference("table", [rows, width], role: .tokenTable)
  /// As if the references held every eighth token.
  static let reached = (0..<rows).map { $0 % 8 == 0 }

  /// Rows of very different lengths, and one with a number far larger than the others.
  static let values: [Float] = {
    var generator = SeededGenerator(seed: 41)
    var values: [Float] = []
    for row in 0..<rows {
      let size = row % 25 == 3 ? Float(0.1) : Float.random(in: 0.7...1.3, using: &generator)
      values += generator.normal(width).map { $0 * size }
    }
    values[17 * width + 5] = 12
    return values
  }()

  static func audit(
    _ new: [Float], _ reference: WeightReference = table, old: [Float] = values,
    reached: [Bool]? = reached, isCalibrated: Bool = false, isExact: Bool = false
  ) -> RowAudit {
    let layout = RunLayout(rowsOf: reference)
    let rows = RowErrors(old: old, new: new, layout)
    let typical = TypicalError.value(
      rows, old: old, new: new, layout, reached: reached, fewest: RowRule.fewestRows)
    return RowAudit(
      rows, old: old, new: new, layout,
      RowRule(reference.role, isCalibrated: isCalibrated, isExact: isExact),
      typical: typical, reached: reached)
  }

  // MARK: - Schemes

  struct Scheme: Sendable, CustomTestStringConvertible {
    let name: String
    let apply: @Sendable ([Float]) -> [Float]
    var testDescription: String { name }
  }

  static let schemes: [Scheme] = [
    Scheme(name: "none") { $0 },
    Scheme(name: "bfloat16") { $0.map(\.roundedToBFloat16) },
    Scheme(name: "int8 per channel") { TinySchemes.integers($0, 127, width) },
    Scheme(name: "int4 per channel") { TinySchemes.integers($0, 7, width) },
    Scheme(name: "int4 per block") { TinySchemes.integers($0, 7, 8) },
    Scheme(name: "int8 per tensor") { TinySchemes.integers($0, 127, $0.count) },
    Scheme(name: "int4 per tensor") { TinySchemes.integers($0, 7, $0.count) },
    Scheme(name: "6-bit palette") { TinySchemes.palette($0, 64) },
    Scheme(name: "3-bit palette") { TinySchemes.palette($0, 8) },
    Scheme(name: "2-bit palette") { TinySchemes.palette($0, 4) },
    Scheme(name: "1-bit palette") { TinySchemes.palette($0, 2) },
  ]

  @Test(arguments: schemes)
  func whatASchemeExplainsIsNoFault(_ scheme: Scheme) {
    let audit = Self.audit(scheme.apply(Self.values))
    #expect(audit.faults == [] && audit.unusual == [])
    #expect(audit.compared == Self.rows)
    #expect(audit.refused("table") == nil)
  }

  /// Thresholds of one library stay bit for bit: a whole number that equals one goes another way by the next.
  @Test func thresholdsStay() {
    let old: [Float] = [0, 1e-20, 2008.5, -3.25, 1_700_000_000]
    let reference = WeightReference("trees.thresholds", [old.count], role: .statistic)
    func faults(_ new: [Float]) -> Int {
      Self.audit(new, reference, old: old, reached: nil, isExact: true).faults.count
    }
    #expect(faults(old) == 0)
    #expect(faults(old.map { $0 == 0 ? -0 : $0 }) == 0)
    #expect(faults(old.map(\.nextUp)) == old.count)
    #expect(faults(old.map(\.nextDown)) == old.count)
    for (place, value) in [
      (0, 1e-30), (0, .leastNonzeroMagnitude), (1, 2e-20), (2, 2011.5), (2, Float(2008.5).nextUp),
      (3, -3.25001), (4, 1_700_000_512),
    ] as [(Int, Float)] {
      var new = old
      new[place] = value
      #expect(faults(new) == 1, "\(value)")
    }
    // Means and scales may be in 16 bits.
    #expect(
      Self.audit(
        [2009], WeightReference("mean", [1], role: .statistic), old: [2008.5],
        reached: nil
      ).faults.isEmpty)
  }

  // MARK: - Attacks

  struct Attack: Sendable, CustomTestStringConvertible {
    let name: String
    /// The rows in place of those that no reference reaches.
    let apply: @Sendable (_ row: [Float], _ random: inout SeededGenerator) -> [Float]
    var testDescription: String { name }
  }

  static let attacks: [Attack] = [
    Attack(name: "zero") { row, _ in row.map { _ in 0 } },
    Attack(name: "negated") { row, _ in row.map { -$0 } },
    Attack(name: "random") { row, random in random.normal(row.count) },
  ]

  /// Seven of eight rows are not the baseline's any more: the reached rows show what is typical.
  @Test(arguments: attacks, schemes)
  func untouchedRowsOfOtherNumbersAreRefused(_ attack: Attack, _ scheme: Scheme) {
    var generator = SeededGenerator(seed: 42)
    var new = scheme.apply(Self.values)
    for row in 0..<Self.rows where !Self.reached[row] {
      let range = row * Self.width..<(row + 1) * Self.width
      new.replaceSubrange(range, with: attack.apply(Array(new[range]), &generator))
    }
    let faults = Self.audit(new).faults
    // One bit for each number leaves little to tell rows by.
    let minimum = scheme.name.hasPrefix("1-bit") ? 100 : 250
    #expect(faults.count >= minimum, "\(faults.count)")
    #expect(faults.allSatisfy { !Self.reached[$0.row] })
  }

  @Test(arguments: attacks)
  func oneRowIsFound(_ attack: Attack) {
    var generator = SeededGenerator(seed: 43)
    var new = TinySchemes.integers(Self.values, 127, Self.width)
    let range = 101 * Self.width..<102 * Self.width
    new.replaceSubrange(range, with: attack.apply(Array(new[range]), &generator))
    #expect(Self.audit(new).faults.map(\.row) == [101])
  }

  @Test func twoRowsInEachOthersPlaceAreFound() {
    var new = TinySchemes.integers(Self.values, 7, 8)
    for column in 0..<Self.width {
      new.swapAt(33 * Self.width + column, 34 * Self.width + column)
    }
    let audit = Self.audit(new)
    #expect(audit.faults.map(\.row) == [33, 34])
    #expect(
      audit.refused("table")?.refusal.hasPrefix(
        "2 of 400 rows of the candidate's weight 'table' are worse than its compression explains, "
          + "the first row 33: relative error ") == true)
  }

  @Test func aRowThatWasZeroIsComparedAbsolutely() {
    var old = Self.values
    old.replaceSubrange(0..<Self.width, with: [Float](repeating: 0, count: Self.width))
    var new = TinySchemes.integers(old, 127, Self.width)
    #expect(Self.audit(new, old: old).faults == [])
    new[0] = 0.001
    #expect(Self.audit(new, old: old).faults == [])
    new[0] = 1
    #expect(Self.audit(new, old: old).faults.map(\.row) == [0])
  }

  /// An uncompressed weight keeps its values: at most they are rounded to 16 bits.
  @Test func whatIsKeptMayBeRoundedAndNothingElse() {
    let positions = WeightReference("positions", [Self.rows, Self.width], role: .positionTable)
    var new = Self.values.map { Float(Float16($0)) }
    #expect(Self.audit(new, positions).faults == [])
    for column in 0..<Self.width { new[390 * Self.width + column] *= 1.01 }
    #expect(Self.audit(new, positions).faults.map(\.row) == [390])
  }

  // MARK: - Matrices and vectors

  @Test func rowsOfAMatrixLieAlongItsOutputs() {
    let matrix = WeightReference("w", [Self.width, Self.rows], role: .matrix(outputAxis: 1))
    var new = Self.values
    for input in 0..<Self.width { new[input * Self.rows + 7] = -new[input * Self.rows + 7] }
    #expect(Self.audit(new, matrix, reached: nil).faults.map(\.row) == [7])
  }

  /// A row that moved by half of itself has no scale in common with rows that moved by a hundredth.
  @Test(arguments: [0.1, 0.3, 0.7] as [Float]) func oneRowOfAMatrixThatMovedIsFound(_ part: Float) {
    let matrix = WeightReference("w", [Self.rows, Self.width], role: .matrix(outputAxis: 0))
    var new = TinySchemes.integers(Self.values, 127, Self.width)
    for column in 0..<Self.width { new[9 * Self.width + column] *= 1 - part }
    #expect(Self.audit(new, matrix, reached: nil).faults.map(\.row) == [9])
  }

  /// Rows and columns of honest matrices pass by every scheme, small ones and ones whose rows share a scale, too.
  @Test(arguments: schemes, [(400, 32), (8, 8), (8, 400), (64, 12), (1, 16), (16, 1)])
  func whatASchemeExplainsOfAMatrixIsNoFault(
    _ scheme: Scheme, _ shape: (rows: Int, columns: Int)
  ) throws {
    let (rows, columns) = shape
    // The schemes that have scales by row, as this matrix has them.
    let apply: @Sendable ([Float]) -> [Float] =
      switch scheme.name {
      case "int8 per channel": { TinySchemes.integers($0, 127, columns) }
      case "int4 per channel": { TinySchemes.integers($0, 7, columns) }
      default: scheme.apply
      }
    for start in 0..<20 {
      let first = start * 97 % (Self.values.count - rows * columns + 1)
      let old = Array(Self.values[first..<first + rows * columns])
      let matrix = WeightReference("w", [rows, columns], role: .matrix(outputAxis: 0))
      #expect(
        Self.audit(apply(old), matrix, old: old, reached: nil).faults == [], "from \(first)")
      #expect(try Self.faults(apply(old), old, rows: rows, columns: columns) == [], "from \(first)")
    }
  }

  /// Calibration moves matrices by design, and no table.
  @Test func calibrationExplainsMoreOfAMatrixAndNothingOfATable() {
    let matrix = WeightReference("w", [Self.rows, Self.width], role: .matrix(outputAxis: 0))
    var new = TinySchemes.integers(Self.values, 3, Self.width)
    for column in 0..<Self.width {
      new[9 * Self.width + column] += 1.9 * Self.values[9 * Self.width + column]
    }
    #expect(Self.audit(new, matrix, reached: nil).faults.map(\.row) == [9])
    #expect(Self.audit(new, matrix, reached: nil, isCalibrated: true).faults == [])
    #expect(Self.audit(new, isCalibrated: true).faults.map(\.row) == [9])
  }

  @Test func oneNumberOfABiasIsFoundUnlessAllWereFitted() {
    let bias = WeightReference("b", [Self.width], role: .bias)
    let old = Array(Self.values.prefix(Self.width))
    var new = old
    new[3] += 1
    #expect(Self.audit(new, bias, old: old, reached: nil).faults.map(\.row) == [3])
    #expect(Self.audit(new, bias, old: old, reached: nil, isCalibrated: true).faults == [])
    #expect(Self.audit(old.map { $0 * 3 }, bias, old: old, reached: nil).faults == [])
  }

  @Test(arguments: [WeightRole.statistic, .number])
  func whatNobodyCompressesNeedsNoOthersToBeJudged(_ role: WeightRole) {
    let few = WeightReference("s", [3], role: role)
    let old: [Float] = [1, 1e-12, 40]
    #expect(Self.audit([1.001, 0, 40.02], few, old: old, reached: nil).faults == [])
    #expect(Self.audit([1.01, 0, 40], few, old: old, reached: nil).faults.map(\.row) == [0])
    #expect(Self.audit([.nan, 0, 40], few, old: old, reached: nil).faults.map(\.row) == [0])
  }

  /// One feature may be in thousandths of a millionth of another's unit.
  @Test func meansAndScalesAreMeasuredByThemselves() {
    let few = WeightReference("s", [3], role: .statistic)
    let old: [Float] = [1, 1e-9, 40]
    for small: Float in [-1e-9, 2.5e-8, 1.01e-9] {
      #expect(Self.audit([1, small, 40], few, old: old, reached: nil).faults.map(\.row) == [1])
    }
    // What float16 makes of them.
    #expect(Self.audit([1, 0, 40], few, old: old, reached: nil).faults == [])
    #expect(
      Self.audit(
        [0x1p-23], WeightReference("s", [1], role: .statistic), old: [0x1.1p-23], reached: nil
      )
      .faults == [])
  }

  @Test func fewRowsTellNothing() {
    let few = WeightReference("w", [7, 2], role: .tokenTable)
    let old = Array(Self.values.prefix(14))
    let audit = Self.audit(old.map { -$0 }, few, old: old, reached: nil)
    #expect(audit.compared == 0 && audit.faults == [])
  }

  @Test func aNumberThatIsNoneIsAFault() {
    var new = Self.values
    new[70] = .nan
    #expect(!Self.audit(new).faults.isEmpty)
  }

  // MARK: - Columns

  static func faults(
    _ new: [Float], _ old: [Float], rows: Int, columns: Int
  ) throws -> [String] {
    var findings = RowFindings(looksAtColumns: true, isCalibrated: false, reached: nil)
    let reference = WeightReference("w", [rows, columns], role: .matrix(outputAxis: 0))
    _ = try findings.take(
      WeightMatching.Pair(ours: reference, theirs: reference), old: old, new: new)
    return findings.faults.map(\.refusal)
  }

  /// A feature that references hold one value of: no output tells of what it is multiplied with.
  @Test(arguments: [(rows: 16, columns: 5), (rows: 1, columns: 12)])
  func oneColumnOfFeaturesIsFound(_ shape: (rows: Int, columns: Int)) throws {
    let (rows, columns) = shape
    let old = Array(Self.values.prefix(rows * columns))
    var new = TinySchemes.integers(old, 127, columns)
    #expect(try Self.faults(new, old, rows: rows, columns: columns) == [])
    // Half of itself is as much as no scale of the others explains, where chance alone does not.
    if rows >= 8 {
      for row in 0..<rows { new[row * columns + 2] *= 0.5 }
      #expect(try Self.faults(new, old, rows: rows, columns: columns).count == 1)
    }
    for row in 0..<rows { new[row * columns + 2] *= -6 }
    let faults = try Self.faults(new, old, rows: rows, columns: columns)
    #expect(faults.count == 1)
    #expect(
      faults.first?.hasPrefix(
        "column 2 of the candidate's weight 'w' is worse than its compression explains: ") == true,
      "\(faults)")
  }
}
