import StrictJSON
import Testing

@testable import IngotFeatures

/// Schemas as JSON has them, and what makes no sense.
struct FeatureSchemaTests {
  private static let list = CategoryList(["a", "b"])
  static let features: [Feature] = [
    Feature("x"), Feature("x", missing: .taken), Feature("x", missing: .replaced(by: -0.25)),
    Feature("x", missing: .taken, absent: [-999, 0.5]), Feature("x", .boolean),
    Feature("x", .boolean, missing: .taken), Feature("x", .cyclic(period: 365.25)),
    Feature("x", .cyclic(period: 24), missing: .replaced(by: 12)), Feature("x", .category(list)),
    Feature("x", .category(CategoryList([], unknown: .missing)), missing: .taken),
    Feature("x", .category(CategoryList(["ä", "b"], unknown: .missing)), missing: .taken),
    Feature("x", .category(CategoryList(["a"], unknown: .refused)), missing: .taken),
    Feature("x", .category(CategoryList(["a"], unknown: .code(-1))), missing: .taken),
    Feature("x", .category(CategoryList(["a"], unknown: .code(3), encoding: .oneHot))),
    Feature(
      "x", .category(CategoryList(["a"], unknown: .missing, encoding: .oneHot)),
      missing: .replaced(by: 0)),
  ]

  @Test(arguments: features)
  func whatIsWrittenReadsBack(_ feature: Feature) throws {
    let schema = try FeatureSchema([feature, Feature("y")])
    let json = schema.json
    #expect(json.allSatisfy { $0 < 0x80 })
    #expect(try FeatureSchema(json: json) == schema, "\(String(decoding: json, as: UTF8.self))")
    for missing in [Feature.Missing.taken, .refused] {
      let object = try JSONParser.parseObject(
        Array(feature.json(missing: missing).pretty.utf8), origin: "o")
      #expect(try Feature(object, missing: missing) == feature)
    }
  }

  /// Rows have doubles: 9007199254740993 would be the category 9007199254740992.
  @Test func categoriesOfNumbersAreToldApart() throws {
    func fault(_ categories: String) throws -> String? {
      let text = #"{"inputs": [{"name": "z", "kind": "category", "categories": \#(categories)}]}"#
      let object = try JSONParser.parseObject(Array(text.utf8), origin: "model.json")
      do throws(JSONError) {
        _ = try FeatureSchema(object, "inputs")
      } catch {
        return "\(error)"
      }
      return nil
    }
    #expect(try fault("[9007199254740991, -9007199254740991]") == nil)
    #expect(try fault(#"["9007199254740993", "9007199254740992"]"#) == nil)
    #expect(
      try fault("[7, 9007199254740993]")?.hasSuffix(
        "the category 9007199254740993 is not below 2^53 (9007199254740992), where rows tell whole numbers "
          + "apart; give all categories as texts") == true)
  }

  @Test func modelFilesMayHaveNumbers() throws {
    let text =
      #"{"inputs": [{"name": "hour", "encoding": "cyclic", "period": 24, "missing": 12.0}]}"#
    let object = try JSONParser.parseObject(Array(text.utf8), origin: "model.json")
    #expect(
      try FeatureSchema(object, "inputs").features
        == [Feature("hour", .cyclic(period: 24), missing: .replaced(by: 12))])
  }

  /// A text of one feature, and the fault.
  struct Fault: CustomTestStringConvertible {
    let feature: String
    let fault: String
    init(_ feature: String, _ fault: String) { (self.feature, self.fault) = (feature, fault) }
    var testDescription: String { fault }
  }

  static let faults = [
    Fault(#"{"name":""}"#, "1:14: the feature name '' is empty or appears twice"),
    Fault(#"{"name":"a"},"a""#, "1:27: the feature name 'a' is empty or appears twice"),
    Fault(#"7"#, "1:14: a feature is the number 7, expected an object"),
    Fault(
      #"{"kind":"text","name":"a"}"#,
      "1:22: 'kind' is 'text', expected number, boolean or category"),
    Fault(
      #"{"categories":["x"],"name":"a"}"#,
      "1:28: 'categories' is for the kind 'category', the kind is 'number'"),
    Fault(
      #"{"encoding":"one-hot","name":"a"}"#,
      "1:26: 'encoding' is the string \"one-hot\", expected 'cyclic' for a number, 'ordinal' or "
        + "'one-hot' for a category"),
    Fault(
      #"{"name":"a","period":"1"}"#,
      "1:35: 'period' is for numbers with the encoding 'cyclic'"),
    Fault(
      #"{"encoding":"cyclic","name":"a","period":"0"}"#,
      "1:13: the feature 'a' has the period 0.0, expected one above 0"),
    Fault(
      #"{"missing":"nan","name":"a"}"#,
      "1:25: 'missing' is the string \"nan\", expected 'taken', 'refused' or a number"),
    Fault(
      #"{"kind":"category","name":"a","unknown":"code"}"#,
      "1:54: 'unknown' is the string \"code\", expected 'missing', 'refused' or a code, a whole "
        + "number"),
    Fault(
      #"{"kind":"category","name":"a","unknown":"missing"}"#,
      "1:13: the feature 'a' takes unknown categories as missing, and refuses missing values"),
    Fault(
      #"{"encoding":"one-hot","kind":"category","name":"a"}"#,
      "1:13: the feature 'a' is one-hot and has no categories"),
    Fault(
      #"{"encoding":"cyclic","missing":"taken","name":"a","period":"1"}"#,
      "1:13: the feature 'a' is encoded, so its missing values cannot be 'taken'"),
    Fault(
      #"{"absent":["0"],"kind":"category","name":"a"}"#,
      "1:13: the feature 'a' has numbers for missing"),
    Fault(
      #"{"name":"a","unit":"m"}"#,
      "1:33: unknown key 'unit'; known here: name, kind, categories, unknown, encoding, period, "
        + "missing, absent"),
    Fault(
      #"{"name":"a"}"#,
      "is not written as Ingot writes it: compact, keys sorted, each value in "
        + "its one form"),
  ]

  @Test(arguments: faults)
  func aFaultIsNamed(_ test: Fault) {
    let text = #"{"features":[\#(test.feature)]}"#
    #expect(throws: FeatureError.self) { try FeatureSchema(json: Array(text.utf8)) }
    do throws(FeatureError) {
      _ = try FeatureSchema(json: Array(text.utf8))
    } catch {
      #expect(error.description.hasSuffix(test.fault), "\(error)")
    }
  }

  @Test func aRowIsHeldToTheSchema() throws {
    let schema = try FeatureSchema([Feature("a"), Feature("b", missing: .taken)])
    #expect(schema.fault(ofRow: [1, .nan]) == nil)
    #expect(schema.fault(ofRow: [1]) == "has 1 number, the model takes 2")
    #expect(schema.fault(ofRow: [.nan, 1]) == "has nan for 'a'")
    #expect(schema.fault(ofRow: [1, .infinity]) == "has inf for 'b'")
  }
}
