import IngotFeatures
import SelfTesting
import TestSupport
import Testing

@testable import IngotClient

/// Apps give rows by names, and no version becomes current whose features are not understood.
struct FeatureInputTests {
  private static let features =
    #"[{"categories":["none","wifi"],"kind":"category","missing":"taken","name":"network"},"#
    + #"{"encoding":"cyclic","name":"hour","period":"24"},"x"]"#

  private static func version(
    _ features: String = FeatureInputTests.features, dtype: String = "float32", columns: Int = 4,
    rows: [TensorValue?] = []
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder(in: TemporaryFolder.memory)
    _ = try folder.write(
      "manifest.json",
      """
      {"models":[{"name":"sync","path":"models/m.safetensors","format":"safetensors",
        "selfTest":"selftests/m.json","outputs":[],
        "inputs":[{"name":"features","dtype":"\(dtype)","shape":[-1,\(columns)],
                   "features":["network","hour","x"],"featureSchema":\(features)}]}]}
      """)
    let output = try #require(TensorValue(name: "y", shape: [1, 1], .float32([1])))
    let cases = rows.compactMap(\.self).map { SelfTest.Case(inputs: [$0], output: output) }
    if !cases.isEmpty {
      _ = try folder.write("selftests/m.json", SelfTest(.synthetic, .difference(0.1), cases).bytes)
    }
    return folder
  }

  @Test(arguments: ["float32", "float64"])
  func aDictionaryBecomesTheTensor(_ dtype: String) throws {
    let folder = try Self.version(dtype: dtype)
    let model = try #require(try InstalledModel.all(in: folder.path).first)
    #expect(model.features?.names == ["network", "hour", "x"])
    let tensor = try model.input(["network": "wifi", "hour": 6, "x": 0.1])
    let elements: TensorValue.Elements =
      dtype == "float32" ? .float32([1, 1, 0, 0.1]) : .float64([1, 1, 0, 0.1])
    #expect(tensor == TensorValue(name: "features", shape: [1, 4], elements))
    #expect(throws: FeatureError.noValue(name: "hour")) {
      try model.input(["network": nil, "x": 1])
    }
  }

  /// Kinds of a later library, another number of columns.
  @Test(arguments: [
    (#"[{"kind":"angle","name":"network"}]"#, 4, "'kind' is 'angle'"),
    (#"[{"name":"network","unit":"m"}]"#, 4, "unknown key 'unit'"),
    (FeatureInputTests.features, 5, "'shape' does not end in 4"),
  ])
  func featuresThatAreNotKnownAreRefused(
    _ features: String, _ columns: Int, _ word: String
  ) async throws {
    let folder = try Self.version(features, columns: columns)
    let error = #expect(throws: UpdateError.self) { try InstalledModel.all(in: folder.path) }
    #expect("\(try #require(error))".contains(word))
    await #expect(throws: UpdateError.self) {
      try await SelfTestCheck(SelfTestCheckTests.Loader(outputs: ["sync": [1]])).check(folder.path)
    }
  }

  @Test func selfTestsHaveRowsOfTheFeatures() async throws {
    func row(_ elements: TensorValue.Elements, _ name: String = "features") -> TensorValue? {
      TensorValue(name: name, shape: [1, elements.count], elements)
    }
    let good = row(.float32([.nan, 0, 1, 2]))
    let check = SelfTestCheck(SelfTestCheckTests.Loader(outputs: ["sync": [1]]))
    let sound = try Self.version(rows: [good])
    try await check.check(sound.path)
    for (bad, word) in [
      (row(.float32([1, 0, 1])), "has 3 numbers, the model takes 4"),
      (row(.float32([1, .nan, 1, 2])), "for 'hour'"),
      (row(.float32([1, 0, 1, .infinity])), "for 'x'"),
      (row(.float64([1, 0, 1, 2])), "not of numbers of 32 bits"),
      (row(.float32([1, 0, 1, 2]), "other"), "not of the one input 'features'"),
    ] {
      let folder = try Self.version(rows: [good, bad])
      let error = await #expect(throws: UpdateError.self) { try await check.check(folder.path) }
      #expect("\(try #require(error))".contains("self-test 2: "))
      #expect("\(try #require(error))".contains(word), "\(error.map { "\($0)" } ?? "")")
    }
  }
}
