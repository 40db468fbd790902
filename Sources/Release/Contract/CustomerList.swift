import Files
import Packaging
import StrictJSON

/// The customers of a project, as a customer-management system exports them.
struct CustomerList {
  /// Largest list, in bytes. 10,000 customers with three flows each have about 4 MiB.
  static let sizeLimit = 16 << 20

  /// In the order of the file.
  let customers: [Customer]
}

/// One customer's app and the custom models made for it.
struct Customer {
  let app: AppTerms
  let place: Place
  /// In the order of the file.
  let flows: [Flow]
}

/// One custom model of a customer.
struct Flow {
  let id: Int
  let name: String
  let modelVersion: Int
  let place: Place

  var identity: ModelIdentity { .flow(id: id, name: name, modelVersion: modelVersion) }

  /// The path of a pattern for this flow.
  func path(_ pattern: PathPattern, of app: AppTerms) -> String {
    pattern.path { placeholder in
      switch placeholder {
      case .flowName: name
      case .flowId: String(id)
      case .modelVersion: String(modelVersion)
      case .appId: app.id
      }
    }
  }
}
