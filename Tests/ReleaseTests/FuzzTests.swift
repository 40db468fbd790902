import Files
import Testing

@testable import Release

/// Feeds the readers of a project with damaged files: they must find a fault or read them, and never
/// trap. `INGOT_FUZZ_ITERATIONS` sets the inputs for each reader.
@Suite struct FuzzTests {
  private static let iterations =
    System.environment("INGOT_FUZZ_ITERATIONS").flatMap { Int($0) } ?? 3000

  @Test func yaml() throws {
    let alphabet = Array("{}[]:,-*&#!|>'\"%@`?~ \n\tab01.".utf8) + [0x00, 0x80, 0xC2, 0x85, 0xFF]
    try damage(SmallProject.contract, alphabet, seed: 42) { bytes in
      var faults = ProjectFaults()
      let node = YAMLReader.read(bytes, file: "f", &faults)
      return (node == nil) == !faults.isEmpty
    }
  }

  @Test func projects() throws {
    // Words of the contract in wrong places, which mostly remain YAML.
    let scratch = try Scratch()
    let words = ["[]", "{}", "~", "1", "''", "source", "compress", "limits", "x: y", "- a", "-1"]
    let lines = SmallProject.contract.split(separator: "\n").map(String.init)
    var random = Seeded(state: 3)
    for _ in 0..<FuzzTests.iterations / 4 {
      var broken = lines
      let index = Int.random(in: broken.indices, using: &random)
      let indent = broken[index].prefix { $0 == " " }
      let key = broken[index].prefix { $0 != ":" }
      let word = words.randomElement(using: &random) ?? ""
      broken[index] = Bool.random(using: &random) ? "\(key): \(word)" : "\(indent)\(word): 1"
      let path = try scratch.file("ingot.yaml", broken.joined(separator: "\n"))
      let log = ContractSection.Log()
      let project = ProjectReader.read(path, log: log)
      #expect((project == nil) == !log.faults.isEmpty)
    }
  }

  @Test func customers() throws {
    let scratch = try Scratch()
    let alphabet = Array("{}[]:,\"\\ -0e.ntf\u{7F}".utf8) + [0x00, 0x80, 0xED, 0xFF]
    try damage(SmallProject.customers, alphabet, seed: 9) { bytes in
      let path = try scratch.file("c.json", bytes)
      let log = ContractSection.Log()
      let list = CustomerReader.read(path, log: log)
      return list != nil || !log.faults.isEmpty
    }
  }

  /// Damages a sound text in many ways and expects `body` to find nothing wrong with the reader.
  private func damage(
    _ sound: String, _ alphabet: [UInt8], seed: UInt64, _ body: ([UInt8]) throws -> Bool
  ) throws {
    let sound = Array(sound.utf8)
    var random = Seeded(state: seed)
    for iteration in 0..<FuzzTests.iterations {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = Int.random(in: bytes.indices, using: &random)
        let byte = alphabet.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = byte
        case 1: bytes.insert(byte, at: index)
        case 2: bytes.remove(at: index)
        default: bytes.removeSubrange(index..<min(index + 40, bytes.count - 1))
        }
      }
      #expect(try body(bytes), "seed \(seed), iteration \(iteration)")
    }
  }
}

/// A small generator of random numbers with a known seed (SplitMix64).
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
