#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Plain threads that run one closure each and are waited for.
package enum Workers {
  private final class Task: Sendable {
    let index: Int
    let body: @Sendable (Int) -> Void

    init(_ index: Int, _ body: @escaping @Sendable (Int) -> Void) {
      self.index = index
      self.body = body
    }
  }

  /// Calls `body` with 0..<count, each on a thread of its own; 0 runs on the calling thread.
  ///
  /// Where the system gives no more threads, the calling thread does their part afterwards.
  package static func run(count: Int, _ body: @Sendable (Int) -> Void) {
    withoutActuallyEscaping(body) { body in
      let started = (1..<max(1, count)).map { (index: $0, thread: start(Task($0, body))) }
      if count > 0 { body(0) }
      for (index, thread) in started {
        if let thread { _ = pthread_join(thread, nil) } else { body(index) }
      }
    }
  }

  private static func start(_ task: Task) -> pthread_t? {
    let argument = unsafe Unmanaged.passRetained(task)
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let status = unsafe pthread_create(
      &thread, nil,
      { argument in
        #if canImport(Darwin)
          let pointer = argument
        #else
          guard let pointer = unsafe argument else { return nil }
        #endif
        let task = unsafe Unmanaged<Task>.fromOpaque(pointer).takeRetainedValue()
        task.body(task.index)
        return nil
      }, argument.toOpaque())
    if status != 0 { unsafe argument.release() }
    return status == 0 ? thread : nil
  }
}
