import Graph
import IngotFeatures
import Trees
import Weights

/// A linear model behind a normalizer as steps over named features, with their arrays.
///
/// Steps compute in 32 bits.
struct NormalizedTable {
  private(set) var arrays: [MemoryArray] = []
  private var steps: [TableStep] = []
  private var features: [TreeFeature] = []
  private let sums: LinearSums
  private let outputName: String

  /// - Parameters:
  ///   - table: ends in a linear model behind a norm.
  ///   - name: of the output.
  init(_ table: TabularTable, output name: String) throws(TabularError) {
    let (cells, place) = (table.row.cells, table.place)
    let columns = try LinearColumns(cells, at: place)
    sums = try LinearSums(table.predictor, width: cells.count, at: place)
    outputName = name
    features = columns.features.map(Self.plain)
    var vector = collect(columns)
    vector = fill(vector, columns)
    vector = scale(vector, columns)
    if let norm = table.row.norm { vector = divide(vector, by: norm) }
    predict(vector)
  }

  /// The steps as `model.json` has them.
  var program: TableProgram {
    TableProgram(
      library: "Core ML", inputs: features, steps: steps, returned: steps.last?.name ?? "",
      task: sums.labels.map { .classification(labels: $0) } ?? .regression,
      givesProbabilities: sums.labels != nil, outputName: outputName)
  }

  /// What is missing is filled in by steps; of categories it is one that is in no list.
  private static func plain(_ feature: Feature) -> TreeFeature {
    switch feature.kind {
    case .category(let list):
      return TreeFeature(
        feature.name, .category(names: list.names), unknown: list.unknown,
        missing: feature.missing)
    case .number, .boolean, .cyclic:
      let isFilled = feature.missing != .refused
      return TreeFeature(
        feature.name, missing: isFilled ? .taken : .refused, absent: feature.absent)
    }
  }

  private mutating func append(
    _ name: String, _ kind: TableStep.Kind, _ inputs: [TableStep.Operand], places: [Int] = []
  ) -> TableStep.Operand {
    steps.append(TableStep(name, kind, inputs, places: places))
    return .value(name)
  }

  private mutating func array(
    _ name: String, _ values: [Double], shape: [Int]? = nil
  ) -> TableStep.Operand {
    arrays.append(MemoryArray(TensorName(name), shape ?? [values.count], values))
    return .array(name)
  }

  /// The numbers of the vector, before any is changed.
  private mutating func collect(_ columns: LinearColumns) -> TableStep.Operand {
    var parts: [TableStep.Operand] = []
    for (place, feature) in columns.features.enumerated() {
      let number = append(
        "feature_\(place)", .columns, [.value(TableProgram.features)], places: [place])
      guard case .category(let list) = feature.kind else {
        parts.append(number)
        continue
      }
      let codes = array("categories_\(place)", list.names.indices.map(Double.init))
      parts.append(append("matches_\(place)", .matches, [number, codes]))
    }
    let all = append("row", .join, parts)
    return append("vector", .columns, [all], places: columns.places)
  }

  private mutating func fill(
    _ x: TableStep.Operand, _ columns: LinearColumns
  ) -> TableStep.Operand {
    guard columns.reductions.contains(where: { $0.filling != nil }) else { return x }
    let isNumber = append("is_number", .equal, [x, x])
    let filling = array("filling", columns.reductions.map { $0.filling ?? 0 })
    return append("filled", .choose, [isNumber, x, filling])
  }

  private mutating func scale(
    _ x: TableStep.Operand, _ columns: LinearColumns
  ) -> TableStep.Operand {
    guard columns.scaler != nil else { return x }
    let affine = columns.reductions.map { $0.affine ?? (0, 1) }
    let centred = append("centred", .add, [x, array("shift", affine.map(\.shift))])
    return append("scaled", .multiply, [centred, array("scale", affine.map(\.scale))])
  }

  /// Zeros stay zeros.
  private mutating func divide(
    _ x: TableStep.Operand, by norm: TabularStep.Norm
  ) -> TableStep.Operand {
    var size: TableStep.Operand
    if norm == .length {
      let squares = append("squares", .multiply, [x, x])
      size = append("length", .squareRoot, [append("square", .sum, [squares])])
    } else {
      let negative = append("negative", .multiply, [x, array("minus", [-1])])
      let magnitudes = append("magnitudes", .larger, [x, negative])
      size = append(
        norm == .sum ? "length" : "largest", norm == .sum ? .sum : .largest, [magnitudes])
    }
    size = append(
      "divisor", .larger, [size, array("smallest", [Double(Float.leastNormalMagnitude)])])
    return append("normalized", .divide, [x, size])
  }

  private mutating func predict(_ x: TableStep.Operand) {
    let weight = array(
      "linear.weight", sums.rows.flatMap(\.self), shape: [sums.rows.count, sums.rows[0].count])
    let value = append("sums", .linear, [x, weight, array("linear.bias", sums.offsets)])
    switch sums.activation {
    case .sigmoid: _ = append("shares", .sigmoid, [value])
    case .softmax: _ = append("shares", .softmax, [value])
    case .oneVersusRest:
      let each = append("each", .sigmoid, [value])
      _ = append("shares", .divide, [each, append("all", .sum, [each])])
    case .identity, .relu, .tanh, .gelu: break
    }
  }
}
