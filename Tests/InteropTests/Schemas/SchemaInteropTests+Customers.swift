/// Customer lists that a schema and the reader judge.
extension SchemaInteropTests {
  static let customer = """
    [{"app_id": "c2d67cdb-e117-4c3e-acca-2ae7f1a42210", "bundle_identifiers": ["com.a.b"],
      "customModels": [{"flowId": 1, "flowName": "upsell_1", "modelVersion": 73}], "plan": "gold"}]
    """

  /// A list in which some text is replaced.
  private static func list(
    _ name: String, _ verdict: Case.Verdict, _ old: String, _ new: String
  ) -> Case {
    precondition(customer.contains(old), "\(old) stands in the list")
    return Case(name, verdict, customer.replacing(old, with: new))
  }

  static let lists = [
    Case("sound", .sound, customer),
    list(
      "no flows", .sound, #"[{"flowId": 1, "flowName": "upsell_1", "modelVersion": 73}]"#, "null"),
    list("a whole number with a point", .sound, "\"modelVersion\": 73", "\"modelVersion\": 73.0"),
    list("further keys of a flow", .sound, "\"flowId\": 1", "\"flowId\": 1, \"note\": null"),
    Case("an object", .faulty, "{}"),
    Case("no customers", .faulty, "[]"),
    Case("a number", .faulty, "[1]"),
    list("no app id", .faulty, "\"app_id\"", "\"app\""),
    list("app id in upper case", .faulty, "c2d67cdb", "C2D67CDB"),
    list("app id without hyphens", .faulty, "c2d67cdb-", "c2d67cdb"),
    list("app id as a number", .faulty, "\"c2d67cdb-e117-4c3e-acca-2ae7f1a42210\"", "7"),
    list("no bundle identifiers", .faulty, "[\"com.a.b\"]", "[]"),
    list("bundle identifier of one part", .faulty, "com.a.b", "app"),
    list("bundle identifier with an underscore", .faulty, "com.a.b", "com.a_b.c"),
    list("bundle identifier twice", .faulty, "[\"com.a.b\"]", "[\"com.a.b\", \"com.a.b\"]"),
    list("bundle identifier as a number", .faulty, "\"com.a.b\"", "1"),
    list("flows as an object", .faulty, "\"customModels\": [{", "\"customModels\": {}, \"x\": [{"),
    list("a flow without a name", .faulty, "\"flowName\"", "\"name\""),
    list("flow name with a path", .faulty, "upsell_1", "../upsell"),
    list("flow name in upper case", .faulty, "upsell_1", "Upsell"),
    list("flow id below 0", .faulty, "\"flowId\": 1", "\"flowId\": -1"),
    list("flow id as a text", .faulty, "\"flowId\": 1", "\"flowId\": \"1\""),
    list("version 0", .faulty, "\"modelVersion\": 73", "\"modelVersion\": 0"),
    list("version 1.5", .faulty, "\"modelVersion\": 73", "\"modelVersion\": 1.5"),
    Case(
      "an app twice", .beyondSchemas("entries are compared by one key"),
      """
      [{"app_id": "c2d67cdb-e117-4c3e-acca-2ae7f1a42210", "bundle_identifiers": ["a.b"]},
       {"app_id": "c2d67cdb-e117-4c3e-acca-2ae7f1a42210", "bundle_identifiers": ["a.c"]}]
      """),
    list(
      "a flow twice", .beyondSchemas("entries are compared by one key"),
      #"[{"flowId": 1,"#,
      #"[{"flowId": 2, "flowName": "upsell_1", "modelVersion": 1}, {"flowId": 1,"#),
    list(
      "a key twice", .beyondSchemas("the text is gone when a schema looks"), "\"plan\": \"gold\"",
      "\"plan\": 1, \"plan\": 2"),
  ]
}
