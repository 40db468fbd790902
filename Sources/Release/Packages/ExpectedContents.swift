import Formats
import Gate
import Packaging
import Project
import Weights

/// The models that a customer is due. They follow only from the customer list and the project, not
/// from the plan of the build, which makes the packages.
struct ExpectedContents {
  private let app: AppDetails
  private let models: [(identity: ModelIdentity, key: BuildPlan.Key)]

  init(_ customer: Customer, of project: Project) {
    app = customer.app
    let shared = project.models.map { model in
      (
        ModelIdentity.shared(name: model.name.value),
        BuildPlan.Key(model.entry, of: project) { $0.literal }
      )
    }
    let own = customer.flows.compactMap { flow in
      project.customModels.map { entry in
        (flow.identity, BuildPlan.Key(entry, of: project) { flow.path($0, of: customer.app) })
      }
    }
    models = shared + own
  }

  /// The check of the packed archive.
  func check(_ work: ModelWork) throws -> LeakCheck {
    var expected: [PackagePath: ContentDigest] = [:]
    for (identity, key) in models {
      guard let model = work.proven(key) else { continue }
      for part in model.parts {
        try add(part, as: identity.of(part.encoder), format: key.form.format, to: &expected)
      }
    }
    return LeakCheck(app: app, expected: expected)
  }

  private func add(
    _ part: ProvenModel.Part, as identity: ModelIdentity, format: ModelFormat,
    to expected: inout [PackagePath: ContentDigest]
  ) throws {
    let path = try identity.path(format: format)
    for file in part.emitted.files {
      expected[file.path.isEmpty ? path : try PackagePath("\(path)/\(file.path)")] = file.digest
    }
    for (name, bytes) in part.emitted.companions {
      expected[try identity.companionPath(name)] = ContentDigest(of: bytes)
    }
    expected[try identity.receiptPath()] = ContentDigest(of: part.receipt.packedBytes)
  }
}
