import StrictJSON
import TestSupport
import Testing

struct FiguresTests {
  struct Case: Sendable {
    let value: Double
    let decimals: Int
    let text: String
  }

  @Test(arguments: [
    Case(value: 0.83, decimals: 2, text: "0.83"), Case(value: 0.999, decimals: 2, text: "1"),
    Case(value: -0.001, decimals: 2, text: "0"), Case(value: -1.25, decimals: 4, text: "-1.25"),
    Case(value: 0, decimals: 4, text: "0"), Case(value: 0.00004, decimals: 4, text: "0"),
    Case(value: 0.00005, decimals: 4, text: "0.0001"), Case(value: 10, decimals: 0, text: "10"),
    Case(value: 12.5, decimals: 3, text: "12.5"), Case(value: 1e20, decimals: 4, text: "1e+20"),
    Case(value: .nan, decimals: 4, text: "not a number"),
    Case(value: -.infinity, decimals: 4, text: "infinite"),
  ])
  func fixedDecimals(_ test: Case) {
    #expect(Figures.text(test.value, decimals: test.decimals) == test.text)
  }

  @Test(
    arguments: [
      (1e-7, "0.0000001"), (0.1, "0.1"), (-0.0, "0"), (1, "1"), (123.456, "123.456"),
      (1.5e20, "150000000000000000000"), (-2.5e-5, "-0.000025"), (1e16, "10000000000000000"),
      (0.999, "0.999"), (.nan, "not a number"),
    ] as [(Double, String)])
  func plainDecimals(_ test: (value: Double, text: String)) {
    #expect(Figures.plain(test.value) == test.text)
  }

  @Test func plainReadsBackAsTheSameNumber() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<10_000 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      #expect(Double(Figures.plain(value)) == value)
    }
  }

  @Test func hugeNumbersAreRecordedWithoutExponent() {
    #expect(Figures.recorded(1e12) == "1000000000000")
    #expect(Figures.recorded(0.99996) == "1")
    #expect(Figures.recorded(0.123449) == "0.1234")
  }

  @Test func roundingKeepsOrder() {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<10_000 {
      let limit = Double.random(in: 0...1, using: &generator)
      let value = limit + Double.random(in: 0...0.0002, using: &generator)
      #expect(Figures.rounded(value) >= Figures.rounded(limit))
    }
  }

  @Test func aValueNeverLooksLikeItsLimit() {
    #expect(Figures.text(0.412, unlike: 0.995) == "0.412")
    #expect(Figures.text(0.99499, unlike: 0.995) == "0.99499")
    #expect(Figures.text(0.0204, unlike: 0.02) == "0.0204")
    #expect(Figures.text(0.95.nextDown, unlike: 0.95) == "0.9499999999999998")
  }

  @Test func changesShowWhatChanged() {
    #expect(Figures.change(0.831, 0.412) == "0.83 → 0.41")
    #expect(Figures.change(0.5001, 0.4999) == "0.5001 → 0.4999")
    #expect(Figures.change(1, 1) == "1 → 1")
  }

  @Test func numbersOfTables() {
    let numbers = [0.0091, 1.2344e-7, -12.5, 0, 123456, 1.5e9, .infinity]
    #expect(
      numbers.map(Figures.significant)
        == ["0.009100", "1.234e-7", "-12.50", "0", "123456", "1.500e9", "inf"])
    #expect([0, 12, 999.94, 1234.5].map(Figures.tenths) == ["0.0", "12.0", "999.9", "1235"])
    #expect(Figures.percent(0.125) == "12.5 %")
    let values: [Float] = [70000, -1.5e20, 0.1]
    #expect(values.map { Figures.text($0) } == ["70000", "-1.5e+20", "0.1"])
    #expect(
      [999, 1500, 22_900_000, 1_234_000_000].map(Figures.bytes)
        == ["999 B", "1.5 kB", "22.9 MB", "1.23 GB"])
  }

  @Test func longListsAreCut() {
    #expect(Figures.list(["a", "b"]) == "'a', 'b'")
    #expect(
      Figures.list(["a", "b", "c", "d", "e", "f", "g"]) == "'a', 'b', 'c', 'd', 'e' and 2 more")
  }

  @Test func countsAgreeWithTheirNouns() {
    #expect([0, 1, 3].map { Figures.count($0, "tree") } == ["0 trees", "1 tree", "3 trees"])
    #expect(
      [0, 1, 3].map { Figures.are($0, "tree") } == ["are 0 trees", "is 1 tree", "are 3 trees"])
  }
}
