/// Runs one step on values.
struct StepRunner {
  let path: String
  let place: String
  /// Whether the row is one of zeros, whose categories need not be known.
  var isTrial = false

  func fault(_ text: String) -> TreeError { TreeError(path: path, fault: "\(place): \(text)") }

  /// - Parameter inputs: as many as the operator takes, the first is there.
  /// - Returns: one value for each output that the operator can have.
  func run(
    _ operation: TabularOperation, _ inputs: [TabularColumn?]
  ) throws(TreeError) -> [TabularColumn] {
    guard let first = inputs.first, let x = first else { throw fault("has no input") }
    let second = inputs.count > 1 ? inputs[1] : nil
    switch operation {
    case .trees(let trees): return try run(trees, x)
    case .linear(let linear): return try run(linear, x)
    case .scaler(let offset, let scale): return [try scaled(x, offset, scale)]
    case .normalizer(let norm): return [try normalized(x, norm)]
    case .imputer(let imputer): return [try imputed(x, imputer)]
    case .oneHot(let labels, let allowsUnknown): return [try oneHot(x, labels, allowsUnknown)]
    case .labelMap(let map): return [try mapped(x, map)]
    case .pick: return [try picked(x, try needed(second, "second input"))]
    case .vectorizer: return [try vector(inputs)]
    case .nameClasses: return [x]
    case .cast(let type): return [try cast(x, type)]
    case .concat(let axis): return [try concatenated(inputs, axis)]
    case .reshape(let keepsZero):
      return [try reshaped(x, try needed(second, "shape"), keepsZero)]
    case .matrixProduct: return [try product(x, try needed(second, "second input"))]
    case .affine(let affine): return [try run(affine, inputs)]
    case .unary(let unary): return [try run(unary, x)]
    case .binary(let binary): return [try run(binary, x, try needed(second, "second input"))]
    case .fold(let fold): return [try run(fold, inputs)]
    case .choose: return [try chosen(inputs)]
    case .softmax(let axis, let coversRest): return [try softmax(x, axis, coversRest)]
    case .place(let place): return [try self.place(x, place)]
    case .reduce(let reduction): return [try reduced(x, reduction, second)]
    case .clip(let low, let high): return [try clipped(x, low, high, inputs)]
    case .gather(let axis): return [try gathered(x, try needed(second, "second input"), axis)]
    case .slice: return [try sliced(inputs)]
    case .transpose(let order): return [try transposed(x, order)]
    case .squeeze(let axes): return [try squeezed(x, try self.axes(axes, second))]
    case .unsqueeze(let axes):
      return [try unsqueezed(x, try self.axes(axes, second) ?? [])]
    case .flatten(let axis): return [try flattened(x, axis)]
    case .shape: return [TabularColumn(.integers(x.shape.map(Int64.init)), [x.shape.count])]
    case .fill(let value): return [try filled(value, try whole(x))]
    }
  }

  func needed(_ value: TabularColumn?, _ name: String) throws(TreeError) -> TabularColumn {
    guard let value else { throw fault("has no \(name)") }
    return value
  }

  /// Whole numbers of a value: axes, lengths, places.
  func whole(_ value: TabularColumn) throws(TreeError) -> [Int] {
    guard let numbers = value.elements.wholeNumbers else {
      throw fault("is given \(value.type) where whole numbers are expected")
    }
    return numbers
  }

  /// Axes of an operator, or else those of its second input, which may be left out.
  func axes(_ axes: [Int]?, _ given: TabularColumn?) throws(TreeError) -> [Int]? {
    if let axes { return axes }
    guard let given else { return nil }
    return try whole(given)
  }

  /// An axis, of which negative ones count from the end.
  func axis(_ axis: Int, of count: Int) throws(TreeError) -> Int {
    guard axis >= -count, axis < count else {
      throw fault("has the axis \(axis), there are \(count)")
    }
    return axis < 0 ? axis + count : axis
  }

  /// How many elements a shape has; a value may not be larger than any file needs.
  func count(of shape: [Int]) throws(TreeError) -> Int {
    guard shape.count <= TabularGraph.axisLimit else {
      throw fault("makes a value of \(shape.count) axes, at most \(TabularGraph.axisLimit)")
    }
    var count = 1
    for length in shape {
      let (product, overflows) = count.multipliedReportingOverflow(by: length)
      guard length >= 0, !overflows, product <= TabularGraph.elementLimit else {
        throw fault(
          "makes a value of the shape \(shape), at most \(TabularGraph.elementLimit) elements")
      }
      count = product
    }
    return count
  }

  /// The shape that several become when axes of length 1 are repeated.
  func common(_ shapes: [[Int]]) throws(TreeError) -> [Int] {
    let rank = shapes.map(\.count).max() ?? 0
    var result = [Int](repeating: 1, count: rank)
    for shape in shapes {
      for (axis, length) in shape.enumerated() {
        let target = rank - shape.count + axis
        guard length == result[target] || length == 1 || result[target] == 1 else {
          throw fault("the shapes \(shapes) do not go together")
        }
        if length != 1 { result[target] = length }
      }
    }
    _ = try count(of: result)
    return result
  }

  /// Of each element of a shape the place of the one it comes from, in a value that is repeated to it.
  func places(_ shape: [Int], in target: [Int]) -> [Int] {
    let total = target.reduce(1, *)
    guard shape != target else { return Array(0..<total) }
    var places = [Int](repeating: 0, count: total)
    var stride = 1
    var inner = 1
    for axis in target.indices.reversed() {
      let source = axis - (target.count - shape.count)
      let length = source >= 0 ? shape[source] : 1
      if length != 1 {
        for place in 0..<total { places[place] += place / inner % target[axis] * stride }
      }
      stride *= length
      inner *= target[axis]
    }
    return places
  }

  /// A value repeated to a shape.
  func repeated(_ value: TabularColumn, to shape: [Int]) -> TabularColumn {
    guard value.shape != shape else { return value }
    return TabularColumn(value.elements.picked(places(value.shape, in: shape)), shape)
  }
}
