import Files
import Foundation
import Testing

@testable import Trees

@Suite(.enabled(if: JudgedGraph.root != nil, "INGOT_TREES names no folder of trained models"))
struct ONNXModelTests {
  @Test func thereAreModels() throws { #expect(try JudgedGraph.names().count >= 20) }

  @Test(arguments: try JudgedGraph.names())
  func aModelGivesTheNumbersOfONNXRuntime(_ name: String) throws {
    let model = try JudgedGraph(name)
    try model.judge(ONNXModel.read(MappedFile(path: model.path)))
  }
}

extension ONNXModelTests {
  /// Trees alone become an ensemble, whose numbers are those of the graph but for where the base is added.
  @Test(arguments: [
    "tree-3-texts", "tree-2", "tree-pairs", "forest-3", "forest-values", "boosting-3-21",
    "boosting-2-21",
    "boosting-values-21", "hist-3", "hist-2", "hist-values", "xgboost-3", "xgboost-2",
    "xgboost-values",
    "lightgbm-3", "lightgbm-2", "lightgbm-values", "lightgbm-categories", "catboost-3",
    "catboost-2",
    "catboost-values",
  ])
  func treesAloneAreAnEnsemble(_ name: String) throws {
    let judged = try JudgedGraph(name)
    let model = try #require(ONNXModel.read(MappedFile(path: judged.path)).trees)
    var worst = 0.0
    for (row, expected) in zip(judged.rows, judged.expected) {
      guard case .numbers(let numbers)? = row.first else { continue }
      let found = model.ensemble.outputs(of: numbers)
      let wanted = expected.count == 2 && found.count == 1 ? [expected[1]] : expected
      try #require(found.count == wanted.count)
      for (one, other) in zip(found, wanted) {
        worst = max(worst, abs(one - other) / max(abs(one), abs(other), 1))
      }
    }
    #expect(worst <= 1e-6)
  }

  @Test func whatIsMoreThanTreesIsNone() throws {
    for name in [
      "logistic-3", "isolation", "xgboost-poisson", "imputed-forest", "columns-forest-21",
    ] {
      let judged = try JudgedGraph(name)
      #expect(try ONNXModel.read(MappedFile(path: judged.path)).trees == nil, "\(name)")
    }
  }

  @Test func damagedFilesAreRefusedOrRead() throws {
    var random = Dice(state: 19)
    var (read, refused) = (0, 0)
    for name in try JudgedGraph.names() {
      let judged = try JudgedGraph(name)
      let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: judged.path)))
      guard file.count < 30_000 else { continue }
      for _ in 0..<60 {
        let bytes = Self.damaged(file, &random)
        do {
          let graph = try ONNXModel.read(bytes, path: "damaged")
          read += 1
          // Whatever was read becomes steps, or is refused.
          _ = try? TableLowering.table(of: graph).simplest
          if graph.inputs.map(\.count) == graph.inputs.map({ _ in judged.rows[0].count }) {
            _ = try graph.run(judged.rows[0])
          }
        } catch { refused += 1 }
      }
    }
    #expect(read + refused > 2000 && read > 0 && refused > 0)
  }

  private static func damaged(_ file: [UInt8], _ random: inout Dice) -> [UInt8] {
    var bytes = file
    for _ in 0...Int.random(in: 0..<3, using: &random) {
      let place = Int.random(in: 0..<max(bytes.count, 1), using: &random)
      guard !bytes.isEmpty else { break }
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 2:
        bytes.removeSubrange(
          place..<min(bytes.count, place + Int.random(in: 1..<20, using: &random)))
      case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 8)], at: place)
      default: bytes[place] = 0xFF
      }
    }
    return bytes
  }
}

/// The same numbers each time.
private struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}
