import Foundation
import TestSupport
import Testing

/// The fallback that others shipped: a text encoder at 16 even levels over ranges that an outlier or
/// an infinity destroyed. It is refused, and the pairs and the tensor are named.
@Suite(.enabled(if: ClipModels.isAvailable, "no oracle environment: run scripts/test"))
struct BrokenClipTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let model: String
    /// `outlier` or `infinity`.
    let damage: String
    var testDescription: String { "\(model), \(damage)" }
  }

  static let cases = [
    Case(model: "openclip-mask", damage: "outlier"),
    Case(model: "openclip-mask", damage: "infinity"),
    Case(model: "hf-gelu", damage: "outlier"),
    Case(model: "hf-quick", damage: "infinity"),
  ]

  /// The output of `break_clip.py`.
  private struct Broken: Decodable {
    let baseline: String
    let candidate: String
    let references: String
    let threshold: Double
    let tensor: String?
  }

  private struct Report: Decodable {
    let verdict: String
    let reasons: [String]?
  }

  private func check(
    _ baseline: String, _ candidate: String, _ broken: Broken
  ) throws -> (status: Int32, report: Report) {
    let run = try Program.run([
      "check", baseline, candidate, "--references", broken.references,
      "--threshold", "\(broken.threshold)", "--limits", "lenient", "--json",
    ])
    return (run.status, try JSONDecoder().decode(Report.self, from: Data(run.output.utf8)))
  }

  @Test(arguments: cases)
  func isRefusedAndNamed(_ broken: Case) throws {
    let folder = try TemporaryFolder(), original = ClipModels.path(broken.model)
    let printed = try Oracle.run("break_clip.py", [original, folder.path("broken"), broken.damage])
    let made = try JSONDecoder().decode(Broken.self, from: Data(printed.utf8))

    let (status, report) = try check(made.baseline, made.candidate, made)
    #expect(status == 3)
    #expect(report.verdict == "refused")
    let reasons = try #require(report.reasons)
    // A picture and a phrase, both similarities, and that the app would decide otherwise.
    let flip = #/images/bottle\.jpg ↔ "a (photo of a |drawing of a )?water bottle".* crosses the /#
    #expect(reasons.contains { $0.contains(flip) }, "\(reasons)")
    #expect(reasons.contains { $0.contains(#/^images/.* ↔ ".*": -?\d.* → -?\d/#) }, "\(reasons)")
    let named = reasons.filter { $0.hasPrefix("swapping in '") }
    #expect(!named.isEmpty, "\(reasons)")
    if let tensor = made.tensor {
      #expect(named.contains { $0.contains("'\(tensor)'") }, "\(named)")
    }
    // A mask is not a weight: its change in the candidate is nobody's fault.
    #expect(!reasons.contains { $0.contains("attn_mask") })
  }

  /// The outlier alone changes nothing that any text sees: no pair moves, and its row is refused for
  /// its numbers.
  @Test func theOutlierItselfMovesNoPair() throws {
    let folder = try TemporaryFolder(), original = ClipModels.path("hf-gelu")
    let printed = try Oracle.run("break_clip.py", [original, folder.path("broken"), "outlier"])
    let made = try JSONDecoder().decode(Broken.self, from: Data(printed.utf8))
    let (status, report) = try check(original, made.baseline, made)
    #expect(status == 3)
    let reasons = try #require(report.reasons), tensor = try #require(made.tensor)
    #expect(!reasons.contains { $0.contains("↔") }, "\(reasons)")
    #expect(
      reasons.contains {
        $0.hasPrefix("row ") && $0.contains("'\(tensor)' is worse than its compression explains")
      }, "\(reasons)")
  }
}
