import Graph
import IngotFeatures
import StrictJSON
import Trees
import Weights

/// A linear model of Core ML's as a dense model: its arrays and its `model.json`.
struct LinearDescription {
  let arrays: [MemoryArray]
  let description: JSONValue
  /// As apps give them.
  let features: [Feature]

  /// - Parameters:
  ///   - table: ends in a linear model.
  ///   - schema: the text of the features, as the program says it of itself; nil without one.
  ///   - hasTwoColumns: whether both of two classes have a number.
  init(
    _ table: TabularTable, output name: String, schema: String?, hasTwoColumns: Bool,
    at place: TabularPlace
  ) throws(TabularError) {
    let columns = try LinearColumns(table.row.cells, at: place)
    let stated = try schema.map { text throws(TabularError) in
      try columns.features(stated: text, at: place)
    }
    features = stated ?? columns.features
    let sums = try LinearSums(table.predictor, width: table.row.cells.count, at: place)
    let dense = DenseDescription(
      features: features,
      standardisation: columns.scaler.map { scaler in
        (mean: scaler.shift.map { 0 - $0 }, scale: scaler.scale.map { 1 / $0 })
      },
      norm: table.row.norm.map { $0 == .sum ? .l1 : .l2 },
      layers: [
        DenseDescription.Layer(
          rows: sums.rows.map(columns.row), offsets: sums.offsets, activation: sums.activation)
      ],
      labels: sums.labels,
      hasTwoColumns: hasTwoColumns && sums.labels?.count == 2, outputName: name)
    arrays = dense.arrays
    description = dense.json
  }
}
