import Testing

@testable import Commands

struct TimeLeftTests {
  /// What is said at each time in seconds, of a step that is so far then.
  private func said(_ steps: [(time: Double, done: Int)], of total: Int) -> [Double?] {
    var left = TimeLeft()
    return steps.map { left.take($0.done, of: total, at: 1000 + $0.time) }
  }

  @Test func aSteadyRateIsKnownAfterTwoSeconds() {
    let steps = (0...20).map { (time: Double($0), done: 5 * $0) }
    let said = said(steps, of: 100)
    #expect(said[0...1] == [nil, nil])
    for second in 2...20 {
      let left = said[second] ?? -1
      #expect((left - Double(20 - second)).magnitude < 1e-9)
    }
  }

  @Test func nothingIsSaidOfASmallPart() {
    // 4 of 100 pieces in four seconds say little, two pieces after ten seconds say enough.
    #expect(said([(0, 0), (4, 4), (9, 4)], of: 100) == [nil, nil, nil])
    #expect(said([(0, 0), (10, 1)], of: 100) == [nil, nil])
    #expect(said([(0, 0), (10, 2)], of: 100)[1] == 490)
  }

  @Test func aStepThatIsPartlyDoneCountsFromThere() {
    #expect(said([(0, 50), (5, 60)], of: 100)[1] == 20)
  }

  @Test func whatIsSaidDoesNotJump() {
    // The second half takes four times as long: no answer is far from the one before.
    var steps = (0...25).map { (time: Double($0), done: 2 * $0) }
    steps += (1...100).map { (time: 25 + Double($0), done: 50 + $0 / 2) }
    let said = said(steps, of: 100).compactMap(\.self)
    for (before, after) in zip(said, said.dropFirst()) {
      #expect(after - before < 1.5 && before - after < 3, "\(before) then \(after)")
    }
    #expect(said.last == 0)
    #expect(said.allSatisfy { $0.isFinite && $0 >= 0 })
  }

  @Test func aClockThatStandsStillIsNoRate() {
    #expect(said([(0, 0), (0, 50), (0, 99)], of: 100) == [nil, nil, nil])
  }

  @Test(arguments: [
    (0.2, "1 s left"), (1, "1 s left"), (9.4, "9 s left"), (9.6, "10 s left"), (38, "40 s left"),
    (57, "55 s left"), (58, "1 min left"), (89, "1 min left"), (91, "2 min left"),
    (560, "9 min left"), (580, "10 min left"), (3440, "55 min left"), (3460, "1 h left"),
    (5400, "1 h 30 min left"), (7200, "2 h left"), (1e9, "days left"),
  ])
  func wordsAreAsExactAsNeeded(_ test: (seconds: Double, words: String)) {
    #expect(TimeLeft.words(test.seconds) == test.words)
  }

  @Test func aLineIsCutWhereTheTerminalEnds() {
    #expect("abcdef".cut(toColumns: 6) == "abcdef")
    #expect("abcdefg".cut(toColumns: 6) == "abcd…")
    #expect("äöü".cut(toColumns: 6) == "äöü")
    #expect("äöüß".cut(toColumns: 6) == "äö…")
    let step = ProgressStep(
      name: "calibrating", done: 12, total: 38, item: "layer.5", part: .candidate(3, atMost: 6))
    #expect(
      step.words(secondsLeft: 41)
        == "candidate 3 of at most 6: calibrating 12 of 38, 40 s left (layer.5)")
    #expect(step.words(secondsLeft: nil).hasSuffix("calibrating 12 of 38 (layer.5)"))
  }
}
