import Formats
import Gate
import Packaging
import Project
import Weights

/// The models that a customer is due, from the customer list and the project alone, without the
/// plan of the build, which makes the packages.
struct CustomerDue {
  private let app: AppTerms
  private let models: [(identity: ModelIdentity, key: BuildPlan.Key)]

  init(_ customer: Customer, of project: Project) {
    app = customer.app
    let shared = project.models.map { model in
      (
        ModelIdentity.shared(name: model.name.value),
        BuildPlan.Key(model.recipe, of: project) { $0.literal }
      )
    }
    let own = customer.flows.compactMap { flow in
      project.customModels.map { recipe in
        (flow.identity, BuildPlan.Key(recipe, of: project) { flow.path($0, of: customer.app) })
      }
    }
    models = shared + own
  }

  /// The check of the packed archive.
  func check(_ work: ModelWork) throws -> LeakCheck {
    var due: [PackagePath: ContentDigest] = [:]
    for (identity, key) in models {
      guard let model = work.proven(key) else { continue }
      for part in model.parts {
        try add(part, as: identity.of(part.encoder), format: key.form.format, to: &due)
      }
    }
    return LeakCheck(app: app, due: due)
  }

  private func add(
    _ part: ProvenModel.Part, as identity: ModelIdentity, format: ModelFormat,
    to due: inout [PackagePath: ContentDigest]
  ) throws {
    let path = try identity.path(format: format)
    for file in part.emitted.files {
      due[file.path.isEmpty ? path : try PackagePath("\(path)/\(file.path)")] = file.digest
    }
    for (name, bytes) in part.emitted.companions {
      due[try identity.companionPath(name)] = ContentDigest(of: bytes)
    }
    due[try identity.receiptPath()] = ContentDigest(of: part.receipt.packedBytes)
  }
}
