import Graph
import IngotFeatures
import ModelFixtures
import TestSupport
import Testing

@testable import Inputs

/// Features that are missing: read, handed on where the model takes that, and refused elsewhere.
struct MissingValuesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func inputs(_ name: String, _ text: String) throws -> [Input] {
    try InputLines.read(try folder.write(name, text)).inputs
  }

  @Test func nullAndEmptyFieldsAreMissing() throws {
    let lines = try inputs("a.jsonl", "{\"values\": [1, null]}\n{\"values\": [0.1, 2]}\n")
    let table = try inputs("a.csv", "x,y\n1,\n0.1,2\n")
    for read in [lines, table] {
      #expect(read == [.values([1, .nan]), .values([0.1, 2])])
    }
    #expect(lines[0].label == "[1.0, null]")
  }

  /// A missing value in the first row changes neither the form of the file nor what its columns are.
  @Test func theFirstRowMayLackValues() throws {
    func read(_ text: String, _ name: String) throws -> InputLines {
      try InputLines(bytes: Array(text.utf8), origin: name)
    }
    for text in ["x,y\n,1\n2,3\n", "a,b\n,1\n2,3\n", "text,b\n,1\n2,3\n"] {
      for name in ["standard input", "rows.dat", "rows.csv"] {
        #expect(try read(text, name).inputs == [.values([.nan, 1]), .values([2, 3])], "\(text)")
      }
    }
    // One column of texts may hold numbers.
    #expect(try read("text\n1\n", "a.csv").inputs == [.text("1")])
    let error = #expect(throws: (any Error).self) { _ = try read("x,y\nNaN,1\n", "a.csv") }
    #expect(
      "\(error.map { "\($0)" } ?? "")"
        == "a.csv:2:1: 'x' is \"NaN\", expected an empty field where a value is missing")
  }

  @Test func layersTakeNone() throws {
    let model = try denseModel([[1, 2]])
    let error = #expect(throws: EvaluationError.self) {
      _ = try ModelRunner(model: model, jobs: 1).outputs(for: [.values([1, .nan])])
    }
    #expect(error?.description.contains("the value of 'x1' is missing") == true)
  }

  @Test func numbersBeyondFloatsAreRefusedWhereTheyStand() throws {
    #expect(throws: (any Error).self) { _ = try inputs("b.jsonl", "{\"values\": [1e39]}\n") }
    #expect(throws: (any Error).self) { _ = try inputs("b.csv", "x\n1e39\n") }
  }

  /// Layers see 32 bits: what these cannot tell apart is one input.
  @Test func inputsAreSeenInThePrecisionOfTheModel() throws {
    let preparer = FeaturePreparer(FeatureSchema(names: ["x"]))
    let preparation = FeatureInputs(preparer: preparer, shapes: .any, scalar: .float32)
    let exact = FeatureInputs(preparer: preparer, shapes: .any, scalar: .float64)
    let near = Input.values([1.00000000001])
    #expect(try preparation.single(near, 0, images: ImageFiles(folder: "")) == .features([1]))
    #expect(
      try exact.single(near, 0, images: ImageFiles(folder: "")) == .features([1.00000000001]))
  }
}
