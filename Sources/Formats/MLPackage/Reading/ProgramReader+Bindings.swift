import Graph
import Weights

// Reads the inputs of operations.
extension ProgramReader {
  /// The values bound to the inputs of an operation, by their names.
  mutating func bindings(of operation: MILOperation) throws -> [String: [ReadValue]] {
    var bindings: [String: [ReadValue]] = [:]
    for (parameter, argument) in operation.inputs.sorted(by: { $0.key < $1.key }) {
      bindings[parameter] = try argument.arguments.map { binding in
        switch binding.binding {
        case .name(let name):
          guard let value = values[name] else {
            throw fault(operation, "'\(parameter)' names '\(name)', which is not there yet")
          }
          note(value, called: name, in: operation, parameter)
          return value
        case .value(let value):
          do {
            let value = try constants.read(value)
            note(value, called: parameter, in: operation, parameter)
            return value
          } catch let error as ShapeFault {
            throw fault(operation, "'\(parameter)': \(error.reason)")
          }
        case nil: throw fault(operation, "'\(parameter)' is bound to nothing")
        }
      }
    }
    return bindings
  }

  private mutating func note(
    _ value: ReadValue, called name: String, in operation: MILOperation, _ parameter: String
  ) {
    guard case .scalar(let number) = value, !number.isFinite else { return }
    // As a bound, infinity means that there is none.
    guard operation.type != "clip" || number.isNaN || (number < 0) != (parameter == "alpha") else {
      return
    }
    let value = operation.outputs.first?.name ?? ""
    oddNumbers[ConstantPlace(value: value, parameter: parameter, number: number)] = name
  }
}
