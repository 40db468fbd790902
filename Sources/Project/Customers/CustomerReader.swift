import Files
import Packaging
import StrictJSON

/// Reads a customer list, noting every fault at once. Keys that Ingot does not know are the
/// exporting system's business and are passed over, unless they look like a misspelt one.
package struct CustomerReader {
  private let object: ContractObject.Context
  private var placeOfApp: [String: Place] = [:]
  private var firstOfBundle: [String: (app: Int, place: Place)] = [:]
  private var strayFlows: [Flow] = []

  /// Reads a list.
  ///
  /// - Returns: its sound parts; nil when the file is not a list at all.
  package static func read(_ file: String, log: ContractSection.Log) -> CustomerList? {
    do {
      let bytes = try MappedFile.contents(of: file, limit: CustomerList.sizeLimit)
      let root = try JSONParser.parse(
        bytes, origin: file, limits: .init(values: CustomerList.valueLimit))
      var reader = CustomerReader(file: file, log: log)
      return reader.read(root)
    } catch let error as JSONError {
      log.faults.add(.malformedFile, error)
    } catch let error as FileError {
      log.faults.add(unreadable: file, error)
    } catch {
      log.faults.add(.malformedFile, Place(startOf: file), "\(error)")
    }
    return nil
  }

  private init(file: String, log: ContractSection.Log) {
    object = ContractObject.Context(file: file, log: log)
  }

  private mutating func read(_ root: JSONNode) -> CustomerList? {
    guard let nodes = root.array else {
      object.fault(
        .wrongType, root.position, "is \(root.form), expected an array of customers")
      return nil
    }
    if nodes.isEmpty {
      object.fault(.noCustomers, root.position, "the list of customers is empty")
    }
    let customers = nodes.enumerated().compactMap { customer($1, number: $0) }
    return CustomerList(customers: customers, strayFlows: strayFlows)
  }

  private mutating func customer(_ node: JSONNode, number: Int) -> Customer? {
    guard
      let entry = ContractObject(
        node, name: "a customer", known: ["app_id", "bundle_identifiers", "customModels"], object)
    else { return nil }
    let id = appID(entry)
    let bundles = bundleIdentifiers(entry, number: number)
    let (flows, hasAll) = FlowReader.read(entry)
    guard let id, let bundles, let app = try? AppDetails(id: id, bundleIdentifiers: bundles) else {
      strayFlows += flows
      return nil
    }
    return Customer(
      app: app, place: object.place(node.position), flows: flows, hasAllFlows: hasAll)
  }

  private mutating func appID(_ entry: ContractObject) -> String? {
    guard let (text, position) = entry.string("app_id") else { return nil }
    guard Identifiers.isAppID(text) else {
      object.fault(
        .badAppID, position,
        "'app_id' is '\(text.prefix(60).asciiEscaped)', expected a UUID in lower case",
        hint: Correction.appID(text))
      return nil
    }
    let place = object.place(position)
    if let first = placeOfApp[text] {
      object.fault(
        .duplicateApp, position,
        "app_id '\(text)' appears twice, first at \(first.line):\(first.column)",
        hint: "merge the two entries, or give each app its own id")
      return nil
    }
    placeOfApp[text] = place
    return text
  }

  private mutating func bundleIdentifiers(_ entry: ContractObject, number: Int) -> [String]? {
    guard let nodes = entry.array("bundle_identifiers") else { return nil }
    guard !nodes.elements.isEmpty else {
      object.fault(
        .badBundleIdentifier, nodes.position, "'bundle_identifiers' is empty",
        hint: "name the apps that may load the package, such as com.example.app")
      return nil
    }
    var bundles: [String] = []
    for node in nodes.elements {
      guard let text = node.string, Identifiers.isBundleIdentifier(text) else {
        object.fault(
          .badBundleIdentifier, node.position,
          "a bundle identifier is \(node.kind.asciiEscaped), "
            + "expected a name such as com.example.app",
          hint: node.string.flatMap(Correction.bundleIdentifier))
        continue
      }
      if isNew(text, node.position, number: number) { bundles.append(text) }
    }
    return bundles
  }

  /// Whether a bundle identifier is new to its app; that it is known to another is doubtful.
  private mutating func isNew(_ bundle: String, _ position: JSONPosition, number: Int) -> Bool {
    guard let first = firstOfBundle[bundle] else {
      firstOfBundle[bundle] = (number, object.place(position))
      return true
    }
    let place = "\(first.place.line):\(first.place.column)"
    if first.app == number {
      object.fault(
        .duplicateBundleIdentifier, position,
        "bundle identifier '\(bundle)' appears twice, first at \(place)", hint: "remove one")
      return false
    }
    object.fault(
      .sharedBundleIdentifier, position,
      "bundle identifier '\(bundle)' is that of another app too, at \(place)",
      hint: "one app has one app_id; correct one of the two")
    return true
  }
}
