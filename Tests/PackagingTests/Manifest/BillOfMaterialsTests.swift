import StrictJSON
import Testing
import Weights

@testable import Packaging

/// The bill of materials that every package holds.
@Suite struct BillOfMaterialsTests {
  private func bill() throws -> JSONObject {
    let entry = try #require(try Tarball().entries.last)
    return try JSONParser.parseObject(entry.content, origin: "sbom.cdx.json")
  }

  @Test func followsFromTheManifestAlone() throws {
    let tar = try Tarball()
    let manifest = try tar.manifest
    #expect(BillOfMaterials(manifest).bytes == tar.entries.last?.content)
    let without = manifest.listing(manifest.files.filter { $0.role != .sbom })
    #expect(BillOfMaterials(without).bytes == BillOfMaterials(manifest).bytes)
  }

  /// Whatever a manifest says, another one has another bill, and another serial number.
  @Test(arguments: [
    ("com.customer.app", "com.customer.other"), (#""scheme":"int8""#, #""scheme":"none""#),
    (#""version":"1.4.0""#, #""version":"1.4.1""#), (#""minSDK":"3.2.0""#, #""minSDK":"3.3.0""#),
    (#""modelVersion":73"#, #""modelVersion":74"#), (#""flowId":8362"#, #""flowId":8363"#),
    (#""toolVersion":"0.1.0""#, #""toolVersion":"0.2.0""#),
    (#""profile":"lenient""#, #""profile":"strict""#), (#""float32""#, #""float16""#),
    (#""cosineMean":"0.95""#, #""cosineMean":"0.96""#),
    (#""outputDrift.max":"#, #""outputDrift.most":"#), ("c2d67cdb", "c2d67cdc"),
  ])
  func everyFactStandsInIt(_ old: String, _ new: String) throws {
    let text = String(decoding: try Tarball().entries[0].content, as: UTF8.self)
    let edited = text.replacing(old, with: new)
    #expect(edited != text)
    let manifest = try Manifest(Array(edited.utf8), origin: "m")
    let bills = try [
      JSONParser.parseObject(BillOfMaterials(manifest).bytes, origin: "b"), bill(),
    ]
    #expect(try bills[0].string("serialNumber") != bills[1].string("serialNumber"))
  }

  @Test func serialNumberIsAUUIDOfItsOwnKind() throws {
    let number = try bill().string("serialNumber")
    let pattern = #/urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/#
    #expect(try pattern.wholeMatch(in: number) != nil, "\(number)")
  }

  @Test func namesWhatThePackageIsMadeOf() throws {
    let manifest = try Tarball().manifest
    let bill = try bill()
    #expect(try bill.object("metadata").string("timestamp") == "2026-11-21T00:00:00Z")
    let components = try bill.objects("components")
    #expect(
      try components.map { "\(try $0.string("type")) \(try $0.string("name"))" } == [
        "machine-learning-model encoder", "machine-learning-model onboarding_upsell",
        "data reference set",
      ])
    let encoder = components[0]
    let file = try #require(manifest.files.first { $0.path == manifest.models[0].path })
    #expect(try encoder.objects("hashes")[0].string("content") == file.sha256.hex)
    #expect(
      try encoder.objects("components").map { try $0.string("name") } == ["receipts/encoder.json"])
    let ancestor = try encoder.object("pedigree").objects("ancestors")[0]
    #expect(
      try ancestor.objects("hashes")[0].string("content") == manifest.models[0].gate.baseline.hex)
    let card = try encoder.object("modelCard")
    let parameters = try card.object("modelParameters")
    #expect(try parameters.string("task") == "classification")
    #expect(try parameters.string("architectureFamily") == "dense")
    #expect(try parameters.objects("inputs")[0].string("format") == "features float32 [-1, 2]")
    let metrics = try card.object("quantitativeAnalysis").objects("performanceMetrics")
    #expect(
      try metrics.map { try $0.string("type") } == [
        "distinct.inputs", "distinct.pairs", "flips", "inputs", "outputDrift.max",
        "outputDrift.mean", "pairs",
      ])
  }

  /// Every file of a folder is listed under its model.
  @Test func listsTheFilesOfAFolder() throws {
    let proven = try ProvenFolder()
    let parts = try LooseParts(of: try proven.archive())
    let bytes = BillOfMaterials(parts.manifest).bytes
    let model = try JSONParser.parseObject(bytes, origin: "b").objects("components")[0]
    #expect(model["hashes"] == nil)
    #expect(
      try model.objects("components").map { try $0.string("name") } == parts.parts.map(\.path))
    #expect(
      try model.objects("components").map { try $0.objects("hashes")[0].string("content") }
        == parts.parts.map { ContentDigest(of: $0.bytes).hex })
  }
}
