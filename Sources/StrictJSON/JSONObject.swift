/// An object of a parsed JSON text: members in the order written, each key once.
///
/// The typed accessors throw a `JSONError` that names the file, the place, the key, what was
/// expected and what was found.
package final class JSONObject: Sendable {
  /// The file the text came from.
  package let origin: String
  /// The start of the object.
  package let position: JSONPosition
  /// In the order written.
  package let members: [(key: String, value: JSONNode)]
  private let keys: KeyTable

  init(
    origin: String, position: JSONPosition, members: [(key: String, value: JSONNode)],
    keys: KeyTable
  ) {
    self.origin = origin
    self.position = position
    self.members = members
    self.keys = keys
  }

  /// The value of a key, if the object has it.
  package subscript(key: String) -> JSONNode? {
    keys.find(key, members).map { members[$0].value }
  }

  /// The value of a key that must be there.
  package func required(_ key: String) throws(JSONError) -> JSONNode {
    guard let node = self[key] else {
      throw error("the key \(quoted(key)) is missing", at: position)
    }
    return node
  }

  /// An integer within a range.
  package func integer(
    _ key: String, in range: ClosedRange<Int> = 0...Int.max
  ) throws(JSONError) -> Int {
    let node = try required(key)
    guard let value = node.integer else { throw mismatch(key, expected: "an integer", node) }
    guard range.contains(value) else {
      throw mismatch(key, expected: "\(range.lowerBound)...\(range.upperBound)", node)
    }
    return value
  }

  /// An integer within a range that is written as one; see `JSONNode.plainInteger`.
  package func plainInteger(
    _ key: String, in range: ClosedRange<Int> = 0...Int.max
  ) throws(JSONError) -> Int {
    let node = try required(key)
    guard node.integer == nil || node.plainInteger != nil else {
      throw mismatch(key, expected: "an integer, without a point or an exponent", node)
    }
    return try integer(key, in: range)
  }

  /// A finite number.
  package func double(_ key: String) throws(JSONError) -> Double {
    let node = try required(key)
    guard case .number = node.content else { throw mismatch(key, expected: "a number", node) }
    guard let value = node.double else {
      throw error("\(quoted(key)) is \(node.kind), too large for a 64-bit float", at: node.position)
    }
    return value
  }

  /// A string.
  package func string(_ key: String) throws(JSONError) -> String {
    let node = try required(key)
    guard let value = node.string else { throw mismatch(key, expected: "a string", node) }
    return value
  }

  /// True or false.
  package func bool(_ key: String) throws(JSONError) -> Bool {
    let node = try required(key)
    guard let value = node.bool else { throw mismatch(key, expected: "true or false", node) }
    return value
  }

  /// The elements of an array.
  package func array(_ key: String) throws(JSONError) -> [JSONNode] {
    let node = try required(key)
    guard let value = node.array else { throw mismatch(key, expected: "an array", node) }
    return value
  }

  /// An object.
  package func object(_ key: String) throws(JSONError) -> JSONObject {
    let node = try required(key)
    guard let value = node.object else { throw mismatch(key, expected: "an object", node) }
    return value
  }

  /// Whether the object has a key with a value other than null.
  ///
  /// For keys that may be null: usually null does not mean the same as a missing key, and
  /// `KeyRules` refuses it.
  package func has(_ key: String) -> Bool {
    guard let node = self[key] else { return false }
    return !node.isNull
  }

  /// Refuses keys that are not listed, naming the first.
  package func allowOnly(_ keys: [String]) throws(JSONError) {
    for member in members where !keys.contains(where: member.key.hasBytes) {
      throw error(
        "unknown key \(quoted(member.key)); known here: \(keys.joined(separator: ", "))",
        at: member.value.position)
    }
  }

  /// An error at a place of the same text.
  package func error(_ fault: String, at position: JSONPosition) -> JSONError {
    JSONError(origin: origin, position: position, fault: fault)
  }

  /// An error that names the expected value of a key.
  package func mismatch(_ key: String, expected: String, _ found: JSONNode) -> JSONError {
    error("\(quoted(key)) is \(found.kind), expected \(expected)", at: found.position)
  }
}

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
    if slots.isEmpty { return members.firstIndex { $0.key.hasBytes(of: key) } }
    var slot = start(key)
    while slots[slot] != KeyTable.free {
      let index = Int(slots[slot])
      if members[index].key.hasBytes(of: key) { return index }
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

/// A string compared by its bytes.
///
/// Swift's own `==` takes canonically equivalent strings for equal ("é" as one scalar and as two);
/// keys of a file and pieces of a vocabulary are different when their bytes are.
package struct ExactString: Hashable, Sendable {
  package let string: String

  package init(_ string: String) { self.string = string }

  package static func == (left: ExactString, right: ExactString) -> Bool {
    left.string.hasBytes(of: right.string)
  }

  package func hash(into hasher: inout Hasher) {
    let hashed: Void? = unsafe string.utf8.withContiguousStorageIfAvailable {
      unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if hashed == nil {
      unsafe Array(string.utf8).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
    hasher.combine(string.utf8.count)
  }
}
