import Inputs

/// How well a classifier's outputs rank observed labels, of any scale and however rare a
/// label is.
///
/// For each label the pairs of a sample that has it and one that has not are counted, U of them with
/// the greater output on the sample that has it. U over all pairs is the area under the ROC curve
/// (Bamber 1975); one half is chance. Where outputs and labels have nothing to do with each other, U
/// has the mean n₁n₀/2 and the variance n₁n₀(n₁+n₀+1)/12, and is nearly normal (Mann and Whitney
/// 1947, "On a test of whether one of two random variables is stochastically larger than the other").
///
/// Equal outputs count for the model, so that ties never make the test stricter than it says. Of
/// several labels the sums are taken, and standard deviations are added up: that of the sum is at
/// most as large, whatever their correlation.
struct RankedLabels: Equatable {
  /// Share of the pairs that are ranked as the labels are, from 0 to 1.
  let area: Double
  /// The share that scatter alone passes, but in one of a thousand sets.
  let minByScatter: Double

  /// One-sided bound of a normal variable: one in a thousand is below its negative.
  private static let standardDeviations = 3.0902

  /// Nil if no label has both samples with it and without.
  ///
  /// - Parameters:
  ///   - outputs: one column for each label, or one for the second of two; all finite.
  ///   - labels: 0 or 1, of the same shape.
  init?(outputs: OutputMatrix, labels: OutputMatrix) {
    var inOrder = 0.0, pairs = 0.0, scatter = 0.0
    for column in 0..<labels.width {
      let count = RankedLabels.count(outputs, labels, column)
      inOrder += count.inOrder
      pairs += count.pairs
      scatter += (count.pairs * Double(labels.rowCount + 1) / 12).squareRoot()
    }
    guard pairs > 0 else { return nil }
    area = inOrder / pairs
    minByScatter = 0.5 - RankedLabels.standardDeviations * scatter / pairs
  }

  /// Whether the labels say that the model ranks them the wrong way round; scatter explains the rest.
  var contradict: Bool { !(area >= minByScatter) }

  /// Pairs of samples with a label and without, and those in which the output of the first is not the
  /// lesser one.
  private static func count(
    _ outputs: OutputMatrix, _ labels: OutputMatrix, _ column: Int
  ) -> (inOrder: Double, pairs: Double) {
    let rows = (0..<labels.rowCount).map { row -> (output: Float, has: Bool) in
      let place = row * labels.width + column
      return (outputs.values[place], labels.values[place] == 1)
    }
    // Of equal outputs those without the label come first, and count as lesser ones.
    let sorted = rows.sorted { ($0.output, $0.has ? 1 : 0) < ($1.output, $1.has ? 1 : 0) }
    var without = 0.0, inOrder = 0.0
    for row in sorted {
      if row.has { inOrder += without } else { without += 1 }
    }
    return (inOrder, (Double(labels.rowCount) - without) * without)
  }
}
