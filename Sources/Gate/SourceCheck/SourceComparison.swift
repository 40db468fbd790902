import Graph
import Inputs

/// Compares a model's outputs with those made elsewhere of the same inputs, row by row. Pure.
struct SourceComparison {
  /// Of one input.
  struct Row {
    /// Nil if outputs are not embeddings.
    let cosine: Double?
    /// Largest difference of one number: of an embedding relative to the length of the given one, of
    /// plain numbers and scores relative to the range of the given ones, of probabilities as it is.
    let difference: Double
    /// The column of that difference, or of the worst sum where the difference alone would be tolerated.
    let column: Int
    /// How many numbers of 32 bits the worst sum of trees is away; nil where sums keep their rule, or have
    /// none.
    let steps: Int?

    /// Whether nothing but the rule of sums is missed.
    var isOfSumsAlone: Bool { steps != nil && difference <= SourceComparison.differenceLimit }
  }

  /// Largest difference of an agreement. float16 loses up to 0.0005 of a number's size.
  static let differenceLimit = 0.001

  let rows: [Row]
  let minCosine: Double
  /// The rule for sums of trees that the library gave in its own precision; nil for any other numbers.
  let sums: SumRule?

  /// - Parameters:
  ///   - model: the model's outputs.
  ///   - given: as many rows and columns, made elsewhere; none of an embedding is all zero.
  ///   - sums: the rule for sums of trees; nil for any other numbers.
  init(
    model: OutputMatrix, given: OutputMatrix, meaning: ModelOutput, type: VectorType,
    sums: SumRule? = nil
  ) {
    self.sums = sums
    let isEmbedding = if case .embedding = meaning { true } else { false }
    let ours = Vectors(model), theirs = Vectors(given)
    let units = DriftUnit(meaning).sizes(of: given)
    rows = (0..<given.rowCount).map { row in
      let unit = isEmbedding ? theirs.length(row) : nil
      let changes = zip(zip(model[row], given[row]), units).map {
        DriftUnit.measure(
          (Double($0.0) - Double($0.1)).magnitude, unit: unit ?? $1, size: Double($0.1))
      }
      let column = changes.indices.max { changes[$0] < changes[$1] } ?? 0
      let sum = sums?.worst(model[row], given[row])
      let isTolerated = changes[column] <= SourceComparison.differenceLimit
      return Row(
        cosine: isEmbedding ? SourceComparison.number(ours.cosine(row, of: theirs, row)) : nil,
        difference: changes[column], column: isTolerated ? sum?.column ?? column : column,
        steps: sum?.steps)
    }
    minCosine = type.minCosine
  }

  // An embedding of zeros has no cosine, and agrees with nothing.
  private static func number(_ cosine: Double) -> Double { cosine.isNaN ? -1 : cosine }

  /// Whether the row is that of an agreement.
  func agrees(_ row: Int) -> Bool {
    (rows[row].cosine ?? 1) >= minCosine
      && rows[row].difference <= SourceComparison.differenceLimit && rows[row].steps == nil
  }

  /// The steps of the worst sum, where sums alone differ; nil otherwise.
  var stepsOfSumsAlone: Int? {
    let failing = failing
    guard failing.allSatisfy({ rows[$0].isOfSumsAlone }) else { return nil }
    return failing.compactMap { rows[$0].steps }.max()
  }

  /// Rows that are not, worst first.
  var failing: [Int] {
    rows.indices.filter { !agrees($0) }.sorted {
      let (left, right) = (rows[$0], rows[$1])
      if left.isOfSumsAlone, right.isOfSumsAlone {
        return (right.steps ?? 0, $0) < (left.steps ?? 0, $1)
      }
      return (left.cosine ?? 0, -left.difference, $0) < (right.cosine ?? 0, -right.difference, $1)
    }
  }

  /// Cosines as a receipt records them; nil if outputs are not embeddings.
  var cosine: SourceRecord.Cosine? {
    let all = rows.compactMap(\.cosine)
    guard !all.isEmpty else { return nil }
    let decimals = SourceRecord.cosineDecimals
    return SourceRecord.Cosine(
      mean: SourceRecord.recorded(Statistics.mean(all), decimals, .down),
      min: SourceRecord.recorded(Statistics.min(all), decimals, .down))
  }

  /// Largest difference as a receipt records it.
  var maxDifference: Double {
    SourceRecord.recorded(
      Statistics.max(rows.map(\.difference)), SourceRecord.differenceDecimals, .up)
  }
}
