/// Places of an object's keys, found by their bytes.
///
/// A small object is searched; a large one gets a table of four bytes a slot, a fraction of what a
/// dictionary would take. The hash is Swift's own, seeded anew in every process, so that no file can
/// be written to make all keys collide.
struct KeyTable: Sendable {
  typealias Members = [(key: String, value: JSONNode)]

  private static let smallCount = 8
  private static let free = UInt32.max

  /// Indices of members by the hash of their key, linear probing; its count is a power of two, at
  /// most half of it taken. Empty for a small object.
  private var slots: [UInt32] = []

  /// Notes the key of the member to be added to `members`; false if one of them already has it.
  mutating func insert(_ key: String, _ members: Members) -> Bool {
    if find(key, members) != nil { return false }
    if members.count >= KeyTable.smallCount {
      if slots.count < (members.count + 1) * 2 { rebuild(members) }
      place(members.count, key)
    }
    return true
  }

  /// Index of the member of a key.
  func find(_ key: String, _ members: Members) -> Int? {
    let exact = ExactString(key)
    if slots.isEmpty { return members.firstIndex { ExactString($0.key) == exact } }
    var slot = start(key)
    while slots[slot] != KeyTable.free {
      let index = Int(slots[slot])
      if ExactString(members[index].key) == exact { return index }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private func start(_ key: String) -> Int { ExactString(key).hashValue & (slots.count - 1) }

  private mutating func place(_ index: Int, _ key: String) {
    var slot = start(key)
    while slots[slot] != KeyTable.free { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = UInt32(index)
  }

  private mutating func rebuild(_ members: Members) {
    slots = Array(repeating: KeyTable.free, count: max(32, slots.count * 2))
    for (index, member) in members.enumerated() { place(index, member.key) }
  }
}
