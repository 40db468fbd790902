import Files
import Formats
import Gate
import Graph
import Inputs
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import WeightCompression

@testable import Explanation

/// What a refusal says of mends.
struct RefusalMendTests {
  private let folder: TemporaryFolder
  private let trained: Model
  private let gate: Gate

  /// As many inputs as no refusal waits for.
  init() throws {
    folder = try TemporaryFolder()
    var numbers = SeededGenerator(seed: 3)
    trained = try twoLayerModel(first: numbers.matrix(16, 8), second: numbers.matrix(8, 16))
    let references = try ModelFixtures.references(numbers.pairs(760, width: 8))
    gate = Gate(on: references, try Limits(profile: .strict), threshold: nil, jobs: 1)
  }

  private func mend(_ candidate: Model, isPatient: Bool) throws -> (Verdict, RefusalMend) {
    let verdict = try gate.judge(.models([candidate]), against: .models([trained]))
    let mend = RefusalMend(
      verdict, by: gate, .models([candidate]), against: .models([trained]), jobs: 1,
      isPatient: isPatient
    ) { _ in }
    return (verdict, mend)
  }

  @Test func onManyReferencesOnlyWhoeverIsPatientLooks() throws {
    let candidate = try MendSearchTests.compressed(
      trained, .palette(bits: 2, .perTensor), in: folder)
    let (verdict, left) = try mend(candidate, isPatient: false)
    #expect(!verdict.isPassed)
    #expect(
      left.lines { $0 == .explanation ? "explain it" : nil }
        == ["'explain it' looks for the cheapest mend on as many references"])
    #expect(left.json == .null && left.fault == nil)
    let found = try mend(candidate, isPatient: true).1
    let lines = found.lines { _ in nil }
    #expect(lines.count == 1 && lines[0].contains(" would bring "), "\(lines)")
    #expect(found.json.compact.contains(#""kind":"rounding""#), "\(found.json.compact)")
  }

  @Test func whatPassesNeedsNone() throws {
    let (verdict, none) = try mend(trained, isPatient: true)
    #expect(verdict.isPassed)
    #expect(none.lines { _ in "explain it" } == [])
    #expect(none.json == .null)
  }
}
