import Dispatch
import Synchronization

/// Runs independent pieces of work on several threads, with results in the pieces' order.
enum Parallel {
  /// Results of `body` for 0 ..< count, computed by at most `jobs` threads.
  ///
  /// What is returned does not depend on `jobs`. Work starts in the order of the indices.
  static func map<T: Sendable>(
    _ count: Int, jobs: Int, _ body: @Sendable (Int) -> T
  ) -> [T] {
    let workers = min(jobs, count)
    guard workers > 1 else { return (0..<count).map(body) }
    let next = Atomic(0)
    let results = Mutex([T?](repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: workers) { _ in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        let result = body(index)
        results.withLock { $0[index] = result }
      }
    }
    return results.withLock { $0.compactMap(\.self) }
  }

  /// The same for many small pieces, which threads take in blocks.
  static func blocks<T: Sendable>(
    _ count: Int, jobs: Int, _ body: @Sendable (Int) -> T
  ) -> [T] {
    guard jobs > 1 else { return (0..<count).map(body) }
    let size = max(1, min(64, count / (4 * jobs)))
    let parts = map((count + size - 1) / size, jobs: jobs) { part in
      (part * size..<min(part * size + size, count)).map(body)
    }
    return Array(parts.joined())
  }
}
