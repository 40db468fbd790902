/// Plain threads that run one closure each and are waited for.
package enum Workers {
  /// Calls `body` with 0..<count, each on a thread of its own; 0 runs on the calling thread.
  ///
  /// Where the system gives no more threads, the calling thread does their part afterwards.
  package static func run(count: Int, _ body: @Sendable (Int) -> Void) {
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
