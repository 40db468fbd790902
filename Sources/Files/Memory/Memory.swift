#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Asks whether memory is there, before it is taken.
///
/// Sizes follow from what files say of themselves, and an allocation that fails ends a Swift process
/// at once. So whatever is as large as a file says asks here first.
package enum Memory {
  /// So few bytes are there without asking; whoever asks for more leaves them for others.
  package static let unasked = 16 << 20

  /// Makes sure that bytes can be taken.
  ///
  /// - Parameters:
  ///   - thing: what needs them, in words that follow the path.
  ///   - path: the file whose content they are for.
  /// - Throws: `FileError.noMemory`.
  package static func require(
    _ byteCount: Int, for thing: @autoclosure () -> String, of path: @autoclosure () -> String
  ) throws(FileError) {
    guard byteCount > unasked else { return }
    try require(byteCount, for: thing(), of: path(), MemoryFacts(), leaving: unasked)
  }

  /// The same by facts that are known.
  ///
  /// - Parameter reserve: bytes that must be left over for what does not ask.
  static func require(
    _ byteCount: Int, for thing: String, of path: String, _ facts: MemoryFacts,
    leaving reserve: Int = 0
  ) throws(FileError) {
    let available = max(0, facts.available - reserve)
    guard byteCount <= available, canAllocate(byteCount + reserve) else {
      throw .noMemory(
        path: path, thing: thing, needed: byteCount,
        available: byteCount <= available ? largestAllocation(below: byteCount) : available)
    }
  }

  /// Checks that the machine could hold `byteCount` bytes if nothing else ran. Beyond that no
  /// command can process the data, however slowly it reads.
  ///
  /// - Throws: `FileError.noMemory`.
  package static func requireCapacity(
    _ byteCount: Int, for thing: @autoclosure () -> String, of path: @autoclosure () -> String
  ) throws(FileError) {
    guard byteCount > unasked else { return }
    let capacity = MemoryFacts(addressSpaceLimit: nil).capacity
    guard byteCount <= capacity else {
      throw .noMemory(path: path(), thing: thing(), needed: byteCount, available: capacity)
    }
  }

  /// Whether the system gives so many bytes of addresses; nothing is taken.
  private static func canAllocate(_ byteCount: Int) -> Bool {
    let place = unsafe mmap(
      nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | anonymous, -1, 0)
    guard let place = unsafe place, unsafe place != MAP_FAILED else { return false }
    unsafe munmap(place, byteCount)
    return true
  }

  private static func largestAllocation(below byteCount: Int) -> Int {
    var most = byteCount / 2
    while most > 0, !canAllocate(most) { most /= 2 }
    return most
  }

  #if canImport(Darwin)
    private static let anonymous = MAP_ANON
  #else
    private static let anonymous = MAP_ANONYMOUS
  #endif
}
