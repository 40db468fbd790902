import Glibc
import TestSupport
import Testing

@testable import Files

@Suite struct MemoryTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private static let machine = """
    MemTotal:       8000 kB
    MemFree:         100 kB
    MemAvailable:   3000 kB
    SwapTotal:      1000 kB
    SwapFree:        500 kB
    HugePages_Total:   7
    """

  /// Writes what a system would say, by the path below its root.
  private func write(_ files: [String: String]) throws {
    for (path, text) in files {
      try Folder.create(Folder.parent(of: scratch.path(path)))
      try AtomicFile.write(Array(text.utf8), to: scratch.path(path))
    }
  }

  private func facts(addressSpaceLimit: Int? = nil) -> MemoryFacts {
    MemoryFacts(root: scratch.path, addressSpaceLimit: addressSpaceLimit)
  }

  @Test func ofTheMachine() throws {
    try write(["proc/meminfo": Self.machine])
    #expect(facts().available == 3500 * 1024)
    #expect(facts().capacity == 9000 * 1024)
  }

  /// Files that are kept only to be read again do not count, and the group around may hold more.
  @Test func ofAGroup() throws {
    try write([
      "proc/meminfo": Self.machine, "proc/self/cgroup": "0::/a/b\n",
      "sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/b/memory.current": "900000\n",
      "sys/fs/cgroup/a/memory.max": "2000000\n", "sys/fs/cgroup/a/memory.current": "1500000\n",
      "sys/fs/cgroup/a/memory.stat": "anon 5\ninactive_file 300000\nactive_file 100000\n",
    ])
    #expect(facts().available == 900_000)
    #expect(facts().capacity == 2_000_000)
  }

  @Test func ofAGroupOfTheFirstVersion() throws {
    let group = "sys/fs/cgroup/memory/x"
    try write([
      "proc/meminfo": Self.machine, "proc/self/cgroup": "3:cpuset:/\n4:memory:/x\n0::/\n",
      "\(group)/memory.limit_in_bytes": "1000000\n", "\(group)/memory.usage_in_bytes": "700000\n",
      "\(group)/memory.stat": "inactive_file 1\ntotal_inactive_file 200000\n",
    ])
    #expect(facts().available == 500_000)
    #expect(facts().capacity == 1_000_000)
  }

  /// A group of the first version without a limit says 2⁶³ less a page; caches are counted at
  /// another moment than what is used, and may be more.
  @Test(arguments: [(0, 9_000_000), (4096, 8192), (0, .max), (.max, .max)])
  func ofAGroupWithoutALimit(_ used: Int, _ kept: Int) throws {
    let group = "sys/fs/cgroup/memory"
    try write([
      "proc/meminfo": Self.machine, "proc/self/cgroup": "4:memory:/\n",
      "\(group)/memory.limit_in_bytes": "9223372036854771712\n",
      "\(group)/memory.usage_in_bytes": "\(used)\n",
      "\(group)/memory.stat": "total_inactive_file \(kept)\ntotal_active_file \(kept)\n",
    ])
    #expect(facts().available == 3500 * 1024)
    #expect(facts().capacity == 9000 * 1024)
  }

  @Test func ofAMachineBeyondNumbers() throws {
    try write([
      "proc/meminfo": "MemTotal: \(Int.max) kB\nMemAvailable: \(Int.max) kB\nSwapTotal: -1 kB\n",
      "proc/self/statm": "\(Int.max) 1\n",
    ])
    #expect(facts().capacity == .max && facts().available == .max)
    #expect(facts(addressSpaceLimit: 1 << 30).available == 0)
  }

  @Test func sizesNeverTrap() {
    #expect(Machine.sum(.max, 1) == .max && Machine.sum(2, 3) == 5)
    #expect(Machine.difference(5, 3) == 2 && Machine.difference(3, 5) == 0)
    #expect(Machine.difference(.max, -1) == .max && Machine.difference(.min, 1) == 0)
    #expect(Machine.product(1 << 62, 4096) == .max && Machine.product(-1, 4096) == 0)
    #expect(Machine.product(3, 4096) == 12288)
  }

  /// In a container the path is one of the machine around it, and the limit lies at the root.
  @Test func ofAContainer() throws {
    try write([
      "proc/meminfo": Self.machine, "proc/self/cgroup": "0::/machine/of/others\n",
      "sys/fs/cgroup/memory.max": "400000\n", "sys/fs/cgroup/memory.current": "500000\n",
    ])
    #expect(facts().available == 0)
    #expect(facts().capacity == 400_000)
  }

  @Test func ofAddresses() throws {
    try write(["proc/meminfo": Self.machine, "proc/self/statm": "10 5 3 1 0 1 0\n"])
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    #expect(facts(addressSpaceLimit: 100 * page).available == 90 * page)
    #expect(facts(addressSpaceLimit: 100 * page).capacity == 100 * page)
  }

  /// The numbers of the system that runs the test make sense.
  @Test func here() {
    let facts = MemoryFacts()
    #expect(facts.available > 1 << 20)
    #expect(facts.available <= facts.capacity)
  }

  @Test func moreThanThereIs() throws {
    try write(["proc/meminfo": Self.machine])
    try Memory.require(3500 * 1024, for: "it", of: "x", facts())
    let expected = FileError.noMemory(
      path: "x", thing: "it", needed: 3500 * 1024 + 1, available: 3500 * 1024)
    #expect(throws: expected) {
      try Memory.require(3500 * 1024 + 1, for: "it", of: "x", facts())
    }
    #expect(
      expected.description == "x: it needs 3584001 bytes of memory, there are 3584000; "
        + "end other programs, raise the limit on memory, or use a larger machine")
  }

  @Test func moreThanAnyMachineHas() {
    for require in [
      { () throws in try Memory.require(1 << 60, for: "it", of: "x") },
      { () throws in try Memory.requireCapacity(1 << 60, for: "it", of: "x") },
    ] {
      #expect {
        try require()
      } throws: { error in
        guard case FileError.noMemory("x", "it", 1 << 60, let available) = error else {
          return false
        }
        return available > 0 && available < 1 << 50
      }
    }
  }

  /// A limit on addresses that was set from outside.
  @Test func limitOfTheProcess() async {
    await #expect(processExitsWith: .success) {
      let limit = rlim_t(MemoryTests.addressesUsed + 512 << 20)
      var limits = rlimit(rlim_cur: limit, rlim_max: limit)
      try #require(setrlimit(__rlimit_resource_t(9), &limits) == 0)
      try Memory.require(64 << 20, for: "it", of: "x")
      do {
        try Memory.require(1 << 30, for: "it", of: "x")
        Issue.record("a gigabyte was there")
      } catch FileError.noMemory(_, _, let needed, let available) {
        try #require(needed == 1 << 30)
        try #require(available < 600 << 20)
      }
    }
  }

  /// Bytes of addresses this process uses.
  private static var addressesUsed: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8($0) }, as: UTF8.self)
    let pages = text.split(separator: " ").first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
