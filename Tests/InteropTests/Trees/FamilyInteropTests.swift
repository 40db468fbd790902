import Foundation
import TestSupport
import Testing

/// Families of models that a library made: members of one task are one family, and those of another are named.
@Suite(.enabled(if: TreeFolder.root != nil, "no models of tables: run scripts/test"))
struct FamilyInteropTests {
  private func validate(_ members: [String: String], _ word: String = "") throws -> Program {
    let scratch = try TemporaryFolder()
    let root = try #require(TreeFolder.root)
    for (member, model) in members {
      try scratch.write(
        "users/\(member)/model.json",
        Data(contentsOf: URL(filePath: "\(root)/xgboost/\(model)/model.json")))
    }
    let rows = (0..<12).map { number in
      "{\"input\": {\"values\": [\((0..<6).map { "\((number * 7 + $0 * 5) % 11)" }.joined(separator: ", "))]}}\n"
    }
    try scratch.write("rows.jsonl", rows.joined())
    try scratch.write(
      "customers.json",
      #"[{"app_id": "11111111-1111-4111-8111-111111111111", "bundle_identifiers": ["com.example.app"]}]"#
    )
    try scratch.write(
      "ingot.yaml",
      """
      ingot: 1
      models:
        users:
          source: users/{member}
          compress: {scheme: none}\(word)
          gate: {references: rows.jsonl}
      customers: customers.json
      release: {version: 1.0.0, sdk: ">=1.0.0 <2.0.0"}

      """)
    return try Program.run(["validate", scratch.path], in: scratch.path)
  }

  @Test func membersOfOneTaskAreAFamily() throws {
    let found = try validate([
      "ada": "binary-logistic-json", "ben": "classifier", "cyd": "binary-logistic-json",
    ])
    #expect(found.status == 0, "\(found.output)\(found.errors)")
  }

  @Test(arguments: [
    ("multi-softprob-json", "output: 1 probability in 'users/ada', 4 probabilities in 'users/ben'"),
    ("reg-squarederror-json", "output: 1 probability in 'users/ada', 1 number in 'users/ben'"),
  ])
  func membersOfAnotherTaskAreNamed(_ model: String, _ words: String) throws {
    let members = ["ada": "binary-logistic-json", "ben": model]
    let found = try validate(members)
    #expect(found.status == 1)
    #expect(
      "\(found.output)\(found.errors)".contains("family 'users': \(words)"),
      "\(found.output)\(found.errors)")
    let meant = try validate(members, "\n    membersDiffer: true")
    #expect(meant.status == 0, "\(meant.output)\(meant.errors)")
  }
}
