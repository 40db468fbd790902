import Foundation
import ProjectFixtures
import TestSupport
import Testing

@testable import Project

/// Members of one family take the same values and give the same labels, or the project says that they differ.
@Suite struct FamilyCheckTests {
  /// A member of the family: a dense model by its inputs and output in JSON, of two columns.
  struct Form: Sendable {
    var inputs = #"{"name": "a"}, {"name": "b"}"#
    var output = #"{"name": "score", "kind": "classifier", "labels": ["no", "yes"]}"#
    var rows = 1
    var columns = 2
    var activation = "sigmoid"
  }

  private func write(_ form: Form, of member: String, in project: SmallProject) throws {
    let weights = (0..<form.rows * form.columns).map { 0.25 + Float($0) / 8 }
    try project.model("users/\(member)", weights, rows: form.rows)
    try project.scratch.write(
      "users/\(member)/model.json",
      """
      {"architecture": "dense", "inputs": [\(form.inputs)],
       "layers": [{"weight": "w.npy", "activation": "\(form.activation)"}], "output": \(form.output)}
      """)
    let row = Array(repeating: "1", count: form.columns - 1)
    let lines = (0..<12).map { number in
      #"{"input": {"values": [\#((["\(number)"] + row).joined(separator: ", "))]}}"#
    }
    try project.scratch.write(
      "users/\(member)/references.jsonl", lines.joined(separator: "\n") + "\n")
  }

  private func faults(
    _ others: [String: Form], contract: String = SmallProject.familyContract
  ) throws -> [String] {
    let project = try SmallProject()
    try project.writeFamily(["ada", "ben", "cyd"])
    try project.scratch.write("ingot.yaml", contract)
    for (member, form) in others { try write(form, of: member, in: project) }
    return lines(ProjectValidator.validate(project.scratch.path))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let other: Form
    let fault: String
    var mend = FamilyCheckTests.mend
    var testDescription: String { name }
  }

  fileprivate static let mend =
    "[train all members on the same columns, categories and labels in one order, or write "
    + "'membersDiffer: true' where the app asks each member for its own]"

  private static let mendOfOutput =
    "[write the same 'output' (name, kind, columns) in every member's model.json, and give all one kind of model, or "
    + "write 'membersDiffer: true' where the app asks each member for its own]"

  private static let cases = [
    Case(
      name: "labels the other way round",
      other: Form(output: #"{"name": "score", "kind": "classifier", "labels": ["yes", "no"]}"#),
      fault: "label 1: 'no' in 'users/ada', 'yes' in 'users/ben'"),
    Case(
      name: "features in another order", other: Form(inputs: #"{"name": "b"}, {"name": "a"}"#),
      fault: "feature 1: 'a' in 'users/ada', 'b' in 'users/ben'"),
    Case(
      name: "one feature more",
      other: Form(inputs: #"{"name": "a"}, {"name": "b"}, {"name": "c"}"#, columns: 3),
      fault: "number of features: 2 in 'users/ada', 3 in 'users/ben'"),
    Case(
      name: "another kind",
      other: Form(inputs: #"{"name": "a"}, {"name": "b", "kind": "boolean"}"#),
      fault: "kind of 'b': a number in 'users/ada', a truth value in 'users/ben'"),
    Case(
      name: "another name of the output",
      other: Form(output: #"{"name": "result", "kind": "classifier", "labels": ["no", "yes"]}"#),
      fault: "name of the output: 'score' in 'users/ada', 'result' in 'users/ben'",
      mend: mendOfOutput),
    Case(
      name: "another output",
      other: Form(output: #"{"name": "score", "kind": "regressor"}"#, activation: "identity"),
      fault: "output: 1 probability in 'users/ada', 1 number in 'users/ben'", mend: mendOfOutput),
  ]

  @Test(arguments: cases)
  func membersThatDisagreeAreNamedWithBothValues(_ test: Case) throws {
    #expect(try faults(["ben": test.other]) == ["4:13: family 'users': \(test.fault) \(test.mend)"])
    #expect(
      try faults(["ben": test.other, "cyd": test.other])
        == [
          "4:13: family 'users': \(test.fault); 1 more member differs from 'users/ada' \(test.mend)"
        ])
    let meant = SmallProject.familyContract.replacingOccurrences(
      of: "    compress:", with: "    membersDiffer: true\n    compress:")
    #expect(try faults(["ben": test.other], contract: meant) == [])
  }

  @Test func categoriesAreComparedOneByOne() throws {
    func form(_ categories: String) -> Form {
      Form(
        inputs:
          #"{"name": "a"}, {"name": "net", "kind": "category", "categories": [\#(categories)]}"#)
    }
    let same = [form(#""cell", "wifi""#), form(#""cell", "wifi""#)]
    #expect(try faults(["ada": same[0], "ben": same[1], "cyd": same[0]]) == [])
    let other = form(#""wifi", "cell""#)
    #expect(
      try faults(["ada": same[0], "ben": other, "cyd": same[0]]) == [
        "4:13: family 'users': category 0 of 'net': 'cell' in 'users/ada', 'wifi' in 'users/ben' "
          + Self.mend
      ])
  }

  @Test func otherRulesForMissingValuesAreAWarning() throws {
    func form(_ missing: String) -> Form {
      Form(inputs: #"{"name": "a"}, {"name": "b"\#(missing)}"#)
    }
    let replaced = form(#", "missing": 3"#)
    #expect(
      try faults(["ben": replaced, "cyd": replaced]) == [
        "4:13: family 'users': rule for missing values of 'b': refused in 'users/ada', taken in "
          + "'users/ben'; 1 more member differs from 'users/ada' [give no member a value that one of "
          + "them refuses, or write 'membersDiffer: true' where the app asks each member for its own]"
      ])
    // A mean of its own is no difference.
    #expect(
      try faults(["ada": replaced, "ben": form(#", "missing": 4"#), "cyd": replaced]) == [])
  }

  @Test func theWordIsForFamilies() throws {
    let alone = SmallProject.familyContract
      .replacingOccurrences(of: "    compress:", with: "    membersDiffer: true\n    compress:")
      .replacingOccurrences(of: "{member}", with: "ada")
    #expect(
      try faults([:], contract: alone) == [
        "5:20: 'membersDiffer' is for a family, and 'source' holds no {member} "
          + "[remove 'membersDiffer']"
      ])
  }
}
