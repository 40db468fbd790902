import Graph
import TestSupport
import Testing

@testable import Gate

/// True labels that cannot be those of the model are doubted, and a weak model is not.
@Suite struct LabelAgreementTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    /// Of each decision, row by row, the lines of each true label.
    let counts: [[Int]]
    var words: String?
    var testDescription: String { name }
  }

  private static func cases() -> [Case] {
    [
      Case(name: "a good model", counts: [[9, 1], [2, 8]]),
      Case(name: "a model that knows nothing", counts: [[5, 5], [5, 5]]),
      // χ² = 1.17, as SciPy's chi2_contingency without a correction says.
      Case(name: "against, by chance", counts: [[2, 5], [5, 4]]),
      Case(
        name: "swapped", counts: [[1, 9], [8, 2]],
        words:
          "labels look swapped, 'no' for 'yes': the baseline gives 3 of 20 labelled lines their label, "
          + "and 17 where the two change places"),
      Case(
        name: "all swapped", counts: [[0, 5], [5, 0]],
        words:
          "labels look swapped, 'no' for 'yes': the baseline gives none of 10 labelled lines their "
          + "label, and 10 where the two change places"),
      // χ² is 8, which is less than 3.09² = 9.55.
      Case(
        name: "all wrong, of few", counts: [[0, 4], [4, 0]],
        words:
          "the baseline gives none of 8 labelled lines its label: are these the labels of this model?"
      ),
      Case(
        name: "another one swapped of three", counts: [[10, 0, 0], [0, 1, 9], [1, 9, 0]],
        words:
          "labels look swapped, 'yes' for 'so': the baseline gives 11 of 30 labelled lines their label, "
          + "and 28 where the two change places"),
      Case(
        name: "moved by one", counts: [[1, 8, 0], [0, 0, 8], [8, 0, 0]],
        words:
          "the baseline gives 1 of 25 labelled lines its label, where always saying 'no' would be right "
          + "for 9: are these the labels of this model?"),
      // It goes against nothing; the labels are of another share.
      Case(
        name: "one decision", counts: [[10, 90], [0, 0]],
        words:
          "the baseline gives 10 of 100 labelled lines their label, where always saying 'yes' would be "
          + "right for 90: are these the labels of this model?"),
      Case(name: "one decision, half as good", counts: [[30, 60], [0, 0]]),
      Case(name: "few lines", counts: [[1, 6], [0, 0]]),
    ]
  }

  @Test(arguments: cases())
  func labelsAreDoubtedAsTheyAgree(_ test: Case) {
    let lines = test.counts.enumerated().flatMap { decided, row in
      row.enumerated().flatMap { known, count in
        Array(repeating: LabelAgreement.Line(decided: decided, known: known), count: count)
      }
    }
    let agreement = LabelAgreement(lines, labels: ["no", "yes", "so"])
    #expect(agreement.warning.map { GateWarning.references($0).sentence } == test.words)
    #expect(
      LabelAgreement(lines.reversed(), labels: ["no", "yes", "so"]).warning == agreement.warning)
  }
}
