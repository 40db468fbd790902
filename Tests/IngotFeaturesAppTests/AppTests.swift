import IngotFeatures
import Testing

/// What an app does, with what is public alone.
struct AppTests {
  private static let text =
    #"{"features":["battery_level",{"kind":"boolean","name":"is_charging"},"#
    + #"{"categories":["none","wifi"],"kind":"category","missing":"taken","name":"network"},"#
    + #"{"encoding":"cyclic","name":"hour","period":"24"}]}"#

  @Test func aDictionaryBecomesARow() throws {
    let schema = try FeatureSchema(json: Array(Self.text.utf8))
    #expect(schema.names == ["battery_level", "is_charging", "network", "hour"])
    #expect(schema.columnNames.suffix(2) == ["hour sine", "hour cosine"])
    #expect(schema.json == Array(Self.text.utf8))
    let preparer = FeaturePreparer(schema)
    let row = try preparer.row(
      ["battery_level": 0.5, "is_charging": true, "network": "wifi", "hour": 6])
    #expect(row == [0.5, 1, 1, 1, 0])
    let missing = try preparer.row(
      ["battery_level": 1, "is_charging": false, "network": nil, "hour": 0])
    #expect(missing[2].isNaN)
  }

  @Test func errorsSayWhatIsWrong() throws {
    let preparer = FeaturePreparer(
      try FeatureSchema([Feature("network", .category(CategoryList(["none", "wifi"])))]))
    #expect(
      throws: FeatureError.unknownCategory(
        name: "network", found: "'lan'", known: ["none", "wifi"])
    ) { try preparer.row(["network": "lan"]) }
  }
}
