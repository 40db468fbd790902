import Graph

/// Operations on integers that are known before anything runs: shapes, and what is made of them.
enum KnownIntegers {
  /// Most that are joined: lists that join themselves again and again would have no end.
  private static let maximum = 1 << 16

  /// Computes an operation whose inputs are all known.
  ///
  /// - Returns: nil when they are not, or the operation is none of these.
  static func compute(_ source: OperationReader) throws -> ReadValue? {
    switch source.type {
    case "shape":
      guard case .computed(_, let type) = try source.binding("x") else { return nil }
      return .integers(type.shape.map { Int32(truncatingIfNeeded: $0) }, shape: [type.shape.count])
    case "concat": return try concat(source)
    case "gather": return try gather(source)
    case "slice_by_index": return try slice(source)
    case "cast", "squeeze", "expand_dims", "identity": return try reshaped(source)
    case "add", "sub", "mul", "real_div", "maximum": return try arithmetic(source)
    case "equal", "greater_equal", "less": return try comparison(source)
    case "select": return try select(source)
    default: return nil
    }
  }

  private static func known(
    _ source: OperationReader, _ parameter: String
  ) throws -> (values: [Int32], shape: [Int])? {
    guard case .integers(let values, let shape) = try source.binding(parameter) else { return nil }
    return (values, shape)
  }

  private static func concat(_ source: OperationReader) throws -> ReadValue? {
    var all: [Int32] = []
    for part in try source.list("values") {
      guard case .integers(let values, let shape) = part, shape.count <= 1 else { return nil }
      all += values
      guard all.count <= maximum else {
        throw source.fault("joins \(all.count) integers, at most \(maximum) are read")
      }
    }
    return .integers(all, shape: [all.count])
  }

  private static func gather(_ source: OperationReader) throws -> ReadValue? {
    guard let x = try known(source, "x"), x.shape.count == 1,
      let indices = try known(source, "indices")
    else { return nil }
    let values = try indices.values.map { index in
      let place = index < 0 ? Int(index) + x.values.count : Int(index)
      guard x.values.indices.contains(place) else {
        throw source.fault("takes place \(index) of \(x.values.count)")
      }
      return x.values[place]
    }
    return .integers(values, shape: indices.shape)
  }

  private static func slice(_ source: OperationReader) throws -> ReadValue? {
    guard let x = try known(source, "x"), x.shape.count == 1 else { return nil }
    let range = try SliceRange(source, shape: x.shape)
    guard range.begin[0] >= 0, range.begin[0] <= range.end[0], range.end[0] <= x.values.count else {
      throw source.fault("takes \(range.begin[0])..<\(range.end[0]) of \(x.values.count)")
    }
    let values = Array(x.values[range.begin[0]..<range.end[0]])
    return .integers(values, shape: range.squeezed.isEmpty ? [values.count] : [])
  }

  // Scalars and lists only: what stays as it is, as the other.
  private static func reshaped(_ source: OperationReader) throws -> ReadValue? {
    guard let x = try known(source, "x"), x.shape.count <= 1 else { return nil }
    switch source.type {
    case "squeeze": return x.values.count == 1 ? .integers(x.values, shape: []) : nil
    case "expand_dims": return x.shape.isEmpty ? .integers(x.values, shape: [1]) : nil
    case "cast":
      let word = try source.string("dtype")
      return word.contains("int") ? .integers(x.values, shape: x.shape) : nil
    default: return .integers(x.values, shape: x.shape)
    }
  }

  // Scalars and lists only: a column and a row make a table, which is computed when the model runs.
  private static func pairs(
    _ source: OperationReader, _ first: String, _ second: String
  ) throws -> (x: [Int32], y: [Int32], shape: [Int])? {
    guard let x = try known(source, first), let y = try known(source, second),
      x.shape.count <= 1, y.shape.count <= 1
    else { return nil }
    let count = max(x.values.count, y.values.count)
    guard x.values.count == count || x.values.count == 1,
      y.values.count == count || y.values.count == 1, count > 0
    else { return nil }
    func spread(_ values: [Int32]) -> [Int32] {
      values.count == count ? values : Array(repeating: values[0], count: count)
    }
    let hasShapeOfX = x.values.count == count && (y.values.count < count || !x.shape.isEmpty)
    return (spread(x.values), spread(y.values), hasShapeOfX ? x.shape : y.shape)
  }

  private static func arithmetic(_ source: OperationReader) throws -> ReadValue? {
    guard let (x, y, shape) = try pairs(source, "x", "y") else { return nil }
    let values = try zip(x, y).map { x, y in
      switch source.type {
      case "add": return x &+ y
      case "sub": return x &- y
      case "mul": return x &* y
      case "maximum": return max(x, y)
      default:
        guard y != 0 else { throw source.fault("divides \(x) by zero") }
        return x.dividedReportingOverflow(by: y).partialValue
      }
    }
    return .integers(values, shape: shape)
  }

  private static func comparison(_ source: OperationReader) throws -> ReadValue? {
    guard let (x, y, shape) = try pairs(source, "x", "y") else { return nil }
    let values = zip(x, y).map { x, y in
      switch source.type {
      case "equal": x == y
      case "less": x < y
      default: x >= y
      }
    }
    return .truths(values, shape: shape)
  }

  private static func select(_ source: OperationReader) throws -> ReadValue? {
    guard case .truths(let conditions, _) = try source.binding("cond"),
      let (a, b, shape) = try pairs(source, "a", "b")
    else { return nil }
    guard conditions.count == a.count || conditions.count == 1 else { return nil }
    let values = a.indices.map { index in
      conditions[conditions.count == 1 ? 0 : index] ? a[index] : b[index]
    }
    return .integers(values, shape: shape)
  }
}
