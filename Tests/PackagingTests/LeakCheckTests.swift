import Files
import Formats
import Gate
import Inputs
import TestSupport
import Testing
import Weights

@testable import Packaging

@Suite struct LeakCheckTests {
  private func archive(
    _ models: [PackagedModel], id: String = "c2d67cdb-e117-4c3e-acca-2ae7f1a42210",
    _ form: ArchiveForm, in scratch: TemporaryFolder
  ) throws -> VerifiedPackage {
    let plan = try PackageContents(try Sample.details(id: id), models)
    return try PackageWriter(workers: 1).write(plan, as: form, to: scratch.path("a"))
  }

  /// The files that the customer of the sample is due, put together from the models alone.
  private func expected() throws -> [PackagePath: ContentDigest] {
    let (encoder, upsell) = (try Sample.encoder.get(), try Sample.upsell.get())
    return [
      try PackagePath("models/encoder/model.safetensors"): encoder.emitted.digest,
      try PackagePath("receipts/encoder.json"): ContentDigest(of: encoder.receipt.packedBytes),
      try PackagePath("models/onboarding_upsell/model.safetensors"): upsell.emitted.digest,
      try PackagePath("receipts/onboarding_upsell.json"): ContentDigest(
        of: upsell.receipt.packedBytes),
    ]
  }

  private var app: AppDetails {
    get throws { try Sample.details().app }
  }

  @Test(arguments: ArchiveForm.allCases) func passesWhatIsDue(_ form: ArchiveForm) throws {
    let scratch = try TemporaryFolder()
    let package = try archive(try Sample.models(), form, in: scratch)
    let check = LeakCheck(app: try app, expected: try expected())
    #expect(throws: Never.self) { try check.check(package) }
  }

  /// A model of another customer got under the right name: a sound package, but not this customer's.
  @Test(arguments: ArchiveForm.allCases) func findsAnotherModel(_ form: ArchiveForm) throws {
    let scratch = try TemporaryFolder()
    let other = try ProvenModel(seed: 0.125)
    let models = [
      try other.packaged(as: .flow(id: 8362, name: "onboarding_upsell", modelVersion: 73)),
      try Sample.encoder.get().packaged(as: .shared(name: "encoder")),
    ]
    let package = try archive(models, form, in: scratch)
    let check = LeakCheck(app: try app, expected: try expected())
    let path = "models/onboarding_upsell/model.safetensors"
    let fault =
      "\(package.path): the file '\(path)' with sha256 \(other.emitted.digest) is none of this "
      + "customer's"
    #expect(message { try check.check(package) } == fault)
    #expect(
      message { try check.check(package) { _ in "customer 'b'" } }
        == fault + ", it is one of customer 'b'")
    #expect(throws: Never.self) { try PackageVerifier.verify(package.path) }
  }

  @Test func findsAModelTooMany() throws {
    let scratch = try TemporaryFolder()
    let models = try Sample.models()
    let package = try archive(models, .tarZst, in: scratch)
    var expected = try expected()
    expected[try PackagePath("receipts/onboarding_upsell.json")] = nil
    let digest = ContentDigest(of: try Sample.upsell.get().receipt.packedBytes)
    #expect(
      message { try LeakCheck(app: try self.app, expected: expected).check(package) }
        == "\(package.path): the file 'receipts/onboarding_upsell.json' with sha256 \(digest) is "
        + "none of this customer's")
  }

  /// The right content at another path is not due there.
  @Test func findsContentElsewhere() throws {
    let scratch = try TemporaryFolder()
    let encoder = try Sample.encoder.get()
    let models = [
      try Sample.upsell.get().packaged(
        as: .flow(id: 8362, name: "onboarding_upsell", modelVersion: 73)),
      try encoder.packaged(as: .shared(name: "second")),
    ]
    let package = try archive(models, .tarZst, in: scratch)
    let check = LeakCheck(app: try app, expected: try expected())
    #expect(
      message { try check.check(package) }
        == "\(package.path): the file 'models/second/model.safetensors' with sha256 "
        + "\(encoder.emitted.digest) is none of this customer's")
  }

  @Test func findsThePackageOfAnotherApp() throws {
    let scratch = try TemporaryFolder()
    let id = "00000000-e117-4c3e-acca-2ae7f1a42210"
    let package = try archive(try Sample.models(), id: id, .tarZst, in: scratch)
    let check = LeakCheck(app: try app, expected: try expected())
    #expect(
      message { try check.check(package) }
        == "\(package.path): is for app \(id), expected app c2d67cdb-e117-4c3e-acca-2ae7f1a42210")
  }
}
