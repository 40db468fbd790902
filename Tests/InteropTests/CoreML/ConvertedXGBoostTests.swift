import Foundation
import TestSupport
import Testing

/// What coremltools' converter makes of a model of XGBoost, judged beside XGBoost's own file.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
struct ConvertedXGBoostTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try Oracle.run("convert_xgboost.py", [folder.path("made")])
  }

  private func check(_ name: String, _ path: String) throws -> (status: Int32, text: String) {
    let checked = try Program.run([
      "check", folder.path("made/\(name).json"), path, "--references",
      folder.path("made/\(name).jsonl"), "--limits", "strict",
    ])
    return (checked.status, checked.output + checked.errors)
  }

  @Test(arguments: ["regression", "two", "three"])
  func itPassesAndDamagedOnesDoNot(_ name: String) throws {
    let converted = folder.path("made/\(name).mlmodel")
    let (status, text) = try check(name, converted)
    #expect(status == 0, "\(text)")
    for (mode, words) in [
      ("turned", "passed strict"), ("missing", "another way than the baseline's"),
      ("threshold", "decides otherwise"), ("fewer", "trees, the baseline has"),
      ("leaf", "'trees.leaves'"),
    ] {
      let spoilt = folder.path("\(name)-\(mode).mlmodel")
      _ = try Oracle.run("relay_trees.py", [mode, converted, spoilt])
      let (status, text) = try check(name, spoilt)
      #expect(status == (mode == "turned" ? 0 : 3), "\(mode): \(text)")
      #expect(text.contains(words), "\(mode): \(text)")
    }
  }
}
