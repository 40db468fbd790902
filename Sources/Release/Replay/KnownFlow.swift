import Files
import Packaging
import Project

/// The entry for one flow of an app in a project's customer list, as far as it can be read.
struct KnownFlow: Equatable {
  /// Nil if the app has no such flow.
  let flow: ModelIdentity?

  /// Finds a flow by its name.
  ///
  /// - Returns: nil for a shared model, and where the list does not know the app, or not all of it.
  init?(_ identity: ModelIdentity, of customer: Customer?) {
    guard case .flow = identity, let customer else { return nil }
    flow = customer.flows.first { $0.name == identity.name }?.identity
    if flow == nil, !customer.hasAllFlows { return nil }
  }

  /// Compares with the manifest's entry for the flow.
  func compare(_ manifest: ModelIdentity, _ comparison: inout EntryComparison) {
    guard case .flow(let id, let name, let version, _) = manifest else { return }
    guard case .flow(let knownID, _, let known, _)? = flow else {
      return comparison.compare(text: "flow", name, nil)
    }
    comparison.compare("flow id", "\(id)", "\(knownID)")
    comparison.compare("model version", "\(version)", "\(known)")
  }
}

extension Project {
  /// The customer of an app, as far as the list can be read; a replay ignores the list's faults.
  ///
  /// - Parameter root: the folder that paths of the project may not leave; the project's own when nil.
  func customer(of app: AppDetails, root: String?) -> Customer? {
    let log = ContractSection.Log(root: root)
    log.bind(toProject: folder)
    let list = Folder.join(folder, customers.value)
    guard log.holds(list, "'customers'", at: customers.place), Folder.kind(of: list) == .file
    else { return nil }
    return CustomerReader.read(list, log: log)?.customers.first { $0.app.id == app.id }
  }
}
