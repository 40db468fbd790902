import Emission
import Evaluation
import Packaging
import Weights

/// What a customer is due, from the customer list and the project alone: the plan of the build, by
/// which packages are made, is not asked.
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

  /// The check of what was packed.
  func check(_ work: ModelWork) throws -> LeakCheck {
    var due: [PackagePath: ContentDigest] = [:]
    for (identity, key) in models {
      guard let model = work.proven(key) else { continue }
      let path = try identity.path(format: key.form.format)
      for file in model.emitted.files {
        due[file.path.isEmpty ? path : try PackagePath("\(path)/\(file.path)")] = file.digest
      }
      // Only a tokenizer lies beside a model.
      for bytes in model.emitted.companions.values {
        due[try identity.tokenizerPath()] = ContentDigest(of: bytes)
      }
      due[try identity.receiptPath()] = ContentDigest(of: model.receipt.packedBytes)
    }
    return LeakCheck(app: app, due: due)
  }
}
