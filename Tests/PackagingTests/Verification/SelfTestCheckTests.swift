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

  /// What no model of the manifest takes or gives fails on every device.
  @Test func otherTypesAndShapesAreRefused() throws {
    func changed(
      _ change: @escaping (SelfTest.Case) throws -> SelfTest.Case
    ) throws -> String? {
      try fault { model in
        let test = try Self.test(model)
        return SelfTest(test.source, test.tolerance, try test.cases.map(change)).bytes
      }
    }
    let whole = try changed { item in
      let input = item.inputs[0]
      let other = try #require(
        TensorValue(name: input.name, shape: input.shape, .uint8([UInt8](repeating: 0, count: 2))))
      return SelfTest.Case(inputs: [other], output: item.output)
    }
    #expect(whole?.contains("as uint8, the manifest says float32") == true)
    let many = try changed { item in
      SelfTest.Case(inputs: [try Self.tensor(item.inputs[0].name, [500, 2])], output: item.output)
    }
    #expect(many?.contains("in the shape [500, 2], the manifest says [-1, 2]") == true)
    let wide = try changed { item in
      SelfTest.Case(inputs: item.inputs, output: try Self.tensor(item.output.name, [7]))
    }
    #expect(wide?.contains("in the shape [7], the manifest says") == true)
    let levels = try changed { item in
      let output = item.output
      let count = output.shape.reduce(1, *)
      let other = try #require(
        TensorValue(
          name: output.name, shape: output.shape, .uint8([UInt8](repeating: 1, count: count))))
      return SelfTest.Case(inputs: item.inputs, output: other)
    }
    #expect(levels?.contains("as uint8, outputs are float32") == true)
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
