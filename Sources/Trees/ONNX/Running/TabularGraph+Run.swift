import StrictJSON

extension TabularGraph {
  /// Most numbers that are computed for a row, of all steps together.
  package static let workLimit = 1 << 26
  /// Most axes of a value.
  static let axisLimit = 16
  /// Most elements of a value that a step makes.
  static let elementLimit = 1 << 22

  /// The outputs of a row, in their order.
  ///
  /// All is computed as ONNX Runtime does on one thread: in 32 bits where the file has floats, one addition
  /// after another, in 64 bits where it has doubles. Trees and tables give its bits; products of matrices and
  /// `exp`, `tanh` and the like, of which it has its own, give its numbers but for the last bits.
  ///
  /// - Parameter row: a cell for each input, with as many elements as it takes.
  /// - Throws: `TreeError`, if a cell has other elements, or a step has no answer for them.
  package func run(_ row: [TabularCell]) throws(TreeError) -> [TabularColumn] {
    guard row.count == inputs.count else {
      throw TreeError(
        path: path,
        fault:
          "the row has \(Figures.count(row.count, "input")), the model asks for \(inputs.count)")
    }
    var values = [TabularColumn?](repeating: nil, count: slotCount)
    for (slot, constant) in constants { values[slot] = constant }
    for (input, cell) in zip(inputs, row) { values[input.slot] = try column(cell, input) }
    for step in steps {
      let given = step.inputs.map { slot in slot.flatMap { values[$0] } }
      let runner = StepRunner(path: path, place: step.place)
      for (slot, result) in zip(step.outputs, try runner.run(step.operation, given)) {
        if let slot { values[slot] = result }
      }
    }
    return try outputs.map { output throws(TreeError) in
      guard let value = values[output.slot] else {
        throw TreeError(path: path, fault: "the output '\(output.name)' is written by nothing")
      }
      return value
    }
  }

  private func column(_ cell: TabularCell, _ input: TabularInput) throws(TreeError) -> TabularColumn
  {
    func fault(_ text: String) -> TreeError {
      TreeError(path: path, fault: "the input '\(input.name)' \(text)")
    }
    let elements: TabularColumn.Elements
    switch (cell, input.type) {
    case (.texts(let texts), .string): elements = .texts(texts)
    case (.numbers(let numbers), .float): elements = .floats(numbers.map(Float.init))
    case (.numbers(let numbers), .double): elements = .doubles(numbers)
    case (.numbers(let numbers), .bool): elements = .booleans(numbers.map { $0 != 0 })
    case (.numbers(let numbers), .int64):
      elements = .integers(
        try numbers.map { number throws(TreeError) in
          guard let whole = Int64(exactly: number) else {
            throw fault("takes whole numbers, not \(number)")
          }
          return whole
        })
    case (.numbers(let numbers), .int32):
      elements = .shorts(
        try numbers.map { number throws(TreeError) in
          guard let whole = Int32(exactly: number) else {
            throw fault("takes whole numbers of 32 bits, not \(number)")
          }
          return whole
        })
    case (.texts, _): throw fault("takes numbers, not texts")
    case (.numbers, .string): throw fault("takes texts, not numbers")
    }
    guard elements.count == input.count else {
      throw fault("takes \(Figures.count(input.count, "element")), the row has \(elements.count)")
    }
    return TabularColumn(elements, input.shape)
  }
}
