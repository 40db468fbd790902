import StrictJSON
package import Trees

/// `model.json` of a model of tables: its features, its steps, and what it returns.
package enum TableDescription {
  private static let keys = ["architecture", "library", "inputs", "steps", "returns", "output"]

  /// The text of `model.json`.
  package static func text(_ program: TableProgram) -> String { json(program).pretty }

  /// The content of `model.json`.
  static func json(_ program: TableProgram) -> JSONValue {
    .object([
      "architecture": .string(TableModel.name), "library": .string(program.library),
      "inputs": .array(program.inputs.map(\.json)), "steps": .array(program.steps.map(value)),
      "returns": .string(program.returned),
      "output": program.task.json(
        name: program.outputName, width: 2, givesProbabilities: program.givesProbabilities),
    ])
  }

  private static func value(of step: TableStep) -> JSONValue {
    var members: [String: JSONValue] = [
      "name": .string(step.name), "kind": .string(step.kind.rawValue),
      "inputs": .array(
        step.inputs.map { input in
          switch input {
          case .value(let name): .string(name)
          case .array(let name): ["array": .string(name)]
          }
        }),
    ]
    if step.kind == .columns { members["places"] = .array(step.places.map(JSONValue.integer)) }
    members["node"] = step.node.map(JSONValue.string)
    if let group = step.group { members["group"] = .integer(group) }
    if let sums = step.sums {
      members["outputs"] = .integer(sums.count)
      members["divisor"] = .double(sums.divisor)
      members["sums"] = .string(sums.addsFloats ? "float32" : "float64")
    }
    return .object(members)
  }

  /// Reads all but the output, whose width the steps say.
  static func read(
    _ model: JSONObject
  ) throws(JSONError) -> (inputs: [TreeFeature], steps: [TableStep], returned: String) {
    try model.allowOnly(keys)
    let inputs = try ArrayTrees.features(model)
    let nodes = try model.array("steps")
    var known: Set<String> = []
    var steps: [TableStep] = []
    for (number, node) in nodes.enumerated() {
      guard let object = node.object else {
        throw model.error(
          "step \(number) is \(node.kind), expected an object", at: node.position)
      }
      let step = try self.step(object, known)
      guard number < TableProgram.stepLimit else {
        throw object.error(
          "step '\(step.name)' is one of \(nodes.count), at most \(TableProgram.stepLimit) are read",
          at: node.position)
      }
      known.insert(step.name)
      steps.append(step)
    }
    let returned = try model.string("returns")
    guard known.contains(returned) else {
      throw model.error(
        "'returns' is \(quoted(returned)), which no step makes",
        at: try model.required("returns").position)
    }
    return (inputs, steps, returned)
  }

  private static func step(
    _ object: JSONObject, _ known: Set<String>
  ) throws(JSONError) -> TableStep {
    try object.allowOnly([
      "name", "kind", "inputs", "places", "group", "outputs", "divisor", "sums", "node",
    ])
    let name = try object.string("name")
    guard Identifier.isValid(name), name != TableProgram.features, !known.contains(name) else {
      throw object.error(
        "the step \(quoted(name)) needs a unique name of letters, digits and '_'",
        at: try object.required("name").position)
    }
    let word = try object.string("kind")
    guard let kind = TableStep.Kind(rawValue: word) else {
      throw object.error(
        "step '\(name)' is of the kind \(quoted(word)), expected one of "
          + TableStep.Kind.allCases.map(\.rawValue).joined(separator: ", "),
        at: try object.required("kind").position)
    }
    let inputs = try self.inputs(of: object, name, known)
    guard kind.inputCounts.contains(inputs.count) else {
      throw object.error(
        "step '\(name)' has \(inputs.count) inputs, '\(word)' takes \(kind.inputCounts.lowerBound)"
          + (kind.inputCounts.count == 1 ? "" : " to \(kind.inputCounts.upperBound)"),
        at: try object.required("inputs").position)
    }
    return TableStep(
      name, kind, inputs, places: try places(of: object, kind, name),
      group: try group(of: object, kind, name), sums: try sums(of: object, kind, name),
      node: object.has("node") ? try object.string("node") : nil)
  }

  private static func inputs(
    of object: JSONObject, _ name: String, _ known: Set<String>
  ) throws(JSONError) -> [TableStep.Operand] {
    var inputs: [TableStep.Operand] = []
    for node in try object.array("inputs") {
      if let value = node.string {
        guard known.contains(value) || value == TableProgram.features else {
          throw object.error(
            "step '\(name)' reads \(quoted(value)), which no earlier step makes",
            at: node.position)
        }
        inputs.append(.value(value))
      } else if let array = node.object {
        try array.allowOnly(["array"])
        inputs.append(.array(try array.string("array")))
      } else {
        throw object.error(
          "step '\(name)' has an input that is \(node.kind), expected the name of a step, or an array",
          at: node.position)
      }
    }
    return inputs
  }

  private static func places(
    of object: JSONObject, _ kind: TableStep.Kind, _ name: String
  ) throws(JSONError) -> [Int] {
    guard kind == .columns || object.has("places") else { return [] }
    var places: [Int] = []
    for node in try object.array("places") {
      guard kind == .columns, let place = node.integer, place >= 0 else {
        throw object.error(
          "step '\(name)' has the place \(node.kind); only 'columns' has places, whole numbers from 0",
          at: node.position)
      }
      places.append(place)
    }
    return places
  }

  private static func group(
    of object: JSONObject, _ kind: TableStep.Kind, _ name: String
  ) throws(JSONError) -> Int? {
    guard object.has("group") else { return nil }
    let node = try object.required("group")
    guard kind.hasGroups, let group = node.integer, group > 0 else {
      throw object.error(
        "step '\(name)' of the kind '\(kind.rawValue)' has a group that is not a number of columns",
        at: node.position)
    }
    return group
  }

  private static func sums(
    of object: JSONObject, _ kind: TableStep.Kind, _ name: String
  ) throws(JSONError) -> TableStep.Sums? {
    guard kind == .trees else {
      if let key = ["outputs", "divisor", "sums"].first(where: object.has) {
        throw object.error(
          "step '\(name)' has '\(key)', which is for 'trees'", at: try object.required(key).position
        )
      }
      return nil
    }
    let count = try object.integer("outputs", in: 1...TreeEnsembleBuilder.outputLimit)
    let divisor = try object.double("divisor")
    let word = try object.string("sums")
    guard divisor > 0, divisor.isFinite, ["float32", "float64"].contains(word) else {
      throw object.error(
        "step '\(name)' divides its sums of \(quoted(word)) by \(divisor)", at: object.position)
    }
    return TableStep.Sums(count: count, divisor: divisor, addsFloats: word == "float32")
  }
}
