package import Packaging

/// The computations of a build, each done once, and which customer gets which result.
package struct BuildPlan {
  /// One model to compress and prove, all of its encoders together.
  package struct Job: Sendable {
    package let key: Key
    /// The model's name for people, after the first who asked for it.
    package let label: String
    /// The family whose member it is, after the first who asked for it; nil if it is none.
    package let family: String?
    /// Whether the members of its family are meant to differ in what they take and give.
    let differsFromMembers: Bool
    /// Where the model and the references were asked for, for faults.
    let sourcePlace: Place
    let referencesPlace: Place
    /// Nil without a threshold.
    let thresholdPlace: Place?
    /// Nil without lengths that were asked for.
    let sequencePlace: Place?
    /// Where an encoder was chosen; nil if none was.
    let encoderPlace: Place?
    /// Where a prompt was chosen; nil if none was.
    let promptPlace: Place?
    let compressionPlace: Place
    /// Nil without calibration.
    let calibrationPlace: Place?
    /// Nil where no references are for the verdict on a search alone.
    let verdictPlace: Place?
    /// Nil where all tokens stay.
    let keptTokensPlace: Place?
    /// Nil without a source check.
    let sourceCheckPlace: Place?
  }

  /// One customer's package.
  package struct Package {
    package let customer: Customer
    /// Whole models with indices into `jobs`; never empty. Which encoders they have shows when they
    /// are opened.
    package let models: [(identity: ModelIdentity, job: Int)]
  }

  /// In the order of first use: shared models first, then customer by customer.
  package private(set) var jobs: [Job] = []
  /// In the order of the customer list.
  package private(set) var packages: [Package] = []
  private var indexOfKey: [Key: Int] = [:]

  /// Plans a build.
  ///
  /// - Parameter customers: those of whom `AssignmentCheck` found nothing amiss. Flows are left out
  ///   when the project makes no custom models, and so are customers who would get nothing.
  init(_ project: Project, _ customers: CustomerList) {
    let shared = project.models.map { model -> (identity: ModelIdentity, job: Int) in
      let job = add(
        model.entry, label: model.name.value, family: model.family, of: project,
        places: (model.entry.source.place, model.entry.gate.references.place)
      ) { $0.literal }
      return (.shared(name: model.name.value), job)
    }
    for customer in customers.customers {
      var models = shared
      for flow in customer.flows {
        guard let entry = project.customModels else { break }
        let job = add(
          entry, label: flow.label, of: project,
          places: (flow.place, entry.gate.references.place(for: flow))
        ) { flow.path($0, of: customer.app) }
        models.append((flow.identity, job))
      }
      if !models.isEmpty { packages.append(Package(customer: customer, models: models)) }
    }
  }

  /// The number of the job that makes a model, if there is one.
  package func job(of key: Key) -> Int? { indexOfKey[key] }

  /// The job for an entry, made when there is none yet.
  private mutating func add(
    _ entry: ProjectEntry, label: String, family: String? = nil, of project: Project,
    places: (source: Place, references: Place), path: (PathPattern) -> String
  ) -> Int {
    let key = Key(entry, of: project, path: path)
    if let index = indexOfKey[key] { return index }
    indexOfKey[key] = jobs.count
    jobs.append(
      Job(
        key: key, label: label, family: family, differsFromMembers: entry.areMembersUnlike,
        sourcePlace: places.source,
        referencesPlace: places.references,
        thresholdPlace: entry.gate.threshold?.place,
        sequencePlace: entry.format.sequencePlace, encoderPlace: entry.encoder?.place,
        promptPlace: entry.prompt?.place, compressionPlace: entry.compression.place,
        calibrationPlace: entry.calibration?.place,
        verdictPlace: entry.verdict?.place,
        keptTokensPlace: entry.keptTokens?.place,
        sourceCheckPlace: entry.sourceCheck?.vectors.place))
    return jobs.count - 1
  }
}
