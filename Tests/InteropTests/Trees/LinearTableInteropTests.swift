import Foundation
import Inputs
import TestSupport
import Testing

/// Linear models that scikit-learn trained, compressed by commands to Core ML models of tables: coremltools loads
/// them, numpy computes what is in them, and scikit-learn gave the numbers.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
struct LinearTableInteropTests {
  private let folder: TemporaryFolder
  private let names: [String]

  init() throws {
    folder = try TemporaryFolder()
    let text = try Oracle.run("make_linear_tables.py", [folder.path("made")])
    names = try JSONDecoder().decode([String].self, from: Data(text.utf8))
    try #require(names.count == 4)
  }

  /// What numpy computes of a file for rows by names, and what scikit-learn gave.
  private func numbers(
    _ name: String, _ path: String
  ) throws -> (found: [Double], expected: [Double]) {
    _ = try Oracle.run(
      "run_tabular_coreml.py", [path, folder.path("made/\(name)/rows.json"), path + ".f64"])
    return (try doubles(path + ".f64"), try doubles(folder.path("made/\(name)/expected.f64")))
  }

  private func doubles(_ path: String) throws -> [Double] {
    let data = try Data(contentsOf: URL(filePath: path))
    return data.withUnsafeBytes { raw in
      (0..<raw.count / 8).map { raw.loadUnaligned(fromByteOffset: 8 * $0, as: Double.self) }
    }
  }

