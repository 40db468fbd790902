#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A value that one thread at a time may use.
///
/// As `Mutex` of `Synchronization`, which needs macOS 15 and iOS 18: apps run on older systems.
@safe package final class Mutex<Value>: @unchecked Sendable {
  // Never moves, since a mutex may not.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  /// Only with `mutex`.
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Lends the value, once no other thread uses it.
  ///
  /// - Parameter body: must not lend it again.
  package func withLock<Result: ~Copyable, Failure>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Lends the value if no other thread uses it; nil otherwise.
  package func withLockIfAvailable<Result, Failure>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result? {
    guard unsafe pthread_mutex_trylock(mutex) == 0 else { return nil }
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
