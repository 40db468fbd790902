import Gate
import Inputs
import TestSupport
import Testing

@testable import Explanation

/// Twenty faults of ten kinds in two architectures: each is named first, with its kind.
struct PlantedFaultsTests {
  private func explain(_ fault: PlantedFault) throws -> Explanation {
    let folder = try TemporaryFolder()
    var (trained, candidate, references) = try fault.models(in: folder)
    references.isFewMeant = true
    var gate = Gate(on: references, try Limits(profile: .strict), threshold: nil, jobs: 1)
    gate.attribution = .always
    let verdict = try gate.judge(.models(candidate), against: .models(trained))
    #expect(!verdict.isPassed)
    return try Explanation(
      of: verdict, by: gate, .models(candidate), against: .models(trained), jobs: 1)
  }

  @Test func thereAreTwentyOfTenKinds() {
    #expect(PlantedFault.all.count == 20)
    #expect(Set(PlantedFault.all.map(\.kind)).count == 10)
    #expect(Set(PlantedFault.all.map(\.architecture)).count == 2)
  }

  @Test(arguments: PlantedFault.all)
  func isNamedFirstWithItsKind(_ fault: PlantedFault) throws {
    let explanation = try explain(fault)
    let first = try #require(explanation.culprits.first)
    #expect(first.subject == fault.subject, "\(explanation.culprits)")
    #expect(first.kind == fault.kind, "\(explanation.culprits)")
    // Planted into a model that is as trained otherwise: taking the part from there mends it.
    let mend = try #require(explanation.mend)
    #expect(mend.isInside, "\(mend.sentence)")
    #expect(mend.extraBytes == 0)
  }

  /// What INT8 does to all weights hides no fault, and no mend of the fault costs a byte.
  @Test(arguments: PlantedFault.all)
  func isNamedFirstAmongErrorsOfINT8(_ fault: PlantedFault) throws {
    var fault = fault
    fault.isCompressed = true
    let explanation = try explain(fault)
    let first = try #require(explanation.culprits.first)
    #expect(first.subject == fault.subject, "\(explanation.culprits)")
    #expect(first.kind == fault.kind, "\(explanation.culprits)")
  }
}
