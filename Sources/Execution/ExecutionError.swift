package import Files
package import Graph
import StrictJSON
package import Weights

/// Why a graph could not be run.
package enum ExecutionError: Error, Equatable, CustomStringConvertible {
  /// The place of a fault in a graph: an operation's MIL name and the value it makes.
  package struct Place: Equatable, Sendable, CustomStringConvertible {
    package let operation: String
    package let value: String

    package var description: String { "\(operation) '\(value)'" }
  }

  case unknownOperation(Place)
  case missingWeight(Place, weight: TensorName)
  case weightShape(Place, weight: TensorName, stored: [Int], needed: [Int])
  case weightCount(Place, weight: TensorName, count: Int, shape: [Int])
  case indexOutOfRange(Place, index: Int32, position: Int, rows: Int)
  case divisionByZero(Place, position: Int)
  case matrixProduct(Place, status: Int32)
  case irreversible(Place, parameter: String)
  /// A gradient through an operation that has none.
  case noGradient(Place)
  case missingInput(String, ValueType)
  case unknownInput(String)
  case inputKind(String, given: String, ValueType)
  case inputCount(String, count: Int, ValueType)
  /// Not enough memory for the values of a run.
  case noMemory(FileError)

  package var description: String {
    switch self {
    case .unknownOperation(let place):
      "operation '\(place.operation)' ('\(place.value)') cannot be run"
    case .missingWeight(let place, let weight):
      "\(place): weight '\(weight)' is missing"
    case .weightShape(let place, let weight, let stored, let needed):
      "\(place): weight '\(weight)' has shape \(stored), the graph needs \(needed)"
    case .weightCount(let place, let weight, let count, let shape):
      "\(place): weight '\(weight)' gave \(Figures.count(count, "value")), its shape \(shape) has "
        + "\(shape.reduce(1, *))"
    case .indexOutOfRange(let place, let index, let position, let rows):
      "\(place): index \(index) at position \(position) is outside 0..<\(rows)"
    case .divisionByZero(let place, let position):
      "\(place): division of an integer by zero at position \(position)"
    case .matrixProduct(let place, let status):
      "\(place): the matrix product failed with status \(status)"
    case .irreversible(let place, let parameter):
      "\(place): gradients of '\(parameter)' are not known, it has to be a weight"
    case .noGradient(let place):
      "operation '\(place.operation)' ('\(place.value)') has no gradients, which a search goes by; "
        + "choose a scheme yourself and compress with that"
    case .missingInput(let name, let type):
      "input '\(name)' (\(type)) is missing"
    case .unknownInput(let name):
      "'\(name)' is not an input of the graph"
    case .inputKind(let name, let given, let type):
      "input '\(name)' is \(given), the graph takes \(type)"
    case .inputCount(let name, let count, let type):
      "input '\(name)' has \(Figures.count(count, "value")), \(type) has \(type.elementCount)"
    case .noMemory(let error): error.description
    }
  }
}
