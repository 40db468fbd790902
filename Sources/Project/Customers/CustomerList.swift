import Files
package import Packaging
import StrictJSON

/// The customers of a project, as a customer-management system exports them.
package struct CustomerList {
  /// Largest list, in bytes. 100,000 customers with three flows each have about 36 MiB.
  static let sizeLimit = 64 << 20
  /// Most values of a list: 100,000 such customers have 1.8 million.
  static let valueLimit = 3_000_000

  /// In the order of the file.
  package let customers: [Customer]
  /// Sound flows of customers that have a fault themselves, in the order of the file.
  var strayFlows: [Flow] = []
}

/// One customer's app and the custom models made for it.
package struct Customer {
  package let app: AppDetails
  package let place: Place
  /// In the order of the file.
  package let flows: [Flow]
  /// Whether every entry of the list is among the flows: none was faulty.
  package var hasAllFlows = true
}

/// One custom model of a customer.
package struct Flow {
  package let id: Int
  package let name: String
  package let modelVersion: Int
  package let place: Place

  package init(id: Int, name: String, modelVersion: Int, place: Place) {
    self.id = id
    self.name = name
    self.modelVersion = modelVersion
    self.place = place
  }

  package var identity: ModelIdentity { .flow(id: id, name: name, modelVersion: modelVersion) }

  /// The flow's name in messages.
  package var label: String { "\(name) v\(modelVersion)" }

  /// The path of a pattern for this flow.
  package func path(_ pattern: PathPattern, of app: AppDetails) -> String {
    path(pattern, appID: app.id)
  }

  /// The path of a pattern for this flow of an app.
  func path(_ pattern: PathPattern, appID: String) -> String {
    pattern.path { placeholder in
      switch placeholder {
      case .flowName: name
      case .flowId: String(id)
      case .modelVersion: String(modelVersion)
      case .appId: appID
      case .member: preconditionFailure("custom models have no members")
      }
    }
  }
}

extension Located<PathPattern> {
  /// Where to look for what is wrong with the path of a flow: at the flow, when the path is its own.
  func place(for flow: Flow) -> Place { value.hasPlaceholders ? flow.place : place }
}
