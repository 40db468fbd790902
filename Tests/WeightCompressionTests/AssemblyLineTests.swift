import Files
import Testing

@testable import WeightCompression

struct AssemblyLineTests {
  private struct Stop: Error, Equatable {}

  /// Threads that wait for each other, thousands of times; one that is not woken would wait forever.
  @Test(.timeLimit(.minutes(240)), arguments: [1, 2, 3, 8])
  func handsOutEverythingInOrder(_ workers: Int) throws {
    for round in 0..<200 {
      let sizes = (0..<50).map { ($0 * 7 + round) % 5 * (20 << 20) }
      let line = AssemblyLine(sizes: sizes, workers: workers) { index, _ in index }
      var taken: [Int] = []
      try line.run { taken.append($0) }
      #expect(taken == Array(0..<50))
    }
  }

  /// The work in progress stays below the largest piece and the slack of 32 MiB.
  @Test func isNeverFarAhead() throws {
    let sizes = (0..<40).map { _ in 20 << 20 }
    let busy = Mutex((now: 0, maximum: 0))
    let line = AssemblyLine(sizes: sizes, workers: 8) { index, _ in
      busy.withLock {
        $0.now += 20
        $0.maximum = max($0.maximum, $0.now)
      }
      defer { busy.withLock { $0.now -= 20 } }
      return index
    }
    try line.run { _ in }
    #expect(busy.withLock(\.maximum) <= 52)
  }

  @Test func passesOnThatAPieceWasRefused() throws {
    let told = Mutex<[Bool]>([])
    let line = AssemblyLine(sizes: [1, 1, 1, 1], workers: 1) { index, isRefused in
      told.withLock { $0.append(isRefused) }
      return index
    }
    line.refuse()
    try line.run { _ in }
    #expect(told.withLock(\.self) == [true, true, true, true])
  }

  /// The threads have ended when the error arrives.
  @Test func stopsWithTheFirstError() throws {
    let made = Mutex(0)
    let line = AssemblyLine(sizes: [Int](repeating: 1, count: 1000), workers: 4) { index, _ in
      made.withLock { $0 += 1 }
      return index
    }
    #expect(throws: Stop.self) {
      try line.run { if $0 == 3 { throw Stop() } }
    }
    let count = made.withLock(\.self)
    #expect(count >= 4)
    #expect(made.withLock(\.self) == count)
  }

  @Test func standsNothingToDo() throws {
    let line = AssemblyLine(sizes: [], workers: 4) { index, _ in index }
    try line.run { _ in Issue.record("there is no piece") }
  }
}
