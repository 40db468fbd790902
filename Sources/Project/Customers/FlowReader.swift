import Packaging
import StrictJSON

/// Reads the custom models of one customer.
enum FlowReader {
  /// The sound flows of a customer, and whether none is missing among them.
  static func read(_ customer: ContractObject) -> (flows: [Flow], hasAll: Bool) {
    guard customer.has("customModels") else { return ([], true) }
    guard let nodes = customer.array("customModels") else { return ([], false) }
    let context = customer.context
    var flows: [Flow] = []
    var placeOfName: [String: Place] = [:]
    var placeOfID: [Int: Place] = [:]
    for node in nodes.elements {
      guard let flow = flow(node, context) else { continue }
      if let first = placeOfName[flow.name] {
        context.fault(
          .duplicateFlow, node.position,
          "flow '\(flow.name)' appears twice for this app, first at \(first.line):\(first.column)",
          hint: "an app gets one version of a flow; remove one of the two")
      } else if let first = placeOfID[flow.id] {
        context.fault(
          .duplicateFlow, node.position,
          "flowId \(flow.id) appears twice for this app, first at \(first.line):\(first.column)",
          hint: "each flow has an id of its own")
      } else {
        placeOfName[flow.name] = flow.place
        placeOfID[flow.id] = flow.place
        flows.append(flow)
      }
    }
    return (flows, flows.count == nodes.elements.count)
  }

  private static func flow(_ node: JSONNode, _ context: ContractObject.Context) -> Flow? {
    let known = ["flowId", "flowName", "modelVersion"]
    guard let entry = ContractObject(node, name: "a custom model", known: known, context) else {
      return nil
    }
    let id = integer("flowId", of: entry, from: 0)
    let version = integer("modelVersion", of: entry, from: 1)
    guard let (name, position) = entry.string("flowName") else { return nil }
    guard Identifiers.isFlowName(name) else {
      context.fault(
        .badFlow, position,
        "'flowName' is '\(name.prefix(70).asciiEscaped)', expected 1 to 64 of a-z 0-9 _",
        hint: Correction.flowName(name))
      return nil
    }
    guard Identifiers.isPortable(name) else {
      context.fault(
        .badFlow, position,
        "'flowName' is '\(name)', the name of a device, which cannot be unpacked on Windows",
        hint: "rename the flow, and its folder too")
      return nil
    }
    guard let id, let version else { return nil }
    return Flow(
      id: id, name: name, modelVersion: version, place: context.place(node.position))
  }

  private static func integer(
    _ key: String, of entry: ContractObject, from minimum: Int
  ) -> Int? {
    guard let node = entry.required(key) else { return nil }
    guard let value = node.integer, value >= minimum else {
      entry.context.fault(
        .badFlow, node.position,
        "'\(key)' is \(node.string == nil ? node.kind : node.form), "
          + "expected a whole number from \(minimum)")
      return nil
    }
    return value
  }
}
