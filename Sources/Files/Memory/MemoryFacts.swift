#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import CFiles

/// Memory figures from the system: of the machine, of the container's group of processes, and of
/// this process.
package struct MemoryFacts: Equatable, Sendable {
  /// Bytes that can be allocated now without taking them from another program.
  package private(set) var available: Int
  /// Bytes that could be allocated if nothing else ran.
  package private(set) var capacity: Int

  /// Reads the facts.
  ///
  /// - Parameters:
  ///   - root: the folder that contains `proc` and `sys`.
  ///   - addressSpaceLimit: bytes of addresses this process may use; nil without a limit.
  package init(
    root: String = "/", addressSpaceLimit: Int? = MemoryFacts.addressSpaceLimit
  ) {
    let machine = MemoryFacts.numbers(in: Folder.join(root, "proc/meminfo"))
    // In kB per line; without the file, the system's total counts.
    func bytes(_ key: String) -> Int? { machine[key].map { Machine.product($0, 1024) } }
    capacity = Machine.sum(bytes("MemTotal") ?? Machine.memoryByteCount, bytes("SwapTotal") ?? 0)
    available = Machine.sum(bytes("MemAvailable") ?? capacity, bytes("SwapFree") ?? 0)
    limitByGroups(root)
    if let addressSpaceLimit {
      let used = Machine.product(MemoryFacts.pagesUsed(root), Int(sysconf(Int32(_SC_PAGESIZE))))
      limit(to: addressSpaceLimit, used: used)
    }
  }

  /// The limit on addresses that this process was started with, such as `ulimit -v` sets.
  package static var addressSpaceLimit: Int? {
    let limit = ingot_address_space_limit()
    return limit < 0 ? nil : Int(limit)
  }

  private mutating func limit(to maximum: Int, used: Int) {
    capacity = min(capacity, maximum)
    available = min(available, Machine.difference(maximum, used))
  }

  /// The groups this process is in, of either version of control groups, and those around them.
  private mutating func limitByGroups(_ root: String) {
    for line in MemoryFacts.lines(of: Folder.join(root, "proc/self/cgroup")) {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let isOld = parts[1].split(separator: ",").contains("memory")
      guard isOld || parts[1].isEmpty else { continue }
      let mount = Folder.join(root, isOld ? "sys/fs/cgroup/memory" : "sys/fs/cgroup")
      var group = String(parts[2])
      while true {
        limitByGroup(mount + group, isOld ? .old : .new)
        if group == "/" || group.isEmpty { break }
        group = Folder.parent(of: group)
      }
    }
  }

  /// The names of a group's files.
  private struct GroupFiles {
    let limit: String
    let used: String
    /// Prefix of the keys for memory that counts as used but only caches files.
    let prefix: String

    static let new = GroupFiles(limit: "memory.max", used: "memory.current", prefix: "")
    static let old = GroupFiles(
      limit: "memory.limit_in_bytes", used: "memory.usage_in_bytes", prefix: "total_")
  }

  private mutating func limitByGroup(_ group: String, _ files: GroupFiles) {
    func number(_ name: String) -> Int? {
      MemoryFacts.lines(of: Folder.join(group, name)).first.flatMap { Int($0) }.map { max(0, $0) }
    }
    // "max" means unlimited.
    guard let maximum = number(files.limit), let used = number(files.used) else { return }
    let parts = MemoryFacts.numbers(in: Folder.join(group, "memory.stat"))
    let kept = ["inactive_file", "active_file"].reduce(0) {
      Machine.sum($0, parts[files.prefix + $1] ?? 0)
    }
    limit(to: maximum, used: Machine.difference(used, kept))
  }

  /// Pages of addresses that this process uses.
  private static func pagesUsed(_ root: String) -> Int {
    let line = lines(of: Folder.join(root, "proc/self/statm")).first
    return max(0, line?.split(separator: " ").first.flatMap { Int($0) } ?? 0)
  }

  /// The first number of each line that begins with a key.
  private static func numbers(in path: String) -> [String: Int] {
    var numbers: [String: Int] = [:]
    for line in lines(of: path) {
      let words = line.split { $0 == " " || $0 == ":" }
      guard words.count > 1, let number = Int(words[1]), number >= 0 else { continue }
      numbers[String(words[0])] = number
    }
    return numbers
  }

  /// The lines of a file that the system generates; empty if the file is missing.
  private static func lines(of path: String) -> [Substring] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    let bytes = try? System.readAll(from: descriptor, name: path, limit: 1 << 20)
    return String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n")
  }
}