  /// The rows of a model of plain numbers as a program takes them, which knows no names.
  private func rowsByPlace(_ name: String) throws -> String {
    let rows = try JSONDecoder().decode(
      [[String: Double]].self,
      from: Data(contentsOf: URL(filePath: folder.path("made/\(name)/rows.json"))))
    let lines = rows.map { row in
      let values = ["hour", "floor", "noise"].compactMap { row[$0] }.map { "\($0)" }
      return "{\"input\": {\"values\": [\(values.joined(separator: ", "))]}}\n"
    }
    let path = folder.path("\(name).jsonl")
    try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private func compress(_ name: String, to path: String, _ flags: [String] = []) throws {
    let made = try Program.run(
      [
        "compress", folder.path("made/\(name)/model"), "--output", path, "--scheme", "none",
      ] + references(name) + flags)
    #expect(made.status == 0, "\(name): \(made.errors)")
  }

  /// Has a file judged against the model that it was made of.
  private func check(_ name: String, _ path: String) throws {
    let checked = try Program.run(
      ["check", folder.path("made/\(name)/model"), path] + references(name))
    #expect(checked.status == 0, "\(name): \(checked.output) \(checked.errors)")
  }

  private func references(_ name: String) -> [String] {
    ["--references", folder.path("made/\(name)/references.jsonl")]
  }

  /// Encoders, imputers and scalers are steps of the file, whose inputs are the features.
  @Test func filesComputeWhatScikitLearnDoes() throws {
    for name in names {
      let path = folder.path("\(name).mlmodel")
      try compress(name, to: path)
      let (found, expected) = try numbers(name, path)
      #expect(found.count == expected.count && found.count >= 60)
      let worst = zip(found, expected).map { abs($0 - $1) }.max() ?? .nan
      #expect(worst <= 1e-9, "\(name)")
      try check(name, path)
      // What was read again takes the same rows, and is written again as it is.
      let again = folder.path("again-\(name).mlmodel")
      let made = try Program.run(
        ["compress", path, "--output", again, "--scheme", "none"] + references(name))
      #expect(made.status == 0, "\(name): \(made.errors)")
      let (copied, _) = try numbers(name, again)
      #expect((zip(copied, found).map { abs($0 - $1) }.max() ?? .nan) <= 1e-12)
    }
  }

  /// A package is an ML Program: coremltools loads it, numpy runs it, and it is read, judged and written again.
  @Test func packagesComputeWhatScikitLearnDoes() throws {
    var paths: [String] = []
    let plain = names.filter { !$0.hasPrefix("named") }
    #expect(plain == ["linear", "logistic-texts"])
    for name in plain {
      let path = folder.path("\(name).mlpackage")
      try compress(name, to: path, ["--float-type", "float32"])
      try check(name, path)
      let rows = folder.path("\(name).npy")
      let run = try Program.run(
        ["embed", path, "--inputs", try rowsByPlace(name), "--output", rows])
      #expect(run.status == 0, "\(name): \(run.errors)")
      let ours = try OutputMatrix(npy: rows)
      let expected = try doubles(folder.path("made/\(name)/expected.f64"))
      #expect(ours.rowCount == 60)
      let width = expected.count / 60
      for row in 0..<60 {
        let wanted = expected[row * width..<(row + 1) * width].suffix(ours.width)
        for (value, number) in zip(ours[row], wanted) {
          #expect(abs(Double(value) - number) <= 1e-5, "\(name), row \(row)")
        }
      }
      paths += [path, folder.path("made/\(name)")]
    }
    let text = try Oracle.run("judge_linear_package.py", paths)
    let found = try JSONDecoder().decode([[Double]].self, from: Data(text.utf8))
    #expect(found.map { $0[0] } == [1, 3])
    for numbers in found { #expect(numbers[1] <= 1e-5) }
  }

  /// A model that devices train further is what coremltools' builder makes of the same numbers; it is read
  /// and run as any other.
  @Test func updatableModelsAreThoseOfCoremltools() throws {
    for name in names {
      let path = folder.path("\(name).mlmodel")
      try compress(name, to: path, ["--updatable"])
      let text = try Oracle.run("judge_updatable.py", [path])
      struct Fact: Decodable {
        let kind: String
        let training: [String]
      }
      let fact = try #require(JSONDecoder().decode([Fact].self, from: Data(text.utf8)).first)
      let classifies = name.contains("logistic")
      #expect(fact.kind == (classifies ? "pipelineClassifier" : "pipeline"))
      #expect(fact.training.last == (classifies ? "action" : "action_true"))
      let (found, expected) = try numbers(name, path)
      #expect(found.count == expected.count)
      #expect((zip(found, expected).map { abs($0 - $1) }.max() ?? .nan) <= 1e-5, "\(name)")
      try check(name, path)
    }
    let package = folder.path("Linear.mlpackage")
    try compress("logistic-texts", to: package, ["--updatable"])
    _ = try Oracle.run(
      "judge_updatable.py", [package + "/Data/com.apple.CoreML/model.mlmodel"])
  }

  /// What is said of each input.
  @Test func inputsAreTheFeatures() throws {
    let path = folder.path("a.mlmodel")
    try compress("named-logistic", to: path)
    let text = try Oracle.run(
      "run_tabular_coreml.py",
      [path, folder.path("made/named-logistic/rows.json"), path + ".f64"])
    struct Fact: Decodable {
      let kind: String
      let texts: [String: String]
    }
    let fact = try #require(JSONDecoder().decode([Fact].self, from: Data(text.utf8)).first)
    #expect(fact.kind == "pipelineClassifier")
    #expect(fact.texts["network"] == "One of 'none', 'mobile', 'wifi'; any other counts as none")
    #expect(fact.texts["floor"] == "One of '3', '-1', '7'; no other")
    #expect(fact.texts["charging"] == "1 is true, 0 is false")
    #expect(
      fact.texts["hour"]?.hasPrefix("A number; NaN where it is missing, which counts as 11.")
        == true)
  }

  /// A feature that no step of Core ML's makes is named, with what mends it.
  @Test func whatCoreMLCannotSayIsNamed() throws {
    let model = folder.path("made/named-logistic/model")
    let path = "\(model)/model.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for (from, to, fault) in [
      (
        "\"unknown\": 9", "\"unknown\": 1",
        "has the feature 'network', which takes unknown categories for one that it knows; let 'unknown' be "
          + "'refused', or a code that no category has"
      ),
      (
        "\"kind\": \"boolean\"", "\"absent\": [-1]",
        "has the feature 'charging', which refuses the numbers [-1.0]; let 'missing' be the number that "
          + "takes their place"
      ),
    ] {
      let changed = text.replacingOccurrences(of: from, with: to)
      #expect(changed != text)
      try changed.write(toFile: path, atomically: true, encoding: .utf8)
      let made = try Program.run([
        "compress", model, "--output", folder.path("b.mlmodel"), "--references",
        folder.path("made/named-logistic/references.jsonl"),
      ])
      #expect(made.status == 1)
      #expect(made.errors.contains(fault), "\(made.errors)")
    }
  }
}
