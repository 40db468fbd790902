#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A plain thread of the system that runs one closure.
struct SystemThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private let handle: pthread_t

  /// Starts a thread; nil, without running `body`, if the system refuses another one.
  init?(_ body: @escaping @Sendable () -> Void) {
    let work = unsafe Unmanaged.passRetained(Work(body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let failure = unsafe pthread_create(
      &thread, nil,
      { argument in
        #if canImport(Darwin)
          let pointer = argument
        #else
          guard let pointer = unsafe argument else { return nil }
        #endif
        unsafe Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    guard failure == 0 else {
      unsafe work.release()
      return nil
    }
    #if canImport(Darwin)
      guard let thread else { return nil }
    #endif
    handle = thread
  }

  /// Waits until the closure has returned; call it at most once.
  func join() { _ = pthread_join(handle, nil) }
}
