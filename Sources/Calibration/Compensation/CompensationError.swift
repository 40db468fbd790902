/// Why a layer cannot be compressed with what is known of its inputs; the caller adds which layer.
package enum CompensationError: Error, Equatable, CustomStringConvertible {
  /// What a number that is not finite belongs to.
  package enum Part: String, Hashable, Sendable {
    case inputs, outputs, weights
  }

  /// A number is NaN or infinite.
  case notFinite(Part, row: Int, column: Int)
  /// A row's weight is NaN, infinite or negative.
  case rowWeight(row: Int)
  /// Numbers are finite, their products are not.
  case overflow
  /// More or fewer numbers than a shape needs.
  case count(Part, found: Int, needed: Int)
  /// A matrix of moments that cannot be factored, whatever is added to its diagonal.
  case notFactored
  case matrixProduct(status: Int32)

  package var description: String {
    switch self {
    case .notFinite(let part, let row, let column):
      "\(part.rawValue): the number in row \(row), column \(column) is not finite"
    case .rowWeight(let row): "the weight of row \(row) is no finite number from 0 on"
    case .overflow: "inputs or outputs are so large that their squares overflow"
    case .count(let part, let found, let needed):
      "\(part.rawValue): \(found) numbers, the shape needs \(needed)"
    case .notFactored: "the second moments of the inputs cannot be factored"
    case .matrixProduct(let status): "a matrix product failed with status \(status) of oneDNN"
    }
  }
}
