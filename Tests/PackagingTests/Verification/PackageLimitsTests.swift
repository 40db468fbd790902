import Files
import Gate
import StrictJSON
import TestSupport
import Testing

@testable import Packaging

/// A package's statements on the limits its models were held to, and those it may not make.
@Suite struct PackageLimitsTests {
  private static let weak: [String: Double] = ["cosineMean": 0, "similarityDriftMax": 2]

  /// The archive of one model that was held to some limits, as a tar stream.
  private func tarball(
    _ profile: Limits.Profile, _ overrides: [String: Double] = [:]
  ) throws -> Tarball {
    let model = try ProvenModel(limits: try Limits(profile: profile, overrides: overrides))
    let plan = try PackageContents(
      try Sample.details(), [try model.packaged(as: .shared(name: "encoder"))])
    return try Tarball(of: try Sample.bytes(of: plan))
  }

  /// Verifies an archive whose bill of materials is made anew: all but the limits is consistent.
  private func verify(_ tarball: Tarball) throws -> VerifiedPackage {
    var tar = tarball
    try tar.replace(BillOfMaterials.entryName, BillOfMaterials(try tar.manifest).bytes)
    let scratch = try TemporaryFolder()
    return try PackageVerifier.verify(
      try scratch.write("a.tar.zst", try Tarball.compress(tar.bytes)))
  }

  /// Takes the limits out of the manifest, as it was before manifests carried them.
  private func bare(_ tarball: Tarball) throws -> Tarball {
    var tar = tarball
    try tar.editManifest { text in
      guard let start = text.firstRange(of: #""limits":{"#),
        let end = text[start.upperBound...].firstRange(of: "},")
      else { return text }
      return text.replacingCharacters(in: start.lowerBound..<end.upperBound, with: "")
    }
    #expect(try tar.manifest.models[0].gate.limits == nil)
    return tar
  }

  @Test func weakenedLimitsAreSaid() throws {
    let package = try verify(try tarball(.strict, Self.weak))
    let words = "strict, weakened: cosine mean 0, similarity drift max 2"
    #expect(
      package.summary(isAuthenticated: true).contains(", passed \(words)\n"),
      "\(package.summary(isAuthenticated: true))")
    let limits = try #require(package.json["limits"]?["encoder"])
    #expect(limits["words"] == .string(words))
    #expect(limits["weakened"] == ["cosineMean", "similarityDriftMax"])
    #expect(limits["inManifest"] == true)
    #expect(
      package.manifest.models[0].gate.limits == package.limits(of: package.manifest.models[0]))
  }

  @Test func tightenedLimitsAreSaid() throws {
    let package = try verify(try tarball(.lenient, ["cosineMin": 0.9]))
    #expect(
      package.summary(isAuthenticated: true).contains(
        ", passed lenient, tightened: cosine min 0.9\n"))
    let own = try verify(try tarball(.strict)).summary(isAuthenticated: true)
    #expect(own.contains(", passed strict\n"))
  }

  /// A manifest that names `strict` alone promises all of its limits.
  @Test func aBareProfileWithWeakerLimitsIsRefused() throws {
    let fault = message { _ = try verify(try bare(try tarball(.strict, Self.weak))) }
    #expect(
      fault?.hasSuffix(
        "receipt 'receipts/encoder.json' holds its model to cosine mean 0, the manifest names "
          + "'strict' alone, which has 0.999; a package of before manifests carried limits is to "
          + "be built again") == true, "\(fault ?? "no error")")
  }

  /// The profile's own limits in the manifest, weaker ones in the receipt, and the other way round.
  @Test(arguments: [
    (#""cosineMean":"0""#, #""cosineMean":"0.999""#, "cosine mean 0, the manifest says 0.999"),
    (
      #""similarityDriftMean":"0.005""#, #""similarityDriftMean":"0.1""#,
      "similarity drift mean 0.005, the manifest says 0.1"
    ),
  ])
  func limitsThatAreNotTheReceiptsAreRefused(
    _ old: String, _ new: String, _ words: String
  ) throws {
    var tar = try tarball(.strict, Self.weak)
    try tar.editManifest { $0.replacing(old, with: new) }
    let fault = message { _ = try verify(tar) }
    #expect(
      fault?.hasSuffix("receipt 'receipts/encoder.json' has \(words)") == true,
      "\(fault ?? "no error")")
  }

  @Test(arguments: [
    (#""cosineMean":"0""#, #""cosineMean":"7""#, "the limit 'cosineMean' is 7"),
    (#""cosineMean":"0""#, #""cosineMean":"0.0""#, "expected a decimal in its shortest form"),
    (#""cosineMean":"0","#, "", "the key 'cosineMean' is missing"),
    (#""cosineMean":"0""#, #""cosineMost":"0""#, "unknown key 'cosineMost'"),
  ])
  func limitsThatNobodyWouldWriteAreRefused(
    _ old: String, _ new: String, _ words: String
  ) throws {
    var tar = try tarball(.strict, Self.weak)
    try tar.editManifest { $0.replacing(old, with: new) }
    let fault = message { _ = try tar.manifest }
    #expect(fault?.contains(words) == true, "\(fault ?? "no error")")
  }

  /// Packages of before still verify, and say where their limits come from.
  @Test(arguments: [
    ([:], "passed strict\n"),
    (["cosineMin": 0.999], "passed strict, tightened: cosine min 0.999\n"),
  ])
  func aPackageWithoutLimitsSaysSo(_ overrides: [String: Double], _ words: String) throws {
    let package = try verify(try bare(try tarball(.strict, overrides)))
    #expect(
      package.summary(isAuthenticated: true).contains(
        "\(words)    its limits are not known from the manifest, which names a profile alone; they "
          + "are those of the receipt\n"), "\(package.summary(isAuthenticated: true))")
    #expect(package.json["limits"]?["encoder"]?["inManifest"] == false)
    #expect(package.faults(against: .strict).isEmpty)
  }

  @Test func aRequiredProfileIsHeldToTheLimitsThemselves() throws {
    let weak = try verify(try tarball(.strict, Self.weak))
    #expect(
      weak.faults(against: .lenient) == [
        "model 'encoder': cosine mean 0, 'lenient' asks for at least 0.95",
        "model 'encoder': similarity drift max 2, 'lenient' asks for at most 0.15",
      ])
    let strict = try verify(try tarball(.strict))
    for profile in Limits.Profile.allCases { #expect(strict.faults(against: profile).isEmpty) }
    #expect(try verify(try tarball(.standard)).faults(against: .strict).count == 5)
    let own = Limits(of: .strict).texts.compactMapValues(Double.init)
    #expect(try verify(try tarball(.lenient, own)).faults(against: .strict).isEmpty)
  }
}
