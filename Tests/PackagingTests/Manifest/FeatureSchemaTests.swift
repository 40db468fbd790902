import Files
import Formats
import Gate
import Graph
import IngotFeatures
import Inputs
import Proving
import StrictJSON
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Packaging

/// What the values of features are stands in the manifest, and is the model's own.
struct FeatureSchemaTests {
  private static let description = """
    {"architecture": "dense",
     "inputs": [{"name": "network", "kind": "category", "categories": ["none", "wifi"],
                 "encoding": "one-hot", "unknown": -1},
                {"name": "hour", "encoding": "cyclic", "period": 24, "missing": 12.5}, {"name": "x"}],
     "layers": [{"weight": "w.npy"}], "output": {"kind": "regressor"}}
    """

  private static let schema =
    #""featureSchema":[{"categories":["none","wifi"],"encoding":"one-hot","kind":"category","#
    + #""name":"network","unknown":-1},{"encoding":"cyclic","missing":"12.5","name":"hour","#
    + #""period":"24"},"x"],"features":["network","hour","x"]"#

  /// The archive of a small network with encoded features.
  private static func archive(_ isCoreML: Bool) throws -> [UInt8] {
    let scratch = try TemporaryFolder()
    _ = try scratch.write("model/model.json", Array(description.utf8))
    var npy = try AtomicFile(path: scratch.path("model/w.npy"))
    try NpyWriter.write([1, -2, 0.5, 0.25, 3], rows: 1, columns: 5, to: &npy)
    try npy.commit()
    let lines = (0..<12).map { row in
      #"{"input": {"network": "\#(row % 3 == 0 ? "wifi" : "none")", "hour": \#(row * 2), "#
        + #""x": \#(row % 5)}}"#
    }
    let references = try scratch.write(
      "references.jsonl", Array((lines.joined(separator: "\n") + "\n").utf8))
    let model = try ModelLoader.open(scratch.path("model"))
    let weights = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights,
      options: try CompressionOptions(scheme: "int8", floats: isCoreML ? .float16 : .float32),
      jobs: 1)
    var staged = StagedModels()
    let path = scratch.path(isCoreML ? "a.mlpackage" : "a.safetensors")
    if isCoreML {
      staged.append(
        try CoreMLPackage(options: CoreMLOptions(target: .iOS17), description: CoreMLDescription())
          .stage(weights, of: model, recipe: "int8", at: ModelPlace(path)))
    } else {
      staged.append(
        try CompressedSafetensors().stage(weights, of: model, recipe: "int8", at: ModelPlace(path)))
    }
    let verdict = try Gate(
      on: try ReferenceSet(path: references), try Limits(profile: .lenient), threshold: nil, jobs: 1
    ).judge(staged.models, against: [model])
    guard verdict.isPassed else { throw NotThere(what: verdict.reasons.joined()) }
    let (emitted, receipt) = (try staged.commit(verdict.receipts)[0], verdict.receipts[0])
    let details = try ModelDetails(model, as: emitted.format, method: "int8", options: [:])
    let packaged = try PackagedModel(
      emitted, receipt: receipt, identity: .shared(name: "encoder"), details: details)
    return try Sample.bytes(of: try PackageContents(try Sample.details(), [packaged]))
  }

  @Test(arguments: [false, true])
  func theManifestHasTheModelsSchema(_ isCoreML: Bool) throws {
    let archive = try Self.archive(isCoreML)
    let manifest = try Tarball(of: archive).manifest
    let input = try #require(manifest.models[0].inputs.first)
    #expect(input.shape.last == 5 && input.features == ["network", "hour", "x"])
    let text = input.json.compact
    #expect(text.contains(Self.schema), "\(text)")
    let place = "models/encoder/model.\(isCoreML ? "mlpackage" : "safetensors")"
    for (old, new) in [
      (#"["none","wifi"]"#, #"["wifi","none"]"#), (#""12.5""#, #""13""#),
      (#""unknown":-1"#, #""unknown":0"#),
    ] {
      let json = try #require(input.schema).json
      let found = String(decoding: json, as: UTF8.self)
      try ManifestFactsTests().check(
        archive,
        ManifestFactsTests.Case(
          testDescription: new, old: old, new: new,
          fault: "schema of features of input 'features' '\(found)', the manifest says "
            + "'\(found.replacing(old, with: new))'", path: place))
    }
  }

  /// A schema that does not fit its tensor is no manifest.
  @Test func aSchemaFitsItsTensor() throws {
    let archive = try Self.archive(false)
    for (old, new, word) in [
      (#""shape":[-1,5]"#, #""shape":[-1,4]"#, "has 5 numbers"),
      (#""encoding":"one-hot""#, #""encoding":"binary""#, "'encoding' is"),
      (#""features":["network","hour","x"]"#, #""features":["network","hour"]"#, "'featureSchema'"),
    ] {
      var tarball = try Tarball(of: archive)
      let before = tarball.bytes
      try tarball.editManifest { $0.replacing(old, with: new) }
      try #require(tarball.bytes != before, "\(old)")
      let scratch = try TemporaryFolder()
      let path = try scratch.write("a.tar.zst", try Tarball.compress(tarball.bytes))
      let text = message { _ = try PackageVerifier.verify(path) } ?? ""
      #expect(text.contains(word), "\(text)")
    }
  }
}
