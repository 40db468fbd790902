import CFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Asks whether memory is available before it is allocated.
///
/// Files state the sizes, and a failed allocation ends a Swift process at once. So every allocation
/// as large as a file says asks here first.
package enum Memory {
  /// Up to this many bytes are granted without asking; larger requests must leave as much free.
  package static let unasked = 16 << 20

  /// Has the memory of every large array given back as soon as it is free.
  ///
  /// Left alone, glibc keeps what was freed once, and a process whose stages need different arrays
  /// ends up with those of all stages.
  package static func giveBackLargeArrays() {
    ingot_give_back_blocks_of(8 << 20)
  }

  /// Gives back what was freed in smaller pieces: for the end of a stage of long work.
  package static func giveBackFreed() { ingot_give_back_free_memory() }

  /// Checks that bytes can be allocated.
  ///
  /// - Parameters:
  ///   - thing: the object that needs them, in words that follow the path.
  ///   - path: the file whose content they hold.
  /// - Throws: `FileError.noMemory`.
  package static func require(
    _ byteCount: Int, for thing: @autoclosure () -> String, of path: @autoclosure () -> String
  ) throws(FileError) {
    guard byteCount > unasked else { return }
    try require(byteCount, for: thing(), of: path(), MemoryFacts(), leaving: unasked)
  }

  /// The same check by given facts.
  ///
  /// - Parameter reserve: bytes to leave free for allocations that do not ask.
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

  /// Whether the system grants so large an address range; allocates nothing.
  private static func canAllocate(_ byteCount: Int) -> Bool {
    let place = unsafe mmap(
      nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | anonymous, -1, 0)
    guard let place = unsafe place, unsafe place != MAP_FAILED else { return false }
    unsafe munmap(place, byteCount)
    return true
  }

  private static func largestAllocation(below byteCount: Int) -> Int {
    var maximum = byteCount / 2
    while maximum > 0, !canAllocate(maximum) { maximum /= 2 }
    return maximum
  }

  #if canImport(Darwin)
    private static let anonymous = MAP_ANON
  #else
    private static let anonymous = MAP_ANONYMOUS
  #endif
}
