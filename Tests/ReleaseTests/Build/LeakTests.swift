import Files
import Gate
import Packaging
import Project
import ProjectFixtures
import TestSupport
import Testing
import Weights

@testable import Project
@testable import Release

/// Nothing of another customer gets into a package, even when the plan of a build is wrong.
@Suite struct LeakTests {
  @Test func aForeignModelStopsTheBuild() throws {
    let project = try SmallProject()
    let (contract, plan, _) = try ProjectValidator.plan(project.scratch.path)
    let request = try project.request()
    let folder = try OutputFolder(request.output)
    let work = try ModelWork(plan, request, in: folder) { _ in }
    try work.work(on: Array(plan.jobs.indices))
    let packages = PackageJob.all(
      of: plan, contract, toolVersion: request.tool.version, time: request.time)
    // The first customer's flow is 'upsell'; 'churn' is the second's alone.
    let churn = try #require(plan.jobs.firstIndex { $0.label == "churn v1" })
    guard case .proven(let model) = work.outcome(of: churn) else {
      throw NotThere(what: "churn v1")
    }
    let expected = try LeakCheck(plan.packages[0].customer, of: contract, work)
    let part = model.parts[0]
    let foreign = try PackagedModel(
      part.emitted, receipt: part.receipt,
      identity: .flow(id: 1, name: "upsell", modelVersion: 7), details: part.details)
    let owners = work.owners
    let run = PackageRun(folder: folder, signer: nil, jobs: 1) { owners[$0] }
    let outcomes = run.pack([.init(package: packages[0], models: [foreign], leaks: expected)])
    guard case .failed(let error) = outcomes[0] else { throw NotThere(what: "a refusal") }
    let words = "\(error)"
    #expect(words.contains("models/upsell/model.safetensors"), "\(words)")
    #expect(words.contains("model 'churn v1'"), "\(words)")
    // Nothing got a name.
    #expect(
      try Folder.names(in: Folder.parent(of: folder.inside(packages[0].path))).isEmpty)
  }

  @Test func whatACustomerIsDuePasses() throws {
    let project = try SmallProject()
    #expect(try project.build().packages.count == 3)
  }
}
