import Files
import Synchronization

extension Array where Element: Sendable {
  /// Calls `body` with every element, several at once, and gives what it gave in the same order.
  ///
  /// - Parameters:
  ///   - jobs: threads.
  ///   - tools: makes what one thread works with.
  func parallelMap<Tools, Result: Sendable>(
    jobs: Int, with tools: @Sendable () -> Tools, _ body: @Sendable (Tools, Element) -> Result
  ) -> [Result] {
    let next = Mutex(0)
    let results = Mutex<[Int: Result]>([:])
    Workers.run(count: Swift.min(jobs, count)) { _ in
      let tools = tools()
      while true {
        let index = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard index < count else { return }
        let result = body(tools, self[index])
        results.withLock { $0[index] = result }
      }
    }
    let all = results.withLock { $0 }
    return indices.compactMap { all[$0] }
  }

  /// Calls `body` with every element, several at once, and gives what it gave in the same order.
  ///
  /// - Parameter jobs: threads.
  func parallelMap<Result: Sendable>(
    jobs: Int, _ body: @Sendable (Element) -> Result
  ) -> [Result] {
    parallelMap(jobs: jobs, with: {}) { _, element in body(element) }
  }
}
