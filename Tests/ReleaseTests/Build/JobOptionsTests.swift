import Formats
import Graph
import Packaging
import ProjectFixtures
import Testing
import WeightCompression

@testable import Project
@testable import Release

/// The options of a job, in words.
@Suite struct JobOptionsTests {
  private static let description = CoreMLDescription(
    summary: "a", author: "b", license: "c", version: "d")

  private static func key(
    scheme: Scheme? = .int8(.perChannel), floats: FloatType = .float32,
    limits: LimitOptions = LimitOptions(profile: "standard", overrides: [:]),
    threshold: Double? = 0.5, form: OutputForm = OutputForm(CompressedSafetensors()),
    source: String = "m",
    references: String = "r"
  ) throws -> BuildPlan.Key {
    BuildPlan.Key(
      source: source, compression: .one(try CompressionOptions(scheme: scheme, floats: floats)),
      references: references, limits: limits, threshold: threshold, form: form)
  }

  private static func package(
    _ options: CoreMLOptions = CoreMLOptions(),
    _ description: CoreMLDescription = JobOptionsTests.description
  ) -> OutputForm {
    OutputForm(CoreMLPackage(options: options, description: description))
  }

  private static func described(
    _ summary: String?, _ author: String?, _ license: String?, _ version: String?
  ) -> OutputForm {
    package(
      CoreMLOptions(),
      CoreMLDescription(summary: summary, author: author, license: license, version: version))
  }

  /// No two of these are equal.
  private static func keys() throws -> [BuildPlan.Key] {
    let schemes: [Scheme?] = [
      nil, .int8(.perTensor), .int8(.perChannel), .palette(bits: 8, .perTensor),
      .palette(bits: 4, .perTensor), .palette(bits: 4, .perGroup(size: 4)),
      .palette(bits: 4, .perGroup(size: 16)), .unique,
      .linear(LinearScheme(.int4, granularity: .perChannel)),
      .linear(LinearScheme(.int4, granularity: .perChannel, range: .leastSquares)),
      .linear(LinearScheme(.int8, granularity: .perBlock(size: 32))),
      .linear(LinearScheme(.uint8, mode: .asymmetric, granularity: .perChannel)),
      .palette(PaletteScheme(bits: 4, granularity: .perTensor, width: 2)),
      .palette(PaletteScheme(bits: 4, granularity: .perTensor, entries: .int8)),
    ]
    let recipes =
      BuiltInRecipe.allCases.map(\.recipe) + [
        Recipe(name: "other", rules: BuiltInRecipe.small.recipe.rules),
        Recipe(name: "small", rules: BuiltInRecipe.tiny.recipe.rules),
      ]
    let limits = [
      LimitOptions(profile: "strict", overrides: [:]),
      LimitOptions(profile: "standard", overrides: ["cosineMean": 0.5]),
      LimitOptions(profile: "standard", overrides: ["cosineMean": 0.25]),
      LimitOptions(profile: "standard", overrides: ["cosineMin": 0.5]),
      LimitOptions(profile: "standard", overrides: ["cosineMin": 0.5, "cosineMean": 0.5]),
    ]
    let thresholds: [Double?] = [nil, 0, -0.5, 0.05, 1e-300]
    let forms = [
      package(), package(CoreMLOptions(target: .iOS16)), package(CoreMLOptions(target: .iOS18)),
      package(CoreMLOptions(sequenceLengths: [16])),
      package(CoreMLOptions(sequenceLengths: [1, 6])),
      package(CoreMLOptions(sequenceLengths: [16, 32])),
      package(CoreMLOptions(outputType: .float16)),
      described("x", "b", "c", "d"), described("a", "x", "c", "d"), described("a", "b", "x", "d"),
      described("a", "b", "c", "x"), described(nil, "b", "c", "d"), described("", "b", "c", "d"),
      described("a", nil, "c", "d"), described("a", "b", nil, "d"), described("a", "b", "c", nil),
    ]
    let int8 = try CompressionOptions(scheme: .int8(.perChannel))
    let none = try CompressionOptions(scheme: Scheme?.none)
    let plain = try key(threshold: 0.25)
    let encoders: [(EncoderKind?, ModelCompressionOptions)] = [
      (.image, .one(int8)), (.text, .one(int8)), (.text, .one(none)),
      (nil, .each(image: int8, text: int8)), (nil, .each(image: int8, text: none)),
      (nil, .each(image: none, text: int8)),
    ]
    return try schemes.map { try key(scheme: $0) }
      + recipes.map { recipe in
        BuildPlan.Key(
          source: plain.source, compression: .one(try CompressionOptions(recipe: recipe)),
          references: plain.references, limits: plain.limits, threshold: plain.threshold,
          form: plain.form)
      }
      + encoders.map { encoder, terms in
        BuildPlan.Key(
          source: plain.source, encoder: encoder, compression: terms,
          references: plain.references, limits: plain.limits, threshold: plain.threshold,
          form: plain.form)
      }
      + [
        BuildPlan.Key(
          source: plain.source, compression: plain.compression, references: plain.references,
          isFewMeant: true, limits: plain.limits, threshold: plain.threshold, form: plain.form)
      ]
      + schemes.map { try key(scheme: $0, floats: .float16) }
      + limits.map { try key(limits: $0) }
      + thresholds.map { try key(threshold: $0) }
      + forms.map { try key(form: $0) }
  }

