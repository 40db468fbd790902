import StrictJSON
import Testing

@testable import Trees

/// Seeded damage to `model.json` and to numbers of arrays: an error or a sound model, never a trap.
struct ArrayTreesMutationTests {
  /// The generator of Steele, Lea and Flood.
  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
      return word ^ word >> 31
    }
  }

  private struct NoSuchArray: Error {}

  private static func survives(_ bytes: [UInt8], _ arrays: [String: TreeArray]) -> Bool {
    do {
      let object = try JSONParser.parseObject(bytes, origin: "model.json")
      let model = try ArrayTrees.read(object) { name throws(NoSuchArray) in
        guard let array = arrays[name] else { throw NoSuchArray() }
        return array
      }
      let row = [Double](repeating: 1, count: model.ensemble.featureCount)
      return model.ensemble.outputs(of: row).count == model.ensemble.outputCount
    } catch {
      return !"\(error)".isEmpty
    }
  }

  @Test(arguments: 0..<8)
  func damagedDescriptionsAreErrorsOrSound(_ seed: Int) {
    var random = SplitMix(state: UInt64(seed))
    for _ in 0..<1000 {
      var bytes = Array(ArrayTreesTests.whole.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 1...12, using: &random))
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes.insert(contentsOf: bytes[place..<end], at: place)
        default: bytes.removeSubrange(place..<min(end, place + bytes.count - 1))
        }
      }
      #expect(Self.survives(bytes, ArrayTreesTests.arrays), "seed \(seed): \(bytes)")
    }
  }

  @Test(arguments: 0..<8)
  func damagedArraysAreErrorsOrSound(_ seed: Int) {
    var random = SplitMix(state: UInt64(seed))
    let names = ArrayTreesTests.arrays.keys.sorted()
    let numbers = [0, 1, -1, 2, 3, 5, 6, 0.5, -2, .nan, .infinity, 1e18, -1e300, 2_147_483_648]
    for _ in 0..<1000 {
      var arrays = ArrayTreesTests.arrays
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let name = names[Int.random(in: 0..<names.count, using: &random)]
        guard let array = arrays[name], var values = try? array.elements(), !values.isEmpty
        else { continue }
        let place = Int.random(in: 0..<values.count, using: &random)
        values[place] = numbers[Int.random(in: 0..<numbers.count, using: &random)]
        if Bool.random(using: &random) { values.removeLast(Int.random(in: 0...1, using: &random)) }
        let isColumn = array.shape.count == 1 && Bool.random(using: &random)
        arrays[name] = TreeArray(shape: isColumn ? [values.count] : array.shape, values: values)
      }
      #expect(
        Self.survives(Array(ArrayTreesTests.whole.utf8), arrays), "seed \(seed): \(arrays)")
    }
  }
}
