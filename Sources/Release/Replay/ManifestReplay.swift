import Formats
import Gate
import Graph
import Inputs
import Packaging
import Project

/// Compares what a manifest says of a model with what the project makes of it: all that a build would
/// write there beside the receipt.
struct ManifestReplay {
  let entry: ModelEntry
  /// The project's options.
  let key: BuildPlan.Key
  /// The project's entry for the customer's flow; nil if it has none, or the model is shared.
  var flow: KnownFlow? = nil

  /// Every difference.
  ///
  /// - Parameter baseline: the model as trained.
  /// - Throws: when the project cannot make a model of it.
  func differences(from baseline: Model) throws -> [ReplayDifference] {
    var comparison = EntryComparison()
    if let flow { flow.compare(entry.identity, &comparison) }
    let encoder = baseline.architecture.encoder
    comparison.compare("encoder", entry.identity.encoder?.rawValue, encoder?.rawValue)
    comparison.compare("format", entry.format.name, key.form.format.name)
    if key.compression.isForEach, encoder == nil { throw OneRecipe() }
    // As it was compressed: without the tokens that were dropped.
    let corpus = try key.keptTokens.map { try VocabularyCorpus(argument: $0) }
    let made = try VocabularyCorpus.reduce([baseline], by: corpus)?.first ?? baseline
    let details = try ModelDetails(made, of: key, as: try key.form.suiting(baseline))
    comparison.compare(
      entry,
      with: ModelInterface(inputs: details.inputs, outputs: details.outputs, prompt: details.prompt)
    )
    let (old, new) = (entry.compression.options, details.options)
    var untold = Self.releaseOptions
    if key.compression.search != nil {
      // What a search finds is in the package alone; its method is the recipe's.
      untold += Self.foundOptions
      let label = "\(old["recipe"] ?? "nothing") \((old["rules"] ?? "").prefix(12))"
      comparison.compare(text: "compression method", entry.compression.method, label)
    } else {
      comparison.compare(text: "compression method", entry.compression.method, details.method)
    }
    for name in Set(old.keys).union(new.keys).subtracting(untold).sorted() {
      comparison.compare(text: "option '\(name)'", old[name], new[name])
    }
    comparison.compare(
      "original bytes", "\(entry.compression.originalBytes)", "\(details.originalBytes)")
    return comparison.differences.map(ReplayDifference.manifest)
  }

  /// Options of the release, not the model; another release of the same model has other ones.
  private static let releaseOptions = ["author", "license", "version", "description"]

  /// Options that a search finds.
  private static let foundOptions = ["recipe", "rules"]

  /// A project has recipes for two encoders, and the model is one as a whole.
  private struct OneRecipe: Error, CustomStringConvertible {
    let description = "'compress' is for two encoders, the source is one encoder as a whole"
  }
}

extension ManifestReplay {
  /// - Parameter customer: the app's, where the project's list says.
  /// - Returns: nil if the project does not know the model.
  init?(_ entry: ModelEntry, of app: AppDetails, _ customer: Customer?, in project: Project) {
    guard let key = BuildPlan.Key(of: entry.identity, app: app, in: project) else { return nil }
    self.init(entry: entry, key: key, flow: KnownFlow(entry.identity, of: customer))
  }
}

extension BuildPlan.Key {
  /// A project's options for a packaged model; nil if it does not know the model.
  init?(of identity: ModelIdentity, app: AppDetails, in project: Project) {
    switch identity {
    case .shared(let name, _):
      guard let model = project.models.first(where: { $0.name.value == name }) else { return nil }
      self.init(model.entry, of: project) { $0.literal }
    case .flow(let id, let name, let modelVersion, _):
      guard let entry = project.customModels else { return nil }
      let flow = Flow(
        id: id, name: name, modelVersion: modelVersion, place: Place(startOf: project.file))
      self.init(entry, of: project) { flow.path($0, of: app) }
    }
  }
}

extension ManifestReplay {
  /// The limits that a receipt was held to and that are weaker than what the project asks for now;
  /// tighter ones do not count as a difference.
  ///
  /// - Parameter recorded: what the receipt says.
  /// - Throws: `EvaluationError` when the project asks for a limit that there is not.
  func weaker(_ recorded: Limits) throws(EvaluationError) -> [ReplayDifference] {
    let requested = try Limits(key.limits)
    return recorded.weaker(than: requested).map {
      .limit($0, held: recorded[$0], requested: requested[$0])
    }
  }
}
