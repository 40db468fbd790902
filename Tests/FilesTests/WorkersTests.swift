import Testing

@testable import Files

struct WorkersTests {
  struct Fault: Error, Equatable {
    let piece: Int
  }

  @Test(arguments: [(0, 4), (1, 4), (7, 1), (100, 3), (5, 0), (3, 100)])
  func givesResultsInOrder(_ count: Int, _ jobs: Int) {
    #expect(Workers.map(count, jobs: jobs) { $0 * $0 } == (0..<count).map { $0 * $0 })
  }

  @Test func runsAreInOrderAndTheLastIsShorter() {
    #expect(Workers.map(7, inRunsOf: 3, jobs: 2) { $0 } == [0..<3, 3..<6, 6..<7])
    #expect(Workers.map(6, inRunsOf: 3, jobs: 2) { $0 } == [0..<3, 3..<6])
    #expect(Workers.map(0, inRunsOf: 3, jobs: 2) { $0 }.isEmpty)
  }

  @Test(arguments: [1, 2, 8])
  func throwsTheErrorOfTheFirstPieceThatFails(_ jobs: Int) {
    for _ in 0..<20 {
      #expect(throws: Fault(piece: 5)) {
        try Workers.map(100, jobs: jobs) { (index) throws(Fault) in
          if index % 6 == 5 { throw Fault(piece: index) }
        }
      }
    }
  }

  @Test func takesNoPieceAfterOneHasFailed() {
    let taken = Mutex<[Int]>([])
    _ = try? Workers.map(100, jobs: 1) { (index) throws(Fault) in
      taken.withLock { $0.append(index) }
      if index == 3 { throw Fault(piece: index) }
    }
    #expect(taken.withLock { $0 } == [0, 1, 2, 3])
  }

  @Test(arguments: [1, 3, 50])
  func makesToolsOnceForEachThread(_ jobs: Int) {
    let made = Mutex(0)
    let uses = Workers.map(
      20, jobs: jobs,
      with: {
        made.withLock { $0 += 1 }
        return 0
      }
    ) { uses, _ in
      uses += 1
      return uses
    }
    let threads = made.withLock { $0 }
    #expect(threads == min(jobs, 20))
    #expect(uses.count { $0 == 1 } <= threads)
    #expect(uses.count { $0 == 1 } > 0)
  }
}
