import Foundation
import TestSupport
import Testing

/// A threshold that moved by one step of 32 bits, in trees of one library: a whole number that equals it goes another
/// way, and references need not show it.
struct ThresholdStepTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try write(references: Self.years)
  }

  /// None near 2008.
  private static let years = stride(from: 24, through: 2024, by: 50).map(Double.init)

  private func write(references years: [Double]) throws {
    try folder.write(
      "references.jsonl",
      years.map { #"{"input": {"values": [\#($0)]}}"# }.joined(separator: "\n"))
  }

  /// A model of LightGBM with one tree of two branches, the second on 2015.
  private func write(_ name: String, threshold: String) throws {
    let text = """
      {"name": "tree", "version": "v4", "num_class": 1, "max_feature_idx": 0, "feature_names": ["year"],
       "tree_info": [{"tree_index": 0, "num_leaves": 3, "tree_structure":
        {"split_feature": 0, "threshold": \(threshold), "decision_type": "<=", "default_left": false,
         "missing_type": "NaN", "left_child": {"leaf_value": 1}, "right_child":
         {"split_feature": 0, "threshold": 2015, "decision_type": "<=", "default_left": false,
          "missing_type": "NaN", "left_child": {"leaf_value": 2}, "right_child": {"leaf_value": 3}}}}]}
      """
    try folder.write(name, text)
  }

  private func check(_ baseline: String, _ candidate: String) throws -> Program {
    try Program.run(
      ["check", baseline, candidate, "--references", "references.jsonl"], in: folder.path)
  }

  @Test(arguments: ["2008.0001220703125", "2007.9998779296875"])
  func aStepIsRefused(_ threshold: String) throws {
    try write("source.json", threshold: "2008")
    try write("other.json", threshold: threshold)
    let found = try check("source.json", "other.json")
    #expect(found.status == 3, "\(found.output) \(found.errors)")
    let number = threshold.hasPrefix("2008") ? "2008.0001" : "2007.9999"
    #expect(
      (found.output + found.errors).contains(
        "feature 'year' in tree 0, node 0: \(number) where the baseline has 2008.0; thresholds stay as they are, "
          + "bit for bit, unless a recipe asks for coarser ones"), "\(found.output)")
    #expect(try check("source.json", "source.json").status == 0)
  }

  /// A file with thresholds of 32 bits has the two numbers around those of 64, and no others.
  @Test func aRoundedThresholdIsNextToItsOwn() throws {
    try write("source.json", threshold: "2008.00005")
    let made = try Program.run(
      [
        "compress", "source.json", "--output", "small.safetensors", "--scheme", "none",
        "--references", "references.jsonl",
      ], in: folder.path)
    try #require(made.status == 0, "\(made.errors)")
    // 2008.00005 became 2008: 32 bits have 2008 and 2008.0001220703125 around it.
    for (threshold, status) in [
      ("2008.00005", 0), ("2008", 0), ("2008.0001", 0), ("2007.99999", 0),
      ("2008.0001220703125", 3), ("2007.9998779296875", 3), ("2008.0001222", 3),
    ] as [(String, Int32)] {
      try write("other.json", threshold: threshold)
      let found = try check("other.json", "small.safetensors")
      #expect(found.status == status, "\(threshold): \(found.output) \(found.errors)")
      if status == 3 {
        #expect((found.output + found.errors).contains("2008.0 where the baseline has"))
      }
    }
    // A reference between both goes another way.
    try write("other.json", threshold: "2007.99995")
    try write(references: Self.years + [2007.99999])
    let turned = try check("other.json", "small.safetensors")
    #expect(turned.status == 3)
    #expect(
      (turned.output + turned.errors).contains(
        "2008.0 where the baseline has 2007.99995, which sends 1 reference another way; in 32 bits it is "
          + "2007.9999 or 2008.0, whichever sends all references the same way"),
      "\(turned.output) \(turned.errors)")
  }
}
