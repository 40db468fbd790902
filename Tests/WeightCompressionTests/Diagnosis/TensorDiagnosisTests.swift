import Foundation
import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import WeightCompression

struct TensorDiagnosisTests {
  static let cases =
    DiagnosisCase.faults + DiagnosisCase.masks + DiagnosisCase.float16s + DiagnosisCase.shapes
    + DiagnosisCase.channels + DiagnosisCase.tails + DiagnosisCase.integers
    + DiagnosisCase.distinct

  @Test(arguments: cases)
  func saysWhatIsSo(_ test: DiagnosisCase) {
    let found = test.findings.map {
      "\($0.severity.rawValue) \($0.id.rawValue): \($0.fact) → \($0.action)"
    }
    #expect(found == test.expected)
    #expect(test.findings.allSatisfy { $0.tensor == "w" })
  }

  /// Of every kind there is a case; equal tensors have tests of their own.
  @Test func everyKindHasACase() {
    let found = Set(TensorDiagnosisTests.cases.flatMap { $0.findings.map(\.id) })
    #expect(found.union([.tied, .duplicate]) == Set(Finding.ID.allCases))
    #expect(Set(Finding.ID.allCases.map(\.rawValue)).count == Finding.ID.allCases.count)
  }

  /// The page that explains findings has a row for each, and for nothing else.
  @Test func everyKindIsDocumented() throws {
    let page = try String(
      contentsOfFile: "\(Program.repository)/specs/formats/inspect.md", encoding: .utf8)
    let kinds = try #require(page.split(separator: "\n## ").first { $0.hasPrefix("Kinds\n") })
    let rows = kinds.matches(of: /(?m)^\| `([a-z-]+)` \|/).map { String($0.1) }
    #expect(rows == Finding.ID.allCases.map(\.rawValue))
  }

  /// The diagnosis refuses the tensors that compression refuses, and names the same format.
  @Test(arguments: cases, [FloatType.float32, .float16])
  func compressionAgrees(_ test: DiagnosisCase, _ floats: FloatType) throws {
    guard case .weight(let role) = test.use, let values = test.values else { return }
    let isRefused = test.findings.contains {
      $0.severity == .refused && (floats == .float16 || $0.id != .float16Overflow)
    }
    let source = MemoryWeights(tensors: ["w": (test.shape, values)])
    do {
      _ = try WeightCompressor.compress(
        weights: [WeightReference("w", test.shape, role: role)], from: source,
        options: try CompressionOptions(scheme: nil, floats: floats), jobs: 1)
      #expect(!isRefused, "taken")
    } catch CompressionError.refused(let refusals) {
      #expect(isRefused, "\(refusals)")
    }
  }

  @Test func figuresAreNumbersForScripts() throws {
    let test = try #require(DiagnosisCase.tails.first)
    let finding = try #require(test.findings.first)
    #expect(
      finding.figures.map(\.name) == [
        "peak", "excessKurtosis", "standardDeviation", "largest", "heavyChannels", "worstChannel",
        "worstPeak", "worstExcessKurtosis",
      ])
    #expect(finding.figures[3].value == .number(15))
    #expect(finding.figures[5].value == .count(0))
  }

  @Test func theGravestComesFirst() {
    let findings = [Finding.Severity.note, .refused, .warning].flatMap { severity in
      [Finding.ID.tied, .nan, .mask].map { Finding($0, severity, "w", "", "") }
    }
    #expect(
      Finding.sorted(findings).map { "\($0.severity) \($0.id)" } == [
        "refused nan", "refused mask", "refused tied", "warning nan", "warning mask",
        "warning tied", "note nan", "note mask", "note tied",
      ])
  }

  /// Scaling a matrix leaves its tails as they are.
  @Test func tailsDoNotDependOnScale() throws {
    var random = SeededGenerator(seed: 9)
    let values = Samples.heavyTailed.values(6000, &random)
    let tensor = DiagnosedTensor(
      "w", [20, 300], DiagnosisCase.matrix, type: "F32", isInteger: false)
    let findings = TensorDiagnosis.findings(
      of: tensor, tensor.statistics(of: values), floats: .two)
    let scaled = TensorDiagnosis.findings(
      of: tensor, tensor.statistics(of: values.map { $0 / 8 }), floats: .two)
    #expect(!findings.isEmpty)
    #expect(findings.map(\.fact) == scaled.map(\.fact))
  }
}
