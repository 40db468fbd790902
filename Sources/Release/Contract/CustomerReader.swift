import Files
import Packaging
import StrictJSON

/// Reads a customer list, noting every fault at once. Keys that Ingot does not know are the
/// exporting system's business and are passed over.
struct CustomerReader {
  private let file: String
  private let log: ContractSection.Log
  private var placeOfApp: [String: Place] = [:]

  /// Reads a list.
  ///
  /// - Returns: what is sound of it; nil when the file is no list at all.
  static func read(_ file: String, log: ContractSection.Log) -> CustomerList? {
    do {
      let bytes = try MappedFile.contents(of: file, limit: CustomerList.sizeLimit)
      let root = try JSONParser.parse(bytes, origin: file)
      var reader = CustomerReader(file: file, log: log)
      return reader.read(root)
    } catch let error as JSONError {
      log.faults.add(error)
    } catch let error as FileError {
      log.faults.add(unreadable: file, error)
    } catch {
      log.faults.add(Place(file: file, line: 1, column: 1), "\(error)")
    }
    return nil
  }

  private init(file: String, log: ContractSection.Log) {
    self.file = file
    self.log = log
  }

  private mutating func read(_ root: JSONNode) -> CustomerList? {
    guard let nodes = root.array else {
      fault(root.position, "is \(root.kind), expected an array of customers")
      return nil
    }
    if nodes.isEmpty { fault(root.position, "the list of customers is empty") }
    return CustomerList(customers: nodes.compactMap { customer($0) })
  }

  private mutating func customer(_ node: JSONNode) -> Customer? {
    guard let object = node.object else {
      fault(node.position, "a customer is \(node.kind), expected an object")
      return nil
    }
    let id = appID(object)
    let bundles = bundleIdentifiers(object)
    let flows = self.flows(object)
    guard let id, let bundles, let app = try? AppTerms(id: id, bundleIdentifiers: bundles) else {
      return nil
    }
    return Customer(app: app, place: place(node.position), flows: flows)
  }

  private mutating func appID(_ object: JSONObject) -> String? {
    guard let (text, position) = string("app_id", of: object) else { return nil }
    guard Identifiers.isAppID(text) else {
      let lower = text.lowercased()
      fault(
        position, "'app_id' is '\(text.prefix(60).asciiEscaped)', expected a UUID in lower case",
        hint: Identifiers.isAppID(lower) ? "write it as \(lower)" : nil)
      return nil
    }
    if let first = placeOfApp.updateValue(place(position), forKey: text) {
      placeOfApp[text] = first
      fault(position, "app_id '\(text)' stands twice, first at \(first.line):\(first.column)")
      return nil
    }
    return text
  }

  private func bundleIdentifiers(_ object: JSONObject) -> [String]? {
    guard let nodes = array("bundle_identifiers", of: object) else { return nil }
    guard !nodes.elements.isEmpty else {
      fault(nodes.position, "'bundle_identifiers' is empty")
      return nil
    }
    var bundles: [String] = []
    for node in nodes.elements {
      guard let text = node.string, Identifiers.isBundleIdentifier(text) else {
        fault(
          node.position,
          "a bundle identifier is \(node.kind.asciiEscaped), expected a name such as com.example.app"
        )
        continue
      }
      if bundles.contains(text) {
        fault(node.position, "bundle identifier '\(text)' stands twice")
      } else {
        bundles.append(text)
      }
    }
    return bundles
  }

  private func flows(_ object: JSONObject) -> [Flow] {
    guard object.has("customModels"), let nodes = array("customModels", of: object) else {
      return []
    }
    var flows: [Flow] = []
    for node in nodes.elements {
      guard let flow = flow(node) else { continue }
      if flows.contains(where: { $0.name == flow.name }) {
        fault(node.position, "flow '\(flow.name)' stands twice for this app")
      } else if flows.contains(where: { $0.id == flow.id }) {
        fault(node.position, "flowId \(flow.id) stands twice for this app")
      } else {
        flows.append(flow)
      }
    }
    return flows
  }

  private func flow(_ node: JSONNode) -> Flow? {
    guard let object = node.object else {
      fault(node.position, "a custom model is \(node.kind.asciiEscaped), expected an object")
      return nil
    }
    let id = integer("flowId", of: object, from: 0)
    let version = integer("modelVersion", of: object, from: 1)
    guard let (name, position) = string("flowName", of: object) else { return nil }
    guard Identifiers.isFlowName(name) else {
      fault(
        position,
        "'flowName' is '\(name.prefix(70).asciiEscaped)', expected 1 to 64 of a-z 0-9 _")
      return nil
    }
    guard let id, let version else { return nil }
    return Flow(id: id, name: name, modelVersion: version, place: place(node.position))
  }

  private func integer(_ key: String, of object: JSONObject, from least: Int) -> Int? {
    guard let node = required(key, of: object) else { return nil }
    guard let value = node.integer, value >= least else {
      fault(
        node.position,
        "'\(key)' is \(node.kind.asciiEscaped), expected a whole number from \(least)")
      return nil
    }
    return value
  }

  private func string(_ key: String, of object: JSONObject) -> (String, JSONPosition)? {
    guard let node = required(key, of: object) else { return nil }
    guard let text = node.string else {
      fault(node.position, "'\(key)' is \(node.kind), expected a string")
      return nil
    }
    return (text, node.position)
  }

  private func array(
    _ key: String, of object: JSONObject
  ) -> (elements: [JSONNode], position: JSONPosition)? {
    guard let node = required(key, of: object) else { return nil }
    guard let elements = node.array else {
      fault(node.position, "'\(key)' is \(node.kind.asciiEscaped), expected an array")
      return nil
    }
    return (elements, node.position)
  }

  private func required(_ key: String, of object: JSONObject) -> JSONNode? {
    guard let node = object[key] else {
      fault(object.position, "the key '\(key)' is missing")
      return nil
    }
    return node
  }

  private func fault(_ position: JSONPosition, _ message: String, hint: String? = nil) {
    log.faults.add(place(position), message, hint: hint)
  }

  private func place(_ position: JSONPosition) -> Place {
    Place(file: file, line: position.line, column: position.column)
  }
}

extension ProjectFaults {
  /// Notes a fault of a JSON text.
  mutating func add(_ error: JSONError) {
    add(
      Place(file: error.origin, line: error.position.line, column: error.position.column),
      error.fault)
  }
}