  @Test func keysThatDifferHaveOtherOptions() throws {
    let keys = try Self.keys()
    #expect(Set(keys).count == keys.count)
    #expect(Set(keys.map(\.options)).count == keys.count)
  }

  @Test func eachEncoderHasItsOwnOptions() throws {
    let key = BuildPlan.Key(
      source: "m",
      compression: .each(
        image: try CompressionOptions(scheme: .int8(.perChannel), floats: .float16),
        text: try CompressionOptions(
          scheme: .palette(bits: 4, .perGroup(size: 16)), floats: .float16)),
      references: "r", limits: LimitOptions(profile: "standard", overrides: [:]), threshold: nil,
      form: Self.package(CoreMLOptions(sequenceLengths: [16])))
    #expect(
      key.options == [
        "author": "b", "description": "a", "format": "mlpackage", "imageBits": "8",
        "imageFloats": "float16", "imageGranularity": "per-channel", "imageScheme": "int8",
        "license": "c", "outputType": "float32", "profile": "standard", "sequenceLength": "16",
        "textBits": "4", "textFloats": "float16", "textGranularity": "per-group",
        "textGroupSize": "16", "textScheme": "palettize", "version": "d",
      ])
    #expect(key.modelOptions(of: .image)["scheme"] == "int8")
    #expect(key.modelOptions(of: .image)["sequenceLength"] == nil)
    #expect(key.modelOptions(of: .text)["groupSize"] == "16")
    #expect(key.modelOptions(of: .text)["sequenceLength"] == "16")
  }

  @Test func pathsAreNoOptions() throws {
    #expect(
      try Self.key(source: "a", references: "b").options
        == Self.key(source: "c", references: "d").options)
  }

  @Test func namesAreThoseOfTheProjectFile() throws {
    let key = try Self.key(
      scheme: .palette(bits: 4, .perGroup(size: 16)), floats: .float16,
      limits: LimitOptions(profile: "strict", overrides: ["similarityDriftMean": 0.00001]),
      form: Self.package(
        CoreMLOptions(target: .iOS18, sequenceLengths: [16, 32], outputType: .float16)))
    #expect(
      key.options == [
        "author": "b", "bits": "4", "description": "a", "floats": "float16",
        "format": "mlpackage", "granularity": "per-group", "groupSize": "16", "license": "c",
        "minimumDeploymentTarget": "iOS18", "outputType": "float16", "profile": "strict",
        "scheme": "palettize", "sequenceLength": "16,32", "similarityDriftMean": "0.00001",
        "threshold": "0.5", "version": "d",
      ])
    #expect(key.options.keys.allSatisfy(Identifiers.isOptionName))
    #expect(
      key.modelOptions()
        == key.options.filter {
          !["profile", "threshold", "similarityDriftMean"].contains($0.key)
        })
  }

  /// A manifest says of each model what was asked for.
  @Test func manifestsListThem() throws {
    let project = try SmallProject()
    let report = try project.build()
    let manifest = try PackageVerifier.verify(report.packages[0].path).manifest
    let options = [
      "bits": "8", "floats": "float32", "format": "safetensors", "granularity": "per-channel",
      "scheme": "int8",
    ]
    #expect(manifest.models.map(\.compression.options) == [options, options])
    #expect(manifest.models.map(\.threshold) == [nil, "0.5"])
    #expect(manifest.models.map(\.architecture) == ["dense", "dense"])
  }
}
