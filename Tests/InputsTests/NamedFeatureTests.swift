import Graph
import IngotFeatures
import ModelFixtures
import TestSupport
import Testing

@testable import Inputs

/// Rows by the names of their features, as lines and tables have them.
struct NamedFeatureTests {
  private static let schema = ModelInput.features(
    (try? FeatureSchema([
      Feature("battery", missing: .taken), Feature("charging", .boolean, missing: .taken),
      Feature(
        "network", .category(CategoryList(["none", "wifi"], unknown: .missing)), missing: .taken),
    ])) ?? FeatureSchema(names: []))

  private func arranged(_ text: String, _ name: String) throws -> [Input] {
    try InputLines(bytes: Array(text.utf8), origin: name).arranged(for: Self.schema).inputs
  }

  private func fault(_ text: String, _ name: String) -> String {
    do {
      _ = try arranged(text, name)
      return ""
    } catch { return "\(error)" }
  }

  private static let rows: [Input] = [
    .values([0.5, 1, 1]), .values([.nan, 0, .nan]), .values([2, 1, 0]),
  ]

  @Test func objectsNameTheirFeatures() throws {
    let text = """
      {"input": {"battery": 0.5, "charging": true, "network": "wifi"}}
      {"input": {"charging": false, "network": "lan", "battery": null}}
      {"input": {"values": [2, 1, 0]}}
      """
    #expect(try arranged(text, "a.jsonl") == Self.rows)
    let lines = try InputLines(bytes: Array(text.utf8), origin: "a.jsonl")
    #expect(lines.inputs[0].label == #"{"battery": 0.5, "charging": true, "network": "wifi"}"#)
    #expect(lines.inputs[0].kind == .values)
    // The order of keys makes no other row.
    let turned = #"{"input": {"network": "wifi", "charging": true, "battery": 0.5}}"#
    #expect(
      try InputLines(bytes: Array(turned.utf8), origin: "b.jsonl").inputs == [lines.inputs[0]])
  }

  @Test func columnsMayHoldTexts() throws {
    let text = "network,battery,charging,output\nwifi,0.5,true,1\nlan,,False,\nnone,2,1,0\n"
    #expect(try arranged(text, "a.csv") == Self.rows)
    // What has no output is told from texts by its numbers.
    #expect(try arranged("network,battery,charging\nwifi,0.5,true\n", "a.csv") == [Self.rows[0]])
  }

  /// A name that looks like a number is that name, byte for byte; a number is one that is written as such.
  @Test func categoriesOfATableMayLookLikeNumbers() throws {
    let names = ["01234", "1234", "1.1", "1.10", "7", "1e3"]
    let input = ModelInput.features(
      try FeatureSchema([
        Feature(
          "code", .category(CategoryList(names, unknown: .missing)), missing: .taken),
        Feature("x"),
      ]))
    let text = """
      code,x
      01234,1.50
      1234,007
      1.1,1
      1.10,1
      7.0,1
      1e3,1
      +7,1
      0007,1
      """
    let rows = try InputLines(bytes: Array(text.utf8), origin: "a.csv").arranged(for: input).inputs
    #expect(
      rows == [
        .values([0, 1.5]), .values([1, 7]), .values([2, 1]), .values([3, 1]), .values([4, 1]),
        .values([5, 1]), .values([.nan, 1]), .values([.nan, 1]),
      ])
  }

  /// Values that are arranged once are not taken for names again.
  @Test func arrangedRowsStayAsTheyAre() throws {
    let text = "network,charging,battery\nnone,1,2\n"
    let once = try InputLines(bytes: Array(text.utf8), origin: "a.csv").arranged(for: Self.schema)
    #expect(try once.arranged(for: Self.schema).inputs == [.values([2, 1, 0])])
  }

  @Test func faultsNameTheLineAndTheFeature() {
    let cases = [
      (
        #"{"input": {"battery": "full", "charging": true, "network": "wifi"}}"#, "a.jsonl",
        #"a.jsonl:1: {"battery": "full", "charging": true, "network": "wifi"}: the value of "#
          + "'battery' is 'full', expected a number"
      ),
      (
        #"{"input": {"battery": 1, "network": "wifi"}}"#, "a.jsonl",
        #"a.jsonl:1: {"battery": 1.0, "network": "wifi"}: the feature 'charging' has no value; give "#
          + "null where it is missing"
      ),
      (
        #"{"input": {"batery": 1, "charging": true, "network": "wifi"}}"#, "a.jsonl",
        #"a.jsonl:1: {"batery": 1.0, "charging": true, "network": "wifi"}: the feature 'batery' is "#
          + "not known; known are 'battery', 'charging', 'network'"
      ),
      (
        #"{"input": {"battery": [1]}}"#, "a.jsonl",
        "a.jsonl:1:23: the feature 'battery' is an array of 1, expected a number, a text, true, "
          + "false, or null where it is missing"
      ),
      (
        "network,charging,battery,output\nwifi,1,1,\n1,1,1,\n", "a.csv",
        "a.csv:3: [1.0, 1.0, 1.0]: the value of 'network' is 1, which is none of its categories: "
          + "'none', 'wifi'"
      ),
      (
        "network,charging,battery,output\nwifi,1,1e40,\n", "a.csv",
        "a.csv:2:8: 'battery' is \"1e40\", expected a number that a 32-bit float holds"
      ),
    ]
    for (text, name, expected) in cases { #expect(fault(text, name) == expected) }
  }

  /// An example line is one that the model takes.
  @Test func exampleLinesNameFeatures() throws {
    #expect(
      try arranged(
        #"{"input": {"battery": 0.1, "charging": false, "network": "none"}}"#, "a.jsonl"
      ).count == 1)
    let model = try denseModel(
      [[1, 2]],
      inputs: #"[{"name": "a"}, {"name": "b", "kind": "category", "categories": ["x", "y"]}]"#)
    #expect(ExampleLine.input(for: model.architecture) == #"{"input": {"a": 0.1, "b": "y"}}"#)
    // A line with the key of another kind of input is none by names.
    let text = try denseModel(
      [[1, 2]],
      inputs: #"[{"name": "a"}, {"name": "text", "kind": "category", "categories": ["x", "y"]}]"#)
    #expect(ExampleLine.input(for: text.architecture) == #"{"values": [0.1, 0]}"#)
  }

  @Test func layersTakeEncodedFeatures() throws {
    let model = try denseModel(
      [[1, 10, 100, 1000, 10000]],
      inputs: """
        [{"name": "network", "kind": "category", "categories": ["none", "wifi"],
          "encoding": "one-hot", "unknown": -1},
         {"name": "hour", "encoding": "cyclic", "period": 24, "missing": 6}, {"name": "x", "missing": 0.5}]
        """)
    let text = """
      {"input": {"network": "wifi", "hour": 12, "x": 2}}
      {"input": {"network": "lan", "hour": null, "x": null}}
      {"input": {"values": [0, 0, 1]}}
      """
    let lines = try InputLines(bytes: Array(text.utf8), origin: "a.jsonl")
    let outputs = try ModelRunner(model: model, jobs: 1).outputs(for: lines)
    #expect(outputs.values == [19010, 5100, 11001] as [Float])
  }
}
