import Files
import SelfTesting
import TestSupport
import Testing

@testable import IngotClient

/// A version becomes current only where its models give what they gave where they were judged.
struct SelfTestCheckTests {
  /// Gives what a test says for each model.
  struct Loader: DeviceModelLoader {
    struct Fault: Error, CustomStringConvertible { let description = "does not compile" }

    struct Loaded: SelfTestable {
      let outputs: [Float]
      func output(named name: String, for inputs: [TensorValue]) -> [Float] { outputs }
    }

    /// By the names of models; one that is missing does not load.
    let outputs: [String: [Float]]

    func load(_ model: InstalledModel) throws -> any SelfTestable {
      guard let outputs = outputs[model.name] else { throw Fault() }
      return Loaded(outputs: outputs)
    }
  }

  static func selfTest() throws -> SelfTest {
    let input = try #require(TensorValue(name: "values", shape: [1, 2], .float32([1, 2])))
    let output = try #require(
      TensorValue(name: "embedding", shape: [1, 2], .float32([0.6, -0.8])))
    return SelfTest(
      .references, .cosine(0.995), [SelfTest.Case(inputs: [input], output: output)])
  }

  static func manifest(_ more: String = "") -> [UInt8] {
    Array(
      """
      {"schema":1,"later":true,"models":[
        {"name":"plain","path":"models/plain/model.safetensors","format":"safetensors",
         "selfTest":"selftests/plain.json","outputs":[{"name":"embedding"}]},
        {"flowName":"clip","encoder":"image","path":"models/clip/image/model.mlpackage",
         "format":"mlpackage","selfTest":"selftests/clip/image.json","cacheKey":"k",
         "outputs":[{"name":"label","labels":["a","b"]},{"name":"embedding"}]}\(more)]}
      """.utf8)
  }

  static func version(_ more: String = "") throws -> TemporaryFolder {
    let folder = try TemporaryFolder(in: TemporaryFolder.memory)
    _ = try folder.write("manifest.json", manifest(more))
    for path in ["selftests/clip/image.json", "selftests/plain.json"] {
      _ = try folder.write(path, try selfTest().bytes)
    }
    return folder
  }

  @Test func modelsAreThoseOfTheManifest() throws {
    let folder = try Self.version()
    let models = try InstalledModel.all(in: folder.path)
    #expect(models.map(\.name) == ["plain", "clip/image"])
    #expect(models[1].path == folder.path("models/clip/image/model.mlpackage"))
    #expect(models[1].format == "mlpackage" && models[1].cacheKey == "k")
    #expect(models[1].labels == ["label": ["a", "b"]])
    #expect(try models[1].readSelfTest() == Self.selfTest())
  }

  @Test func everyModelIsLoadedAndGivesItsOutputs() async throws {
    let folder = try Self.version()
    let right: [Float] = [0.6, -0.8]
    try await SelfTestCheck(Loader(outputs: ["plain": right, "clip/image": right])).check(
      folder.path)
    for (outputs, named) in [
      (
        ["plain": right, "clip/image": [0.8, 0.6]], "model 'clip/image': self-test 1: 'embedding'"
      ),
      (["plain": right, "clip/image": [.nan, 1]], "not finite"),
      (["clip/image": right], "model 'plain': does not compile"),
    ] as [([String: [Float]], String)] {
      let error = await #expect(throws: UpdateError.self) {
        try await SelfTestCheck(Loader(outputs: outputs)).check(folder.path)
      }
      #expect("\(try #require(error))".contains(named))
    }
  }

  /// A version of before there were self-tests, or with no models at all.
  @Test(arguments: [
    #"{"models":[{"name":"x","path":"m","format":"f","outputs":[]}]}"#, #"{"models":[]}"#,
  ])
  func whatNothingShowsToWorkIsRefused(_ manifest: String) async throws {
    let folder = try TemporaryFolder(in: TemporaryFolder.memory)
    _ = try folder.write("manifest.json", manifest)
    let error = await #expect(throws: UpdateError.self) {
      try await SelfTestCheck(Loader(outputs: ["x": [0.6, -0.8]])).check(folder.path)
    }
    #expect("\(try #require(error))".contains("has no"))
  }

  @Test(arguments: ["../m", "/m", "models//m", ".m", "a/../b"])
  func pathsThatLeadOutOfTheVersionAreRefused(_ path: String) throws {
    let folder = try Self.version(
      #",{"name":"x","path":"\#(path)","format":"mlpackage","outputs":[]}"#)
    let error = #expect(throws: UpdateError.self) { try InstalledModel.all(in: folder.path) }
    #expect("\(try #require(error))".contains("path"))
  }

  @Test func aSelfTestThatIsDamagedIsNoPass() async throws {
    let folder = try Self.version()
    _ = try folder.write("selftests/clip/image.json", Array(Self.selfTest().bytes.dropLast()))
    await #expect(throws: UpdateError.self) {
      try await SelfTestCheck(Loader(outputs: ["plain": [0.6, -0.8], "clip/image": [0.6, -0.8]]))
        .check(folder.path)
    }
  }
}
