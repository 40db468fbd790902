/// Finds out whether the steps of a table are trees, or linear layers, over features that are filled, scaled and
/// encoded one by one.
///
/// Every value is followed column by column: a cell of the features, a number, or an output of a layer. What
/// changes nothing, as dividing shares by their sum, leaves no trace.
package struct TableForm {
  let table: Table
  private let arrays: [String: Table.Numbers]
  private var values: [String: [TableElement]] = [:]
  /// Layers in the order in which steps made them.
  var layers: [TableUnits] = []
  /// Rows of cells that were divided by their sizes.
  var rows: [(norm: TableLayers.Norm, cells: [TableCell])] = []
  /// The features, where whole numbers that an encoder knows are categories.
  private(set) var features: [TreeFeature]
  /// The step that is being followed.
  private(set) var step: TableStep

  /// - Throws: the first step that is none of either.
  package static func model(of table: Table) throws(TableFault) -> TabularModel {
    guard let first = table.program.steps.first else { return .table(table) }
    var form = TableForm(table, first)
    for step in table.program.steps {
      form.step = step
      form.values[step.name] = try form.elements()
    }
    return try form.finish(form.values[table.program.returned] ?? [])
  }

  private init(_ table: Table, _ step: TableStep) {
    self.table = table
    self.step = step
    features = table.program.inputs
    arrays = Dictionary(table.arrays.map { ($0.name, $0) }) { first, _ in first }
    values[TableProgram.features] = table.program.inputs.indices.map {
      .cell(TableCell(feature: $0))
    }
  }

  func fault(_ reason: String, mend: String? = nil) -> TableFault {
    TableFault(step: step, reason: reason, mend: mend)
  }

  /// A fault of the step that made an element first; of the one that is followed where none did.
  func fault(_ reason: String, of element: TableElement?, mend: String? = nil) -> TableFault {
    let maker = element.flatMap { element in
      table.program.steps.first { values[$0.name]?.contains(element) ?? false }
    }
    return TableFault(step: maker ?? step, reason: reason, mend: mend)
  }

  func fault(_ fault: ColumnFault) -> TableFault {
    self.fault(fault.reason, of: fault.cell.map(TableElement.cell), mend: fault.mend)
  }

  private func elements(of input: TableStep.Operand) -> [TableElement] {
    switch input {
    case .value(let name): values[name] ?? []
    case .array(let name): (arrays[name]?.values ?? []).map(TableElement.number)
    }
  }

  private mutating func elements() throws(TableFault) -> [TableElement] {
    let given = step.inputs.map(elements)
    let x = given.first ?? []
    switch step.kind {
    case .columns: return step.places.compactMap { $0 < x.count ? x[$0] : nil }
    case .join: return joined(given.flatMap(\.self))
    case .numbers: return x
    case .linear: return try linear(x, given)
    case .trees: return try trees(x)
    case .add, .subtract, .multiply, .divide, .larger, .equal, .less, .atLeast:
      return try pairs(x, given[1])
    case .choose: return try choose(x, given[1], given[2])
    case .matches: return try matches(x, given[1])
    case .relu: return try activated(x, .relu)
    case .sigmoid: return try activated(x, .sigmoid)
    case .tanh: return try activated(x, .tanh)
    case .softmax: return try softmax(x)
    case .exponential: return try exponential(x)
    case .sum: return [try sum(x)]
    case .truncate:
      return try x.map { element throws(TableFault) in
        switch element {
        case .number(let number): return .number(number.rounded(.towardZero))
        case .cell(let cell) where cell.isPlain: return .whole(feature: cell.feature)
        default: throw fault("leaves out fractions")
        }
      }
    case .l1: return try normalized(x, .sum)
    case .l2: return try normalized(x, .length)
    case .squareRoot: throw fault("takes the square root of a number of a row")
    case .mean: throw fault("takes the mean of columns")
    case .largest: throw fault("takes the largest of several columns")
    case .place: throw fault("takes the place of the largest of several columns")
    }
  }

  private func numbers(_ elements: [TableElement]) -> [Float]? {
    let numbers = elements.compactMap { element -> Float? in
      if case .number(let number) = element { number } else { nil }
    }
    return numbers.count == elements.count ? numbers : nil
  }

  /// Most whole numbers that are categories, of one feature and of all.
  private static let (wholeLimit, allWholeLimit) = (1024, 1 << 15)
  /// Whole numbers that became categories.
  private var wholeCount = 0

  private mutating func matches(
    _ x: [TableElement], _ keys: [TableElement]
  ) throws(TableFault) -> [TableElement] {
    let keys = numbers(keys) ?? []
    var result: [TableElement] = []
    for element in x {
      let feature: Int
      switch element {
      case .cell(let cell) where cell.isPlain: feature = cell.feature
      case .whole(let own): feature = own
      default: throw fault("encodes what another step has made")
      }
      if table.program.inputs[feature].kind == .number { try encode(feature, keys) }
      let count = features[feature].kind.names.count
      for key in keys {
        guard let code = Int(exactly: key), (0..<count).contains(code) else {
          throw fault("asks for the category \(key), there are \(count)")
        }
        result.append(.cell(TableCell(feature: feature, category: code)))
      }
    }
    return result
  }

  /// A number becomes one of the categories 0, 1, … up to the largest that an encoder knows.
  private mutating func encode(_ feature: Int, _ keys: [Float]) throws(TableFault) {
    let known = features[feature].kind.names.count
    let codes = keys.compactMap { Int(exactly: $0) }
    guard codes.count == keys.count, let largest = codes.max(), (codes.min() ?? -1) >= 0,
      largest < Self.wholeLimit
    else {
      throw fault(
        "encodes numbers of '\(features[feature].name)' that are not whole from 0 to \(Self.wholeLimit - 1)",
        mend: "give that column as a text")
    }
    wholeCount += max(0, largest + 1 - known)
    guard wholeCount <= Self.allWholeLimit else {
      throw fault(
        "encodes more than \(Self.allWholeLimit) whole numbers", mend: "give those columns as texts"
      )
    }
    features[feature] = TreeFeature(
      features[feature].name,
      .category(names: (0..<max(known, largest + 1)).map(String.init)))
  }

  /// A number in place of one that is missing, or one of two by a number.
  private func choose(
    _ conditions: [TableElement], _ yes: [TableElement], _ no: [TableElement]
  ) throws(TableFault) -> [TableElement] {
    let count = max(conditions.count, max(yes.count, no.count))
    guard !conditions.isEmpty, !yes.isEmpty, !no.isEmpty else { throw fault("has no columns") }
    var result: [TableElement] = []
    for place in 0..<count {
      let (first, second) = (yes[place % yes.count], no[place % no.count])
      switch (conditions[place % conditions.count], first, second) {
      case (.number(let number), _, _): result.append(number != 0 ? first : second)
      case (.isThere(let asked), .cell(let cell), .number(let other)) where asked == cell:
        result.append(.cell(cell.after(.fill(other, missing: nil))))
      case (.isNumber(let asked, let missing), .number(let other), .cell(let cell))
      where asked == cell:
        result.append(.cell(cell.after(.fill(other, missing: missing))))
      default: throw fault("chooses between numbers of a row by a comparison")
      }
    }
    return result
  }
}
