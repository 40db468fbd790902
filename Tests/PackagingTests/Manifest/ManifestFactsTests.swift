import Files
import Formats
import Gate
import Graph
import Inputs
import Proving
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Packaging

/// A manifest that says of a model what the model does not say, everything else forged to fit.
@Suite struct ManifestFactsTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let old: String
    let new: String
    /// The message about the model at `path`.
    let fault: String
    var path = "models/encoder/model.safetensors"
  }

  /// An archive with another text in its manifest, and the bill of materials that follows from it.
  private func forged(_ archive: [UInt8], _ test: Case) throws -> [UInt8] {
    var tarball = try Tarball(of: archive)
    let before = tarball.bytes
    try tarball.editManifest { $0.replacing(test.old, with: test.new) }
    try #require(tarball.bytes != before, "nothing was forged")
    let manifest = try tarball.manifest
    let bill = BillOfMaterials(manifest.listing(manifest.files.filter { $0.role != .sbom })).bytes
    try tarball.replace(BillOfMaterials.entryName, bill)
    return try Tarball.compress(tarball.bytes)
  }

  func check(_ archive: [UInt8], _ test: Case) throws {
    let scratch = try TemporaryFolder()
    let honest = try scratch.write("honest.tar.zst", archive)
    #expect(message { _ = try PackageVerifier.verifyOpening(honest) } == nil)
    let path = try scratch.write("a.tar.zst", try forged(archive, test))
    // Nothing else tells.
    #expect(message { _ = try PackageVerifier.verify(path) } == nil)
    #expect(
      message { _ = try PackageVerifier.verifyOpening(path) }
        == "\(path): model '\(test.path)' has \(test.fault)")
  }

  @Test(arguments: [
    Case(
      testDescription: "labels swapped", old: #"["no","yes"]"#, new: #"["yes","no"]"#,
      fault: "label 1 of output 'probabilities' 'no', the manifest says 'yes'"),
    Case(
      testDescription: "numbers for labels", old: #"["no","yes"]"#, new: "[0,1]",
      fault: "label 1 of output 'probabilities' 'no', the manifest says 0"),
    Case(
      testDescription: "features reversed", old: #"["a","b"]"#, new: #"["b","a"]"#,
      fault: "feature 1 of input 'features' 'a', the manifest says 'b'"),
    Case(
      testDescription: "a prompt", old: #""path":"models/encoder/model.safetensors"}"#,
      new: #""path":"models/encoder/model.safetensors","prompt":"query: "}"#,
      fault: "prompt nothing, the manifest says 'query: '"),
    Case(
      testDescription: "another method", old: #""method":"int8""#,
      new: #""method":"kept as it is""#,
      fault: "compression method 'int8', the manifest says 'kept as it is'"),
    Case(
      testDescription: "original bytes", old: #""originalBytes":8}"#,
      new: #""originalBytes":800}"#, fault: "original bytes 8, the manifest says 800"),
    Case(
      testDescription: "shape", old: #""shape":[-1,2]"#, new: #""shape":[1,2]"#,
      fault: "shape of input 'features' [-1, 2], the manifest says [1, 2]"),
    Case(
      testDescription: "type", old: #""dtype":"float32","features""#,
      new: #""dtype":"float16","features""#,
      fault: "type of input 'features' float32, the manifest says float16"),
    Case(
      testDescription: "output name", old: #""name":"probabilities""#, new: #""name":"scores""#,
      fault: "name of output 1 'probabilities', the manifest says 'scores'"),
  ])
  func whatTheModelDoesNotSayIsRefused(_ test: Case) throws {
    try check(try Sample.archive.get(), test)
  }

  @Test(arguments: [
    Case(
      testDescription: "a pixel buffer", old: #""dtype":"image""#, new: #""dtype":"float32""#,
      fault: "type of input 'image' image, the manifest says float32",
      path: "models/clip/image/model.mlpackage"),
    Case(
      testDescription: "integers", old: #""dtype":"int32""#, new: #""dtype":"int64""#,
      fault: "type of input 'input_ids' int32, the manifest says int64",
      path: "models/clip/text/model.mlpackage"),
    Case(
      testDescription: "method", old: #""method":"x""#, new: #""method":"y""#,
      fault: "compression method 'x', the manifest says 'y'",
      path: "models/clip/image/model.mlpackage"),
  ])
  func bothEncodersOfAFolderAreHeldToIt(_ test: Case) throws {
    try check(try ProvenClip(format: .mlpackage).archive(), test)
  }

  @Test func bothEncodersOfAFileAreHeldToIt() throws {
    let archive = try ProvenClip().archive()
    let package = try Tarball(of: archive).manifest
    let bytes = package.models[0].compression.originalBytes
    try check(
      archive,
      Case(
        testDescription: "bytes", old: #""originalBytes":\#(bytes)}"#, new: #""originalBytes":1}"#,
        fault: "original bytes \(bytes), the manifest says 1",
        path: "models/clip/image/model.safetensors"))
  }

  @Test(arguments: [
    Case(
      testDescription: "features reversed", old: #"["a","b"]"#, new: #"["b","a"]"#,
      fault: "order of features 'The features, in this order: a, b', "
        + "the manifest says 'The features, in this order: b, a'"),
    Case(
      testDescription: "labels swapped", old: #"["no","yes"]"#, new: #"["yes","no"]"#,
      fault: "label 1 of output 'score_probability' 'no', the manifest says 'yes'"),
    Case(
      testDescription: "type of labels", old: #""dtype":"string""#, new: #""dtype":"int64""#,
      fault: "type of output 'score' string, the manifest says int64"),
    Case(
      testDescription: "system", old: #""minimumDeploymentTarget":"iOS17""#,
      new: #""minimumDeploymentTarget":"iOS16""#,
      fault: "option 'minimumDeploymentTarget' 'iOS17', the manifest says 'iOS16'"),
    Case(
      testDescription: "format", old: #""format":"mlpackage","minimum"#,
      new: #""format":"safetensors","minimum"#,
      fault: "option 'format' mlpackage, the manifest says safetensors"),
    Case(
      testDescription: "description", old: #""description":"Ranks""#, new: #""description":"Bans""#,
      fault: "option 'description' 'Ranks', the manifest says 'Bans'"),
  ])
  func aClassifierForCoreMLIsHeldToIt(_ test: Case) throws {
    var test = test
    test.path = "models/encoder/model.mlpackage"
    try check(try Self.dense.get(), test)
  }

  /// The archive of a dense classifier as a Core ML package.
  private static let dense = Result { try archiveOfDense() }

  private static func archiveOfDense() throws -> [UInt8] {
    let source = try Sample.encoder.get()
    let scratch = try TemporaryFolder()
    let model = try ModelLoader.open(source.scratch.path("model"))
    let weights = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights,
      options: try CompressionOptions(scheme: "int8", floats: .float16), jobs: 1)
    let gate = Gate(
      on: try ReferenceSet(path: source.scratch.path("references.jsonl")),
      try Limits(profile: .lenient), threshold: nil, jobs: 1)
    var staged = StagedModels()
    staged.append(
      try CoreMLPackage(
        options: CoreMLOptions(target: .iOS17), description: CoreMLDescription(summary: "Ranks")
      ).stage(weights, of: model, recipe: "int8", at: ModelPlace(scratch.path("a.mlpackage"))))
    let verdict = try gate.judge(staged.models, against: [model])
    guard verdict.isPassed else { throw NotThere(what: "receipt") }
    let (emitted, receipt) = (try staged.commit(verdict.receipts)[0], verdict.receipts[0])
    let details = try ModelDetails(
      model, as: emitted.format, method: "int8",
      options: [
        "description": "Ranks", "format": "mlpackage", "minimumDeploymentTarget": "iOS17",
        "outputType": "float32",
      ])
    let packaged = try PackagedModel(
      emitted, receipt: receipt, identity: .shared(name: "encoder"), details: details)
    return try Sample.bytes(of: try PackageContents(try Sample.details(), [packaged]))
  }
}
