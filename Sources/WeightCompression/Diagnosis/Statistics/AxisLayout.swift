/// A row-major tensor as [outer, length, inner] around one axis.
struct AxisLayout: Hashable {
  let outer: Int
  /// The axis' own.
  let length: Int
  let inner: Int

  /// Nil where the shape has no such axis.
  init?(_ shape: [Int], axis: Int) {
    guard shape.indices.contains(axis) else { return nil }
    outer = shape[..<axis].reduce(1, *)
    length = shape[axis]
    inner = shape[(axis + 1)...].reduce(1, *)
  }

  /// Values at one place of the axis.
  var valuesPerPlace: Int { outer * inner }
}
