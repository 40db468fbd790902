import Foundation
import TestSupport
import Testing

/// Tables of references with columns that are no features.
struct LabelFlagTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for (name, weight) in [("old", Float(1)), ("new", 1.001)] {
      try folder.write("\(name)/w.npy", Npy.bytes([1, 2], [weight, -1]))
      try folder.write(
        "\(name)/model.json",
        """
        {"architecture": "dense", "inputs": [{"name": "x"}, {"name": "z"}],
         "layers": [{"weight": "w.npy", "activation": "sigmoid"}],
         "output": {"kind": "classifier", "labels": ["later", "now"]}}
        """)
    }
    // Right on eight of ten: x > z means 'now', and the first two say otherwise.
    let rows = (0..<10).map { number in
      let isNow = number % 2 == 0
      let label = isNow == (number > 1) ? "now" : "later"
      return "u-\(number),\(isNow ? 3 : 1),\(label),\(isNow ? 1 : 3).\(number)\n"
    }
    try folder.write("data.csv", "id,x,when,z\n" + rows.joined())
  }

  private func run(_ arguments: [String], _ file: String = "data.csv") throws -> Program {
    try Program.run(arguments + ["--references", file], in: folder.path)
  }

  private static let columns = ["--label", "when", "--ignore", "id"]

  @Test func theVerdictSaysHowOftenBothAreRight() throws {
    let found = try run(["check", "old", "new"] + Self.columns)
    #expect(found.status == 0, "\(found.errors)")
    #expect(
      found.output.contains("accuracy: 0.8 → 0.8, calibration error: "), "\(found.output)")
    #expect(found.output.contains("; on 10 labelled lines"))
    let json = try run(["check", "old", "new", "--json"] + Self.columns).json()
    let labels = try #require(json["labels"] as? [String: Any])
    #expect((labels["accuracy"] as? [String: Double]) == ["baseline": 0.8, "candidate": 0.8])
    #expect((json["classes"] as? [[String: Any]])?.map { $0["inputs"] as? Int } == [5, 5])
  }

  @Test func everyCommandWithReferencesTakesThem() throws {
    let made = try run(["compress", "old", "-o", "small.safetensors"] + Self.columns)
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.contains("labelled lines"), "\(made.output)")
    let why = try run(["explain", "old", "new"] + Self.columns)
    #expect(why.status == 0, "\(why.errors)")
  }

  /// Tables in another form, fields that hold nothing, and labels that are none have advice of their own.
  @Test func everyFaultOfATableHasItsOwnHint() throws {
    let table = "x,z,when\n1,3,later\n3,1,now\n"
    let utf16: [UInt8] = [0xFF, 0xFE] + table.utf8.flatMap { [$0, 0] }
    try folder.write("wide.csv", utf16)
    try folder.write("parted.csv", table.replacing(",", with: ";"))
    try folder.write("nan.csv", table + "NaN,1,now\n")
    try folder.write("empty.csv", table + ",1,now\n")
    try folder.write("label.csv", table + "1,3,ja\n")
    for (file, hint) in [
      ("wide.csv", "save the file again as UTF-8"),
      ("parted.csv", "save the table with commas between its fields"),
      ("nan.csv", "leave the field empty"), ("empty.csv", "mend the row, or leave it out"),
      ("label.csv", "write true labels as the model does"),
    ] {
      let found = try run(["check", "old", "new", "--label", "when"], file)
      #expect(found.status == 1)
      #expect(found.errors.contains("hint: \(hint)"), "\(file): \(found.errors)")
    }
  }

  @Test func aFeatureAsLabelIsAnErrorThatNamesOtherColumns() throws {
    let text = try run(["check", "old", "new", "--label", "x", "--ignore", "id"])
    #expect(text.status == 1)
    #expect(
      text.errors.contains(
        "hint: 'x' is a feature of the model; --label names the column that has true labels, as 'when'\n"
      ),
      "\(text.errors)")
  }

  @Test func aColumnThatIsNoFeatureIsAnErrorThatSaysHowToLeaveItOut() throws {
    let text = try run(["check", "old", "new"])
    #expect(text.status == 1)
    #expect(text.errors.contains("too many: 'id', 'when'\n"), "\(text.errors)")
    #expect(
      text.errors.contains("hint: leave out what is not a feature: --ignore id,when; or name the "),
      "\(text.errors)")
    let number = try run(["check", "old", "new", "--label", "when", "--ignore", "z"])
    #expect(number.status == 1)
    try folder.write(
      "more.csv", "x,z,day,hour\n" + (0..<9).map { "1,\($0),2,3\n" }.joined())
    let more = try run(["check", "old", "new"], "more.csv")
    #expect(more.status == 1)
    #expect(more.errors.contains("too many: 'day', 'hour'"), "\(more.errors)")
    #expect(
      more.errors.contains(
        "hint: leave out what is not a feature: --ignore day,hour; or name the column of true labels: "
          + "--label day"), "\(more.errors)")
    for more in [["--ignore", "day,hour"], ["--ignore", "day", "--ignore", "hour"]] {
      let mended = try run(["check", "old", "new"] + more, "more.csv")
      #expect(mended.status == 0, "\(mended.errors)")
    }
  }

  @Test func whatIsNoLabelOfTheModelIsAnErrorWithItsLine() throws {
    let text = try String(contentsOfFile: folder.path("data.csv"), encoding: .utf8)
    try folder.write("wrong.csv", text.replacing("u-3,1,later", with: "u-3,1,never"))
    let found = try run(["check", "old", "new"] + Self.columns, "wrong.csv")
    #expect(found.status == 1)
    #expect(
      found.errors.contains(
        "error: wrong.csv:5: the label is 'never', the model gives 'later', 'now'"),
      "\(found.errors)")
  }

  /// Both models are right as often; the candidate knows it less.
  @Test func theRiseOfTheCalibrationErrorHasALimit() throws {
    let check = ["check", "old", "new"]
    let json = try run(check + ["--json"] + Self.columns).json()
    let labels = try #require(json["labels"] as? [String: Any])
    let error = try #require(labels["calibrationError"] as? [String: Double])
    let rise = try #require(error["candidate"]) - #require(error["baseline"])
    #expect(rise != 0)
    let (from, to) = rise > 0 ? ("old", "new") : ("new", "old")
    let limit = "calibration-error=\(rise.magnitude / 2)"
    let refused = try run(["check", from, to, "--limits", limit] + Self.columns)
    #expect(refused.status == 3, "\(refused.output)\(refused.errors)")
    #expect(refused.errors.contains("rise of calibration error 0.0"), "\(refused.errors)")
    let passed = try run(["check", to, from, "--limits", limit] + Self.columns)
    #expect(passed.status == 0, "\(passed.errors)")
    #expect(passed.output.contains("standard, tightened: rise of calibration error 0.0"))
    let made = try run(
      ["compress", "old", "-o", "s.safetensors", "--limits", "calibration-error=0.5"] + Self.columns
    )
    #expect(made.status == 0, "\(made.errors)")
    let unlabelled = try run(
      check + ["--limits", "calibration-error=0.1", "--ignore", "when,id"])
    #expect(unlabelled.status == 1)
    #expect(
      unlabelled.errors.contains("cannot be judged: no line has a true label"),
      "\(unlabelled.errors)")
    #expect(
      unlabelled.errors.contains("hint: name the column of a table that has true labels: --label "),
      "\(unlabelled.errors)")
    // What few labels, or those of one class, say of a probability is no proof.
    for (name, label, fault) in [
      (
        "few.csv", { $0 < 3 ? ["now", "later"][$0 % 2] : "" },
        "only 3 lines have a true label, a proof needs 8"
      ),
      ("one.csv", { _ in "now" }, "all true labels are 'now', a proof needs lines of two classes"),
    ] as [(String, (Int) -> String, String)] {
      let rows = (0..<20).map { "\(Double($0) / 7),\(20 - $0),\(label($0))\n" }.joined()
      try folder.write(name, "x,z,when\n" + rows)
      let found = try run(
        ["check", "old", "new", "--label", "when", "--limits", "calibration-error=0.1"], name)
      #expect(found.status == 1)
      #expect(found.errors.contains("cannot be judged: \(fault)"), "\(found.errors)")
    }
  }

  /// pandas writes the numbers of rows into a column without a name, unless told otherwise.
  @Test func numbersOfRowsAreAnErrorThatSaysHowToWriteNone() throws {
    try folder.write(
      "numbered.csv", ",x,z\n" + (0..<9).map { "\($0),1,\($0)\n" }.joined())
    let found = try run(["check", "old", "new"], "numbered.csv")
    #expect(found.status == 1)
    #expect(
      found.errors.contains(
        "numbered.csv:1:1: the first column has no name, as where a table was written with the numbers "
          + "of its rows; write it without them (in pandas index=False), or give it a name"),
      "\(found.errors)")
  }

  @Test func theyAreForReferencesAndSourceChecks() throws {
    let found = try Program.run(
      ["compress", "old", "-o", "small.safetensors", "--label", "when"], in: folder.path)
    #expect(found.status == 64)
    #expect(found.errors.contains("--label and --ignore are for --references and --inputs"))
  }

  /// Inputs of a source check may have the columns of the references beside them, or not.
  @Test func aSourceCheckLeavesThemOut() throws {
    // The sigmoid of x − z.
    let given = (0..<10).map { number -> Float in
      let (x, z) = number % 2 == 0 ? (3.0, 1.0) : (1.0, 3.0)
      return Float(1 / (1 + exp(z + Double(number) / 10 - x)))
    }
    try folder.write("v.npy", Npy.bytes([10, 1], given))
    func check(_ arguments: [String]) throws -> Program {
      try Program.run(arguments, in: folder.path)
    }
    let alone = ["check", "v.npy", "old", "--inputs", "data.csv"]
    let agreed = try check(alone + Self.columns)
    #expect(agreed.status == 0, "\(agreed.errors)")
    #expect(agreed.output.hasPrefix("source check: agrees"), "\(agreed.output)")
    let named = try check(alone)
    #expect(named.status == 1)
    #expect(
      named.errors.contains("hint: leave out what is not a feature: --ignore id,when"),
      "\(named.errors)")
    let unknown = try check(alone + ["--label", "when", "--ignore", "idd"])
    #expect(unknown.errors.contains("there is no column 'idd' to be left out"), "\(unknown.errors)")
    let rows = (0..<10).map { $0 % 2 == 0 ? (x: "3", z: "1.\($0)") : (x: "1", z: "3.\($0)") }
    try folder.write(
      "plain.jsonl",
      rows.map { "{\"input\": {\"x\": \($0.x), \"z\": \($0.z)}}\n" }.joined())
    try folder.write("x.csv", "x,z\n" + rows.map { "\($0.x),\($0.z)\n" }.joined())
    for inputs in ["data.csv", "x.csv", "plain.jsonl"] {
      let source = ["--source-check", "v.npy", "--inputs", inputs] + Self.columns
      let both = try run(["check", "old", "new"] + source)
      #expect(both.status == 0, "\(inputs): \(both.errors)")
      #expect(both.output.contains("source check: agrees"), "\(both.output)")
      let made = try run(["compress", "old", "-o", "made-\(inputs).safetensors"] + source)
      #expect(made.status == 0, "\(inputs): \(made.errors)")
    }
  }

  /// A project names the same columns, and its receipt has the figures.
  @Test func aProjectNamesThemToo() throws {
    try folder.write("project/data.csv", Data(contentsOf: URL(filePath: folder.path("data.csv"))))
    try folder.write(
      "project/customers.json",
      #"[{"app_id": "11111111-1111-4111-8111-111111111111", "bundle_identifiers": ["com.example.app"], "customModels": []}]"#
    )
    try FileManager.default.copyItem(
      atPath: folder.path("old"), toPath: folder.path("project/old"))
    func project(_ columns: String) throws -> Program {
      try folder.write(
        "project/ingot.yaml",
        """
        ingot: 1
        models:
          sync:
            source: old
            compress: {scheme: none}
            gate: {references: data.csv\(columns)}
        customers: customers.json
        release: {version: 1.0.0, sdk: ">=1.0.0 <2.0.0"}

        """)
      return try Program.run(["validate", "project"], in: folder.path)
    }
    let named = try project(", label: when, ignore: id")
    #expect(named.status == 0, "\(named.output)\(named.errors)")
    let list = try project(", label: when, ignore: [id]")
    #expect(list.status == 0, "\(list.output)\(list.errors)")
    let missing = try project(", label: when")
    #expect(missing.status == 1)
    #expect("\(missing.output)\(missing.errors)".contains("data.csv:1: has 3 columns, the model"))
    #expect(
      "\(missing.output)\(missing.errors)".contains(
        "a column that is not a feature is left out with 'ignore: COLUMN' under 'gate'; 'label: COLUMN' "
          + "names the one of true labels"), "\(missing.output)\(missing.errors)")
    let limited = try project(", label: when, ignore: id, limits: {calibrationError: 0.05}")
    #expect(limited.status == 0, "\(limited.output)\(limited.errors)")
    let unlabelled = try project(", ignore: [id, when], limits: {calibrationError: 0.05}")
    #expect(unlabelled.status == 1)
    for words in [
      "data.csv: the limit 'rise of calibration error 0.05' cannot be judged: no line has a true label",
      "name the column of true labels, 'label: COLUMN' under 'gate'",
    ] {
      #expect(
        "\(unlabelled.output)\(unlabelled.errors)".contains(words),
        "\(unlabelled.output)\(unlabelled.errors)")
    }
  }
}
