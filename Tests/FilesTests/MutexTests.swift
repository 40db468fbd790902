import Testing

@testable import Files

struct MutexTests {
  private struct Fault: Error {}

  @Test func noAdditionIsLost() {
    let count = Mutex(0)
    _ = Workers.map(8, jobs: 8) { _ in
      for _ in 0..<10_000 { count.withLock { $0 += 1 } }
    }
    #expect(count.withLock { $0 } == 80_000)
  }

  @Test func aBodyThatThrowsLetsGo() {
    let count = Mutex(1)
    #expect(throws: Fault.self) {
      try count.withLock { value throws(Fault) in
        value = 2
        throw Fault()
      }
    }
    #expect(count.withLock { $0 } == 2)
  }

  @Test func whatIsInUseIsNotWaitedFor() {
    let text = Mutex("a")
    let (isTaken, isGiven) = (Signal(), Signal())
    let thread = SystemThread {
      text.withLock { text in
        isTaken.send()
        isGiven.wait()
        text = "b"
      }
    }
    isTaken.wait()
    #expect(text.withLockIfAvailable { $0 } == nil)
    isGiven.send()
    thread?.join()
    #expect(text.withLockIfAvailable { $0 } == "b")
  }
}
