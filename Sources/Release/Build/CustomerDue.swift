import Emission
import Evaluation
import Packaging
import Weights

/// What a customer is due, from the customer list and the project alone: the plan of the build, by
/// which packages are made, is not asked.
struct CustomerDue {
  private let app: AppTerms
  private let models: [(name: String, key: BuildPlan.Key)]

  init(_ customer: Customer, of project: Project) {
    app = customer.app
    let shared = project.models.map { model in
      (model.name.value, BuildPlan.Key(model.recipe, of: project) { $0.literal })
    }
    let own = customer.flows.compactMap { flow in
      project.customModels.map { recipe in
        (flow.name, BuildPlan.Key(recipe, of: project) { flow.path($0, of: customer.app) })
      }
    }
    models = shared + own
  }

  /// The check of what was packed.
  func check(_ work: ModelWork) throws -> LeakCheck {
    var due: [PackagePath: ContentDigest] = [:]
    for (name, key) in models {
      guard let model = work.proven(key) else { continue }
      let path = "models/\(name)/model.\(key.form.format.rawValue)"
      for file in model.emitted.files {
        due[try PackagePath(file.path.isEmpty ? path : "\(path)/\(file.path)")] = file.digest
      }
      for (companion, bytes) in model.emitted.companions {
        due[try PackagePath("models/\(name)/\(companion)")] = ContentDigest(of: bytes)
      }
      due[try PackagePath("receipts/\(name).json")] = ContentDigest(of: model.receipt.packedBytes)
    }
    return LeakCheck(app: app, due: due)
  }
}
