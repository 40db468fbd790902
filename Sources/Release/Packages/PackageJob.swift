import Formats
import Gate
import PackageNames
import IngotTokenizers
import Packaging
import Project
import SelfTesting
import StrictJSON
import Weights

/// The inputs of a package, by digests.
struct PackageInputs: Equatable {
  /// All of it.
  let digest: ContentDigest
  /// For whom and on which terms, the tool and the time aside.
  let terms: ContentDigest
  /// The inputs of each model, by its name.
  let models: [String: ContentDigest]
}

/// One customer's package: for whom, on which terms, and from which models.
struct PackageJob: Sendable {
  /// Number in the plan.
  let index: Int
  let details: PackageDetails
  let form: ArchiveForm
  /// The customer's own models and the shared ones, with the numbers of their jobs.
  let models: [(identity: ModelIdentity, job: Int)]

  /// The app's UUID.
  var app: String { details.app.id }

  /// Path of the archive in the output folder.
  var path: String { "\(app)/\(app)-\(details.version).\(form.rawValue)" }

  /// The packages of a plan, in the order of the customer list.
  static func all(
    of plan: BuildPlan, _ project: Project, toolVersion: SemanticVersion, time: Timestamp
  ) -> [PackageJob] {
    let release = project.release
    let form = release.archive.flatMap { ArchiveForm(rawValue: $0.value) } ?? .tarZst
    return plan.packages.enumerated().map { index, package in
      PackageJob(
        index: index,
        details: PackageDetails(
          app: package.customer.app, version: release.version, compatibility: release.sdk,
          licenses: [release.license].compactMap { $0 }.filter(License.known.contains),
          toolVersion: toolVersion, time: time),
        form: form, models: package.models)
    }
  }

  /// Everything the package is made from.
  ///
  /// - Parameter inputs: the inputs of each job, by its number.
  /// - Returns: nil when one of its models cannot be worked on.
  func inputs(_ inputs: [ModelWork.Inputs]) -> PackageInputs? {
    var models: [JSONValue] = []
    var digests: [String: ContentDigest] = [:]
    for (identity, job) in self.models {
      guard let digest = inputs[job].digest else { return nil }
      models.append(["model": identity.json, "inputs": .string(digest.hex)])
      digests[identity.name] = digest
    }
    let terms: JSONValue = ["package": 1, "terms": details.json, "form": .string(form.rawValue)]
    let all: JSONValue = [
      "terms": terms, "models": .array(models),
      "tool": .string(self.details.toolVersion.description),
      "time": .integer(self.details.time.seconds),
    ]
    return PackageInputs(
      digest: ContentDigest(of: Array(all.compact.utf8)),
      terms: ContentDigest(of: Array(terms.compact.utf8)), models: digests)
  }
}

extension PackageDetails {
  fileprivate var json: JSONValue {
    [
      "app": .string(app.id), "bundles": .array(app.bundleIdentifiers.map(JSONValue.string)),
      "version": .string(version.description),
      "minimum": .string(compatibility.minimum.description),
      "below": .string(compatibility.below?.description ?? ""),
      "licenses": .array(licenses.map(JSONValue.string)),
    ]
  }
}

extension ModelIdentity {
  /// The whole model; its encoders follow from its inputs.
  fileprivate var json: JSONValue {
    switch self {
    case .shared(let name, _): ["name": .string(name)]
    case .flow(let id, let name, let modelVersion, _):
      ["flowId": .integer(id), "flowName": .string(name), "modelVersion": .integer(modelVersion)]
    }
  }
}

extension LeakCheck {
  /// The check of a customer's packed archive, from the customer list and the project alone, without
  /// the plan of the build, which makes the packages.
  ///
  /// - Parameter work: the models that were made.
  init(_ customer: Customer, of project: Project, _ work: ModelWork) throws {
    var expected: [PackagePath: ContentDigest] = [:]
    func add(
      _ identity: ModelIdentity, _ entry: ProjectEntry, path: (PathPattern) -> String
    ) throws {
      let key = BuildPlan.Key(entry, of: project, path: path)
      for part in work.proven(key)?.parts ?? [] {
        try LeakCheck.add(
          part, as: identity.of(part.encoder), format: key.form.format, to: &expected)
      }
    }
    for model in project.models {
      try add(.shared(name: model.name.value), model.entry) { $0.literal }
    }
    for flow in customer.flows {
      guard let entry = project.customModels else { break }
      try add(flow.identity, entry) { flow.path($0, of: customer.app) }
    }
    self.init(app: customer.app, expected: expected)
  }

  private static func add(
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
    expected[try identity.selfTestPath()] = ContentDigest(of: part.device.selfTestBytes)
    expected[try identity.inputsPath()] = ContentDigest(of: part.device.inputsBytes)
  }
}
