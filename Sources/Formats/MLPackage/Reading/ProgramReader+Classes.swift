import Graph

// Reads a program's output: a value, or the classes of a classifier.
extension ProgramReader {
  /// Reads `classify`, and gives its labels.
  mutating func classify(
    _ source: OperationReader, _ operation: MILOperation
  ) throws -> ClassLabels {
    let labels = try self.labels(source)
    guard operation.outputs.count == 2 else { throw source.fault("makes other than two values") }
    guard block.outputs == operation.outputs.map(\.name) else {
      throw source.fault(
        "makes \(operation.outputs.map(\.name)), the program puts out \(block.outputs)")
    }
    let count: Int
    if case .twoClasses(let second) = try source.binding("probabilities") {
      classified = .value(second)
      count = 2
    } else {
      let probabilities = try source.operand("probabilities")
      classified = probabilities
      count = source.type(of: probabilities).elementCount
    }
    guard count == labels.count else {
      throw source.fault("has \(labels.count) classes and \(count) probabilities")
    }
    return labels
  }

  private func labels(_ source: OperationReader) throws -> ClassLabels {
    switch try source.binding("classes") {
    case .texts(let labels): .texts(labels)
    case .wholes(let labels): .integers(labels)
    default: throw source.fault("has classes that are neither texts nor integers of 64 bits")
    }
  }

  /// 1 − p beside p, or −s beside s: two classes with only the second computed by the model.
  func twoClasses(_ source: OperationReader) throws -> ReadValue? {
    guard source.type == "concat", source.value == classifiedName,
      case let parts = try source.list("values"), parts.count == 2,
      case .computed(let first, _) = parts[0], case .computed(let second, let type) = parts[1],
      complements[first] == second, type.elementCount == 1
    else { return nil }
    return .twoClasses(second)
  }

  /// The name that `classify` gives to probabilities; nil if the program does not end with it.
  private var classifiedName: String? {
    guard let last = block.operations.last, last.type == "classify",
      case .name(let name)? = last.inputs["probabilities"]?.arguments.first?.binding
    else { return nil }
    return name
  }

  /// The program's output; of a classifier the input of `classify`.
  func output(isClassifier: Bool) throws -> Operand {
    if isClassifier, let classified { return classified }
    guard block.outputs.count == 1, let value = values[block.outputs[0]] else {
      throw GraphError(
        value: block.outputs.joined(separator: ", "), operation: "program",
        reason: "has \(block.outputs.count) outputs, expected one that is computed")
    }
    guard case .computed(let name, _) = value else {
      throw GraphError(
        value: block.outputs[0], operation: "program", reason: "puts out a constant")
    }
    return .value(name)
  }
}
