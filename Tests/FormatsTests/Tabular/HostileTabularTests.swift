import Testing
import Trees

@testable import Formats

struct HostileTabularTests {
  /// A pipeline in a pipeline, thousands deep: an error, not an overflow of the stack.
  @Test(arguments: [9, 20, 60, 5000])
  func pipelinesWithoutEnd(_ depth: Int) throws {
    var bytes = try TabularProgram(
      path: "a", inputs: [.init("x", .array(2))], outputs: [.init("x", .array(2))],
      step: .normalizer(.sum)
    ).serialized()
    var head = SpecModel(), feature = StumpFile.double("x")
    feature.type.multiArrayType.shape = [2]
    feature.type.multiArrayType.dataType = .double
    head.specificationVersion = 1
    head.description_p.input = [feature]
    head.description_p.output = [feature]
    let start = try head.deterministicBytes()
    for _ in 0..<depth {
      let pipeline = [0x0a] + Self.varint(bytes.count) + bytes
      bytes = start + [0xd2, 0x0c] + Self.varint(pipeline.count) + pipeline
    }
    let error = #expect(throws: TabularError.self) { try TabularProgram(reading: bytes, path: "a") }
    #expect(
      error?.fault.hasPrefix("has pipelines in pipelines") == true
        || error?.fault.hasPrefix("is not a Core ML model") == true)
  }

  private static func varint(_ value: Int) -> [UInt8] {
    var (value, bytes) = (value, [UInt8]())
    while value >= 0x80 {
      bytes.append(UInt8(value & 0x7f) | 0x80)
      value >>= 7
    }
    return bytes + [UInt8(value)]
  }

  @Test func aTreeIsNotTooDeep() throws {
    var file = StumpFile()
    let branch = file.nodes[0]
    file.nodes = (0..<5000).flatMap { level -> [SpecTreeNode] in
      var node = branch
      node.nodeID = UInt64(2 * level)
      node.falseChildNodeID = UInt64(2 * level + 1)
      node.trueChildNodeID = UInt64(2 * level + 2)
      return [node, StumpFile.leaf(node.falseChildNodeID, 1)]
    }
    file.nodes.append(StumpFile.leaf(10_000, 1))
    let error = #expect(throws: TabularError.self) { try file.program() }
    #expect(error?.description == "a.mlmodel: tree 0, node 8192: lies deeper than 4096 branches")
  }

  /// Few values of very many classes would become a table of all.
  @Test func leavesOfManyClassesAreNotSpreadOut() throws {
    var file = StumpFile()
    let stump = file.nodes
    file.nodes = (0..<60_000).flatMap { tree -> [SpecTreeNode] in
      stump.enumerated().map { place, node in
        var node = node
        node.treeID = UInt64(tree)
        if place > 0 { node.evaluationInfo[0].evaluationIndex = UInt64(place) }
        return node
      }
    }
    file.classify((0..<50_000).map(String.init), 50_000)
    let error = #expect(throws: TabularError.self) { try file.program() }
    #expect(
      error?.description
        == "a.mlmodel: has 120000 leaves of 50000 numbers that name only 120000 of them")
  }

  /// Two bytes of the file each, a hundred of memory.
  @Test(arguments: [302, 402, 2])
  func emptyMessagesAreNotSpreadOut(_ field: Int) throws {
    let empty = [UInt8](repeating: 0, count: 4 << 20).enumerated().map {
      $0.offset % 2 == 0 ? 0x0a : $0.element
    }
    let inner = field == 2 ? empty : [0x0a] + Self.varint(empty.count) + empty
    let bytes = Self.varint(field << 3 | 2) + Self.varint(inner.count) + inner
    let error = #expect(throws: TabularError.self) { try TabularProgram(reading: bytes, path: "a") }
    #expect(error?.fault.contains("nearly empty") == true)
  }

  /// Fields named as 64-bit numbers and lengths beyond the file.
  @Test(
    arguments: [
      [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
      [0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], [0x11, 0x00], [0x0b],
      [0x12, 0x05],
      [],
    ] as [[UInt8]])
  func bytesThatAreNoMessage(_ bytes: [UInt8]) throws {
    #expect(throws: TabularError.self) { try TabularProgram(reading: bytes, path: "a") }
  }

  @Test func aPartOfAFileIsNoModel() throws {
    for program in try TabularFixtures.all() {
      let bytes = try program.serialized()
      for count in 0..<bytes.count {
        #expect(throws: TabularError.self) {
          try TabularProgram(reading: Array(bytes.prefix(count)), path: "a")
        }
      }
    }
  }

  /// Bytes changed, cut out, doubled: an error, or a program that is sound and can be written.
  @Test func noMutantCrashes() throws {
    var random = SplitMix(state: 19)
    let files = try TabularFixtures.all().map { try $0.serialized() }
    var read = 0
    for number in 0..<20_000 {
      var bytes = files[number % files.count]
      for _ in 0..<(1 + Int(random.next() % 3)) {
        let place = Int(random.next() % UInt64(bytes.count))
        let end = min(bytes.count, place + 1 + Int(random.next() % 8))
        switch random.next() % 4 {
        case 0: bytes[place] ^= 1 << UInt8(random.next() % 8)
        case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
        default: if end - place < bytes.count { bytes.removeSubrange(place..<end) }
        }
      }
      guard let program = try? TabularProgram(reading: bytes, path: "a") else { continue }
      read += 1
      let again = try TabularProgram(reading: try program.serialized(), path: "a")
      #expect(try again.serialized() == program.serialized())
      _ = try? program.run(Self.values(program), path: "a")
    }
    #expect(read > 100)
  }

  private static func values(_ program: TabularProgram) -> [String: TabularValue] {
    var values: [String: TabularValue] = [:]
    for input in program.inputs {
      switch input.kind {
      case .double: values[input.name] = .double(.nan)
      case .int64: values[input.name] = .int64(.min)
      case .string: values[input.name] = .string("red")
      case .array(let count):
        values[input.name] = .array([Double](repeating: 1e300, count: count))
      case .textDictionary: values[input.name] = .textDictionary(["a": .infinity])
      case .integerDictionary: values[input.name] = .integerDictionary([4: -0.0, .max: 1])
      }
    }
    return values
  }
}

/// Seeded numbers.
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
