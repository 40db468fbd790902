import Files
import Gate
import Packaging
import Project
import ProjectFixtures
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Project
@testable import Release

@Suite struct ReplayTests {
  let project: SmallProject
  /// The archive of the second customer: the flows churn and upsell, and the shared ranker.
  let package: VerifiedPackage

  init() throws {
    project = try SmallProject()
    package = try PackageVerifier.verify(try project.build().packages[1].path)
  }

  private func digest(of name: String) throws -> String {
    try ContentDigest(of: MappedFile(path: project.scratch.path(name))).hex
  }

  @Test func everyModelIsProvenAgain() throws {
    var steps: [String] = []
    let report = try Replay.run(package, project: project.scratch.path, jobs: 2) {
      steps.append("\($2)/\($3) \($0) \($1 ?? "alone")")
    }
    #expect(report.models.map(\.outcome) == [.proven, .proven, .proven])
    #expect(report.isProven && !report.isContradicted && report.reasons.isEmpty)
    #expect(steps == ["1/3 churn alone", "2/3 ranker alone", "3/3 upsell alone"])
    #expect(
      report.summary.hasPrefix(
        "  model 'churn': proven again, passed lenient, tightened: similarity drift max 0.1\n"))
  }

  @Test func nothingIsLeftBehind() throws {
    let temporary = project.scratch.path("temporary")
    try Folder.create(temporary)
    _ = try Replay.run(package, project: project.scratch.path, jobs: 1, in: temporary)
    #expect(try Folder.names(in: temporary).isEmpty)
    #expect(
      message {
        _ = try Replay.run(package, project: project.scratch.path, jobs: 1, in: "\(temporary)/gone")
      } == "\(temporary)/gone: cannot make a folder: no such file or directory")
  }

  @Test func otherWeightsAreNamedAndNotRun() throws {
    let before = try digest(of: "flows/churn/v1/w.npy")
    try project.model("flows/churn/v1", [-0.125, 0.5])
    let after = try digest(of: "flows/churn/v1/w.npy")
    let found = try project.replay(package)
    guard let reasons = found["churn"]?.differences else {
      Issue.record("\(String(describing: found["churn"]))")
      return
    }
    #expect(reasons.count == 1)
    #expect(before != after)
    let start = "weights of '\(project.scratch.path("flows/churn/v1"))': recorded "
    #expect(reasons[0].hasPrefix(start), "\(reasons)")
    #expect(found["ranker"] == .proven && found["upsell"] == .proven)
  }

  @Test func otherReferencesAreNamed() throws {
    let before = try digest(of: "references.jsonl")
    let file = try project.scratch.write("references.jsonl", #"{"input": {"values": [1, 2]}}"#)
    let reason =
      "reference set '\(file)': recorded \(before), found \(try digest(of: "references.jsonl"))"
    for outcome in try project.replay(package).values { #expect(outcome.differences == [reason]) }
  }

  @Test func aChangedDescriptionIsNamed() throws {
    let name = "models/ranker/model.json"
    let before = try digest(of: name)
    let text = try MappedFile.contents(of: project.scratch.path(name), limit: 1 << 16)
    let file = try project.scratch.write(name, text + [0x0A])
    #expect(
      try project.replay(package)["ranker"]?.differences
        == ["'\(file)': recorded \(before), found \(try digest(of: name))"])
  }

  @Test func sourcesThatAreGoneCannotBeProven() throws {
    try Folder.remove(project.scratch.path("flows/upsell"))
    let report = try Replay.run(package, project: project.scratch.path, jobs: 1)
    #expect(
      report.models[2].outcome
        == .impossible(
          reason: "the source '\(project.scratch.path("flows/upsell/v7"))' is not there"))
    #expect(!report.isProven && !report.isContradicted)
    #expect(report.reasons.count == 1)
    #expect(report.reasons[0].hasPrefix("model 'upsell': the source "))
  }

  @Test func modelsTheProjectDoesNotKnowCannotBeProven() throws {
    try project.scratch.write(
      "ingot.yaml", SmallProject.contract.replacing("ranker:", with: "sorter:"))
    #expect(
      try project.replay(package)["ranker"]
        == .impossible(reason: "the project does not know this model"))
  }

  private func setLimits(ofRanker limits: String) throws {
    try project.scratch.write(
      "ingot.yaml",
      SmallProject.contract.replacing("limits: standard", with: "limits: \(limits)")
        .replacing("threshold: 0.5", with: "threshold: 0.25"))
  }

  @Test(arguments: ["lenient", "standard", "{profile: standard, cosineMean: 0.95, weakened: true}"])
  func limitsAreThoseOfTheReceipt(_ requested: String) throws {
    try setLimits(ofRanker: requested)
    let report = try Replay.run(package, project: project.scratch.path, jobs: 1)
    #expect(report.isProven, "\(report.reasons)")
    #expect(report.summary.contains("  model 'ranker': proven again, passed standard\n"))
  }

  @Test func limitsAreAtLeastAsTightAsTheProjects() throws {
    try setLimits(ofRanker: "{profile: strict, similarityDriftMax: 0}")
    let found = try project.replay(package)
    #expect(
      found["ranker"]?.differences
        == [
          "limits: held to cosine mean 0.99, the project asks for at least 0.999",
          "limits: held to cosine min 0.97, the project asks for at least 0.995",
          "limits: held to similarity drift mean 0.01, the project asks for at most 0.005",
          "limits: held to similarity drift max 0.05, the project asks for at most 0",
          "limits: held to neighbour overlap 0.9, the project asks for at least 0.95",
        ])
    #expect(found["churn"] == .proven && found["upsell"] == .proven)
  }

  @Test func oneWeakerLimitIsEnough() throws {
    try setLimits(ofRanker: "{profile: lenient, cosineMin: 0.98}")
    let words = "limits: held to cosine min 0.97, the project asks for at least 0.98"
    #expect(try project.replay(package)["ranker"]?.differences == [words])
  }

  @Test func neitherCustomersNorOtherModelsAreLookedAt() throws {
    try Folder.remove(project.scratch.path("customers.json"))
    for outcome in try project.replay(package).values { #expect(outcome == .proven) }
  }

  @Test func aFaultyProjectIsReported() throws {
    try project.scratch.write("ingot.yaml", "ingot: 1\n")
    #expect(throws: ProjectFaults.self) {
      try Replay.run(package, project: project.scratch.path, jobs: 1)
    }
  }

  @Test func anArchiveThatChangesMeanwhileIsRefused() throws {
    let other = try MappedFile.contents(
      of: try project.build().packages[0].path, limit: 1 << 20)
    try AtomicFile.write(other, to: package.path)
    #expect(
      message { _ = try Replay.run(package, project: project.scratch.path, jobs: 1) }
        == "\(package.path): cannot replay: it has changed since it was verified")
  }

  @Test func theReportIsWrittenAsJSON() {
    let differences: [ReplayDifference] = [
      .receipt(.field("metrics.inputs"), recorded: "13", found: nil),
      .limit(.cosineMin, held: 0.97, requested: 0.98),
    ]
    let report = ReplayReport(models: [
      .init(name: "a", outcome: .proven), .init(name: "b", outcome: .differs(differences)),
      .init(name: "c", outcome: .refused(ModelRefusal(reasons: ["z"]))),
      .init(name: "d", outcome: .impossible(reason: "gone\nfor good")),
    ])
    #expect(
      report.json.compact
        == #"[{"model":"a","reasons":[],"verdict":"proven"},"#
        + #"{"differences":[{"field":"metrics.inputs","found":null,"recorded":"13","#
        + #""sentence":"metrics.inputs: recorded 13, found nothing","what":"receipt"},"#
        + #"{"held":0.97,"limit":"cosineMin","requested":0.98,"sentence":"limits: held to cosine "#
        + #"min 0.97, the project asks for at least 0.98","what":"limit"}],"#
        + #""model":"b","reasons":["metrics.inputs: recorded 13, found nothing","#
        + #""limits: held to cosine min 0.97, the project asks for at least 0.98"],"#
        + #""verdict":"differs"},"#
        + #"{"model":"c","reasons":["z"],"verdict":"refused"},"#
        + #"{"model":"d","reasons":["gone","for good"],"verdict":"impossible"}]"#)
    #expect(report.isContradicted && !report.isProven)
  }

  /// A difference, its sentence, and what its form for programs begins with.
  struct Case: Sendable {
    let difference: ReplayDifference
    let sentence: String
    let json: String

    init(_ subject: ReplayDifference.Subject, _ words: String, _ json: String) {
      difference = .receipt(subject, recorded: "a", found: "b")
      sentence = "\(words): recorded a, found b"
      self.json = json
    }

    init(_ difference: ReplayDifference, _ sentence: String, _ json: String) {
      (self.difference, self.sentence, self.json) = (difference, sentence, json)
    }
  }

  static let cases = [
    Case(.field("x.y"), "x.y", #""what":"receipt""#),
    Case(.weights(path: "p"), "weights of 'p'", #""what":"weights""#),
    Case(.file(path: "p"), "'p'", #""what":"file""#),
    Case(.references(path: "p"), "reference set 'p'", #""what":"references""#),
    Case(.vectors(path: "p"), "vectors 'p'", #""what":"vectors""#),
    Case(.inputs(ofVectors: "p"), "inputs of 'p'", #""what":"inputs""#),
    Case(.calibration(path: "p"), "calibration set 'p'", #""path":"p""#),
    Case(
      .limit(.similarityDriftMax, held: 0.05, requested: 0),
      "limits: held to similarity drift max 0.05, the project asks for at most 0",
      #"{"held":0.05,"limit":"similarityDriftMax","requested":0.0"#),
    Case(
      .unreadable(reason: "gone"), "the packaged model cannot be read: gone",
      #"{"reason":"gone","sentence":"#),
  ]

  @Test(arguments: cases)
  func aDifferenceHasASentenceAndValues(_ test: Case) {
    let json = test.difference.json.compact
    #expect(test.difference.sentence == test.sentence)
    #expect(json.contains(test.json), "\(json)")
  }
}
