import Trees
import Weights

/// Steps that look at several columns of a row.
extension TableGraph {
  mutating func columns(_ step: TableStep, _ x: Operand) throws(GraphError) -> Operand {
    let (name, count) = (step.name, width(x))
    guard let first = step.places.first else { throw fault(step, "has no places") }
    if let place = step.places.first(where: { $0 >= count }) {
      throw fault(step, "asks for column \(place), there are \(count)")
    }
    if step.places == Array(first..<first + step.places.count) {
      return try graph.append(
        name, SliceByIndex(x, begin: [0, first], end: [batch, first + step.places.count]))
    }
    let turned = try graph.append("\(name).turned", Transpose(x, permutation: [1, 0]))
    let places = Literal.integers(step.places.map { Int32($0) }, shape: [step.places.count])
    let picked = try graph.append("\(name).picked", Gather(turned, indices: .literal(places)))
    return try graph.append(name, Transpose(picked, permutation: [1, 0]))
  }

  mutating func join(_ step: TableStep, _ inputs: [Operand]) throws(GraphError) -> Operand {
    for input in inputs { try requireColumn(step, [input]) }
    return try graph.append(step.name, Concat(inputs, axis: 1))
  }

  mutating func trees(_ placed: PlacedStep, _ x: Operand) throws(GraphError) -> Operand {
    guard var header = placed.header else { throw fault(placed.step, "has no trees") }
    header.featureCount = width(x)
    let arrays = TreeArrays.allCases.map {
      TreeSum.reference($0, header, of: placed.step.name)
    }
    return try graph.append(placed.step.name, TreeSum(x, header, arrays: arrays))
  }

  /// exp(x) as σ(x) ÷ σ(−x), which has its digits.
  mutating func exponential(_ name: String, _ x: Operand) throws(GraphError) -> Operand {
    let negative = try graph.append(
      "\(name).negative", ElementwiseBinary(.mul, x, .literal(.float(-1))))
    let above = try graph.append("\(name).above", ElementwiseUnary(.sigmoid, x))
    let below = try graph.append("\(name).below", ElementwiseUnary(.sigmoid, negative))
    return try graph.append(name, ElementwiseBinary(.realDivision, above, below))
  }

  /// [rows, groups, columns of a group]
  mutating func groups(_ step: TableStep, _ x: Operand) throws(GraphError) -> Operand {
    try requireColumn(step, [x])
    let count = width(x)
    let group = step.group ?? count
    guard group > 0, count % group == 0 else {
      throw fault(step, "has groups of \(group) of \(count) columns")
    }
    return try graph.append(
      "\(step.name).groups", Reshape(x, shape: [batch, count / group, group]))
  }

  mutating func reduce(
    _ kind: Reduce.Kind, _ step: TableStep, _ x: Operand
  ) throws(GraphError) -> Operand {
    let groups = try groups(step, x)
    return try graph.append(step.name, Reduce(kind, groups, axis: 2, keepsAxis: false))
  }

  /// How many columns of a group stand before the first that is its largest.
  mutating func place(_ step: TableStep, _ x: Operand) throws(GraphError) -> Operand {
    let (name, groups) = (step.name, try groups(step, x))
    let largest = try graph.append(
      "\(name).largest", Reduce(.max, groups, axis: 2, keepsAxis: true))
    let isLargest = try graph.append("\(name).hits", Comparison(.equal, groups, largest))
    let hits = try graph.append("\(name).numbers", Cast(isLargest, to: .float32))
    let sofar = try graph.append("\(name).sofar", CumulativeSum(hits, axis: 2))
    let isBefore = try graph.append(
      "\(name).before", Comparison(.equal, sofar, .literal(.float(0))))
    let before = try graph.append("\(name).ones", Cast(isBefore, to: .float32))
    return try graph.append(name, Reduce(.sum, before, axis: 2, keepsAxis: false))
  }

  /// Each row over its length, as ONNX Runtime computes it: the root of x² ÷ sum, which is 0 where x² is. Trees ask on
  /// which side of 0 it is. A row of zeros stays as it is.
  mutating func divided(byLength x: Operand, _ name: String) throws(GraphError) -> Operand {
    let squares = try graph.append("\(name).squares", ElementwiseBinary(.mul, x, x))
    let sum = try graph.append("\(name).sum", Reduce(.sum, squares, axis: 1, keepsAxis: true))
    let isNone = try graph.append(
      "\(name).none", Comparison(.equal, sum, .literal(.float(0))))
    let size = try graph.append("\(name).size", Select(isNone, .literal(.float(1)), else: sum))
    let parts = try graph.append("\(name).parts", ElementwiseBinary(.realDivision, squares, size))
    let roots = try graph.append("\(name).roots", ElementwiseUnary(.sqrt, parts))
    let turned = try graph.append(
      "\(name).turned", ElementwiseBinary(.mul, roots, .literal(.float(-1))))
    let isBelow = try graph.append("\(name).below", Comparison(.less, x, .literal(.float(0))))
    return try graph.append(name, Select(isBelow, turned, else: roots))
  }
}
