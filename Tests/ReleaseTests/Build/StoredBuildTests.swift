import Files
import Gate
import Packaging
import ProjectFixtures
import Store
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Release

/// Builds that share what was made before.
@Suite struct StoredBuildTests {
  private let project: SmallProject
  private let warnings = Warnings()

  init() throws { project = try SmallProject() }

  private func build(
    _ output: String = "out", store: String = "store", program: String = "program"
  ) throws -> BuildReport {
    var request = try project.request(output)
    request.tool = try SmallProject.tool(program)
    request.store = try ContentStore(
      folder: project.scratch.path(store), warn: { [warnings] in warnings.add($0) })
    return try Builder.build(request) { [warnings] event in
      // The gate's warnings about a model do not concern stores.
      if case .warning(let text) = event, !text.contains("tolerated") { warnings.add(text) }
    }
  }

  @Test func makesEachModelOnce() throws {
    let first = try build("a")
    #expect(first.models.map(\.isCached) == [false, false, false])
    let second = try build("b")
    #expect(second.models.map(\.isCached) == [true, true, true])
    #expect(second.models.map(\.key) == first.models.map(\.key))
    #expect(try project.files("b") == (try project.files("a")))
    #expect(warnings.all.isEmpty)
  }

  @Test func onlyChecksWhatIsThere() throws {
    _ = try build()
    let second = try build(store: "another")
    #expect(second.models.isEmpty)
    #expect(second.packages.map(\.isReused) == [true, true, true])
  }

  @Test func makesOneModelOfEqualInputsAnywhere() throws {
    // Two flows that are the same bytes in two folders.
    try project.model("flows/churn/v1", [0.5, -0.25])
    let report = try build()
    #expect(report.models.map(\.model) == ["ranker", "upsell v7"])
    #expect(report.packages.count == 3)
  }

  @Test func keepsARefusalWithItsReasons() throws {
    try project.breakFlow()
    let first = try build("a")
    let second = try build("b")
    #expect(second.models.first { $0.model == "churn v1" }?.verdict == .refused)
    #expect(second.models.allSatisfy { $0.isCached })
    #expect(second.refused == first.refused)
    #expect(second.refused.first?.cause == .gate)
    // How far off looser profiles are is kept, too.
    let outlooks = try #require(first.models.first { $0.model == "churn v1" }).outlooks
    #expect(outlooks.map(\.profile) == [.lenient])
    #expect(second.models.first { $0.model == "churn v1" }?.outlooks == outlooks)
    // And why, as values.
    let findings = try #require(first.models.first { $0.model == "churn v1" }).findings
    #expect(findings.contains { $0.compact.contains(#""severity":"refused""#) })
    #expect(second.models.first { $0.model == "churn v1" }?.findings == findings)
    // And what would mend it, which was tried once.
    let reasons = try #require(second.refused.first?.reasons)
    #expect(reasons.dropLast().last == "model 'churn v1': \(outlooks[0].text)")
    #expect(reasons.last?.hasPrefix("model 'churn v1': leaving 'w' uncompressed (+") == true)
    #expect(reasons.last?.contains(", inside lenient") == true, "\(reasons)")
    let explanation = try #require(first.models.first { $0.model == "churn v1" }).explanation
    #expect(explanation.compact.contains(#""isInside":true"#), "\(explanation.compact)")
    #expect(second.models.first { $0.model == "churn v1" }?.explanation == explanation)
  }

  /// What a model could not be used for may have been the machine's trouble.
  @Test func keepsNothingOfAModelThatCannotBeUsed() throws {
    try project.model("flows/churn/v1", [.nan, 1])
    let first = try build("a")
    let second = try build("b")
    #expect(second.models.last?.verdict == .unusable)
    #expect(second.models.map(\.isCached) == [true, true, false])
    #expect(second.refused == first.refused)
  }

  @Test func keepsCoreMLPackages() throws {
    let contract = SmallProject.contract
      .replacing("formats: [safetensors]", with: "formats: [mlpackage]")
    #expect(contract != SmallProject.contract)
    try project.scratch.write("ingot.yaml", contract)
    let first = try build("a")
    #expect(first.packages.count == 3)
    let second = try build("b")
    #expect(second.models.map(\.isCached) == [true, true, true])
    #expect(try project.files("b") == (try project.files("a")))
    #expect(warnings.all.isEmpty, "\(warnings.all)")
  }

  @Test func takesNothingThatDoesNotBelong() throws {
    let first = try build("a")
    let store = try ContentStore(folder: project.scratch.path("store"), warn: { _ in })
    let key = try #require(ContentDigest(hex: first.models[0].key).map { ActionKey(digest: $0) })
    let cached = try #require(store.result(for: key))
    let stray = try store.insert(Array("stray".utf8))
    let output = ActionResult.Output(
      path: "companions/stray.txt", digest: stray.digest, byteCount: stray.byteCount)
    try store.record(
      ActionResult(outputs: cached.outputs + [output], exitCode: cached.exitCode), for: key)
    let second = try build("b")
    #expect(second.models.map(\.isCached) == [false, true, true])
    #expect(try project.files("b") == (try project.files("a")))
  }

  @Test func anotherProgramMakesAnew() throws {
    _ = try build("a")
    let second = try build("b", program: "another")
    #expect(second.models.allSatisfy { !$0.isCached })
  }

  @Test func makesAnewWhatIsCorrupt() throws {
    _ = try build("a")
    var blobs: [String] = []
    for folder in try Folder.names(in: project.scratch.path("store/cas")) {
      let path = project.scratch.path("store/cas/\(folder)")
      blobs += try Folder.names(in: path).map { Folder.join(path, $0) }
    }
    for blob in blobs {
      var bytes = try MappedFile.contents(of: blob, limit: 1 << 20)
      bytes[bytes.count / 2] ^= 1
      try Folder.remove(blob)
      try AtomicFile.write(bytes, to: blob)
    }
    let second = try build("b")
    #expect(second.models.allSatisfy { !$0.isCached })
    #expect(try project.files("b") == (try project.files("a")))
    #expect(warnings.all.count >= 3, "\(warnings.all)")
    let third = try build("c")
    #expect(third.models.allSatisfy { $0.isCached })
  }

  /// A store may hold a receipt that is sound but of another model; its bytes do not prove this one.
  @Test func takesNoReceiptOfAnotherModel() throws {
    let first = try build("a")
    let store = try ContentStore(folder: project.scratch.path("store"), warn: { _ in })
    let keys = first.models.compactMap {
      ContentDigest(hex: $0.key).map { ActionKey(digest: $0) }
    }
    let foreign = try #require(store.result(for: keys[0]))
    try store.record(foreign, for: keys[1])
    let second = try build("b")
    #expect(second.models.map(\.isCached) == [true, false, true])
    #expect(
      warnings.all == [
        "upsell v7: the store's \(keys[1]) is of no use, made anew: it does not prove this model"
      ])
    #expect(try project.files("b") == (try project.files("a")))
  }
}
