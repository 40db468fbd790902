import Graph
import WeightCompression

/// A stored tensor seen as a matrix [outputs, inputs]: outputs along its channel axis, inputs all
/// others in their order.
struct MatrixLayout: Sendable {
  let outputs: Int
  let inputs: Int
  /// Elements that lie side by side along the axes after the channels'.
  private let inner: Int
  /// Whether it is [outputs, inputs] as it stands.
  private let isPlain: Bool
  /// Whether blocks are numbered by inputs first.
  let isTransposed: Bool
  /// Whether blocks of the tensor are blocks of the matrix.
  let isKnown: Bool

  init(_ reference: WeightReference) {
    let axis = reference.role.channelAxis
    outputs = reference.channels
    inputs = outputs > 0 ? reference.elementCount / outputs : 0
    inner = reference.shape.dropFirst(axis + 1).reduce(1, *)
    isPlain = axis == 0
    isTransposed = axis == 1 && reference.shape.count == 2
    isKnown = isTransposed || axis == 0 && reference.shape.count >= 2
  }

  /// The matrix of a stored tensor's values.
  func matrix(_ values: [Float]) -> Plane {
    if isPlain { return Plane(rows: outputs, columns: inputs, values) }
    let plane = Plane(rows: outputs, columns: inputs)
    for i in 0..<outputs {
      let row = plane.row(i)
      for j in 0..<inputs { row[j] = values[place(i, j)] }
    }
    return plane
  }

  /// Where an element of the matrix is stored.
  @inline(__always)
  func place(_ output: Int, _ input: Int) -> Int {
    if isPlain { return output * inputs + input }
    return (input / inner * outputs + output) * inner + input % inner
  }
}
