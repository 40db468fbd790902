import Dispatch

/// Threads that share pieces of work.
package enum Workers {
  /// Maps 0 ..< count with `body`, in this order, on at most `jobs` threads.
  ///
  /// Threads take pieces in order, and stop once one has failed. Neither the results nor the error
  /// depend on `jobs`.
  ///
  /// - Parameter tools: makes the tools of one thread.
  /// - Throws: the error of the first piece, in their order, that fails.
  package static func map<Tools: ~Copyable, Value: Sendable, Failure: Error>(
    _ count: Int, jobs: Int, with tools: @Sendable () -> Tools,
    _ body: @Sendable (inout Tools, Int) throws(Failure) -> Value
  ) throws(Failure) -> [Value] {
    let board = Board<Value, Failure>(count: count)
    run(count: min(max(1, jobs), count)) { _ in
      var tools = tools()
      while let index = board.take() {
        do throws(Failure) {
          board.finish(index, .success(try body(&tools, index)))
        } catch {
          board.finish(index, .failure(error))
        }
      }
    }
    return try board.results()
  }

  /// The same for threads that work with nothing.
  package static func map<Value: Sendable, Failure: Error>(
    _ count: Int, jobs: Int, _ body: @Sendable (Int) throws(Failure) -> Value
  ) throws(Failure) -> [Value] {
    try map(count, jobs: jobs, with: {}) { _, index throws(Failure) in try body(index) }
  }

  /// Maps 0 ..< count in runs of `length`, the last maybe shorter: for pieces of little work each.
  package static func map<Value: Sendable>(
    _ count: Int, inRunsOf length: Int, jobs: Int, _ body: @Sendable (Range<Int>) -> Value
  ) -> [Value] {
    map((count + length - 1) / length, jobs: jobs) { run in
      body(run * length..<min(count, (run + 1) * length))
    }
  }

  /// Calls `body` while `count` threads run `work`, and waits for them.
  ///
  /// - Parameters:
  ///   - body: runs on the calling thread. Its argument is the number of threads that the system gave;
  ///     that can be 0.
  ///   - end: tells the threads to return; called when `body` has ended, also if it threw.
  package static func run(
    _ count: Int, _ work: @Sendable () -> Void, beside body: (Int) throws -> Void,
    end: () -> Void
  ) throws {
    try withoutActuallyEscaping(work) { work in
      let threads = (0..<max(0, count)).compactMap { _ in SystemThread(work) }
      defer {
        end()
        for thread in threads { thread.join() }
      }
      try body(threads.count)
    }
  }

  /// Calls `body` with 0..<count, each on a thread of its own; 0 runs on the calling thread.
  ///
  /// If the system refuses more threads, the calling thread does their part afterwards.
  private static func run(count: Int, _ body: @Sendable (Int) -> Void) {
    withoutActuallyEscaping(body) { body in
      let started = (1..<max(1, count)).map { index in
        (index: index, thread: SystemThread { body(index) })
      }
      if count > 0 { body(0) }
      for (index, thread) in started {
        if let thread { thread.join() } else { body(index) }
      }
    }
  }
}

/// State shared by the threads: the next piece, and the result of each.
private final class Board<Value: Sendable, Failure: Error>: Sendable {
  private struct State {
    var next = 0
    var results: [Value?]
    var failure: (index: Int, error: Failure)?
  }

  private let state: Mutex<State>

  init(count: Int) {
    state = Mutex(State(results: Array(repeating: nil, count: count)))
  }

  /// The next piece, nil if all are taken or one has failed.
  func take() -> Int? {
    state.withLock { state in
      guard state.failure == nil, state.next < state.results.count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  func finish(_ index: Int, _ result: Result<Value, Failure>) {
    state.withLock { state in
      switch result {
      case .success(let value): state.results[index] = value
      // Every piece before a failed one was taken before it, so the least index is always the same.
      case .failure(let error):
        if state.failure.map({ index < $0.index }) ?? true { state.failure = (index, error) }
      }
    }
  }

  func results() throws(Failure) -> [Value] {
    let (results, failure) = state.withLock { ($0.results, $0.failure) }
    if let failure { throw failure.error }
    return results.compactMap { $0 }
  }
}

/// A value that is found out while other work goes on.
package final class Meanwhile<Value: Sendable>: Sendable {
  private let result = Mutex<Value?>(nil)
  private let work = DispatchGroup()

  /// Starts the work.
  ///
  /// - Parameter isLittle: whether it takes less time than another thread does to begin with it; then it
  ///   is done when this returns.
  package init(isLittle: Bool = false, _ body: @escaping @Sendable () -> Value) {
    if isLittle {
      let value = body()
      result.withLock { $0 = value }
      return
    }
    DispatchQueue.global().async(group: work) {
      let value = body()
      self.result.withLock { $0 = value }
    }
  }

  /// The value, once it is there.
  package var value: Value {
    work.wait()
    guard let value = result.withLock({ $0 }) else {
      preconditionFailure("the work ended without a value")
    }
    return value
  }
}
