import SelfTesting
import Testing
import Weights

@testable import Packaging

/// A self-test of a package is that of its model, and lets no more pass than the gate did.
struct SelfTestCheckTests {
  private static func tensor(_ name: String, _ shape: [Int]) throws -> TensorValue {
    let count = shape.reduce(1, *)
    return try #require(
      TensorValue(name: name, shape: shape, .float32([Float](repeating: 0.5, count: count))))
  }

  /// A self-test of the sample's model: two features, and its last output.
  private static func test(
    _ model: ModelEntry, input: String? = nil, shape: [Int]? = nil, output: String? = nil,
    _ tolerance: Tolerance? = nil
  ) throws -> SelfTest {
    let own = try #require(model.inputs.first), last = try #require(model.outputs.last)
    let limits = try #require(model.gate.limits)
    let item = SelfTest.Case(
      inputs: [
        try tensor(input ?? own.name, shape ?? own.shape.map { $0 == -1 ? 1 : $0 })
      ],
      output: try tensor(output ?? last.name, last.shape.map { $0 == -1 ? 1 : $0 }))
    return SelfTest(.references, tolerance ?? Tolerance(of: limits, isEmbedding: false), [item])
  }

  /// The fault of an archive with this self-test; nil where it is sound.
  private func fault(_ change: (ModelEntry) throws -> [UInt8]) throws -> String? {
    let contents = try PackageContents(try Sample.details(), try Sample.models())
    let model = try #require(contents.manifest.models.first)
    let bytes = try change(model)
    do {
      try SelfTestCheck(model.tested(by: "selftests/\(model.identity.title).json")).check(bytes)
      return nil
    } catch let fault as ArchiveFault {
      return "\(fault)"
    }
  }

  @Test func oneOfTheModelIsSound() throws {
    #expect(try fault { try Self.test($0).bytes } == nil)
  }

  @Test func oneOfAnotherModelIsNot() throws {
    let other = try fault { try Self.test($0, input: "another").bytes }
    #expect(other?.contains("has the inputs 'another', the model") == true)
    let shape = try fault { try Self.test($0, shape: [1, 99]).bytes }
    #expect(shape?.contains("in the shape [1, 99], the manifest says") == true)
    let output = try fault { try Self.test($0, output: "other").bytes }
    #expect(output?.contains("has the output 'other', the model") == true)
  }

  @Test(arguments: [Tolerance.difference(2), .cosine(-1), .cosine(1)])
  func anotherToleranceThanTheLimitsIsRefused(_ tolerance: Tolerance) throws {
    let fault = try fault { try Self.test($0, tolerance).bytes }
    #expect(fault?.contains("has the tolerance") == true)
  }

  @Test func oneThatIsDamagedOrTooLargeIsRefused() throws {
    let damaged = try fault { try Self.test($0).bytes + [0x20] }
    #expect(damaged?.contains("is not sound") == true)
    let entry = FileEntry(
      path: try PackagePath("selftests/x.json"), size: SelfTest.byteLimit + 1,
      sha256: try #require(ContentDigest(hex: String(repeating: "0", count: 64))), role: .selftest)
    #expect(throws: ArchiveFault.self) { try SelfTestCheck.isSmall(entry) }
  }
}

extension ModelEntry {
  fileprivate func tested(by path: String) throws -> ModelEntry {
    ModelEntry(
      identity: identity, path: self.path, format: format, architecture: architecture,
      inputs: inputs, outputs: outputs, prompt: prompt, threshold: threshold, cacheKey: cacheKey,
      inputConfiguration: inputConfiguration, selfTest: try PackagePath(path),
      compression: compression, gate: gate)
  }
}
