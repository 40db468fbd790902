import Formats
import Gate
import Graph
import PackageNames
package import Packaging
import Weights

/// The differences between two packages, by their manifests.
///
/// The order is fixed: first the whole package, then model by model the inputs before the outputs;
/// so the first cause is the one that the others may follow from.
package struct PackageDifference: Equatable, Sendable, CustomStringConvertible {
  /// Empty only where both manifests are the same, and with them every file of the packages.
  package let causes: [Cause]

  /// Compares two manifests.
  package init(between left: Manifest, and right: Manifest) {
    var causes = Causes()
    // Nothing is opened, so nothing can throw.
    PackageDifference.compare(left, right, &causes) { (one, other) throws(Never) in
      ModelContents(of: one, comparedWith: other)
    }
    self.init(causes, left, right)
  }

  /// Compares two packages that were verified and unpacked: their tensors and receipts, too.
  ///
  /// - Parameter progress: told each tensor.
  /// - Throws: when a model or a receipt cannot be read.
  init(
    between left: UnpackedPackage, and right: UnpackedPackage,
    progress: (ComparisonStep) -> Void
  ) throws {
    var causes = Causes()
    try PackageDifference.compare(left.manifest, right.manifest, &causes) { one, other in
      try ModelContents(of: one, in: left, comparedWith: other, in: right, progress: progress)
    }
    self.init(causes, left.manifest, right.manifest)
  }

  private init(_ causes: Causes, _ left: Manifest, _ right: Manifest) {
    var causes = causes
    if causes.all.isEmpty, left != right {
      let (left, right) = (left.bytes, right.bytes)
      let offset = zip(left, right).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      let place = "byte \(offset ?? min(left.count, right.count))"
      causes.compare(.file, "\(left.count) bytes", place, item: Manifest.entryName)
    }
    self.causes = causes.all
  }

  /// The first cause, and how many more there are.
  package var description: String {
    guard let first = causes.first else { return "nothing differs" }
    return causes.count > 1 ? "\(first) (and \(causes.count - 1) more)" : "\(first)"
  }

  /// - Parameter contents: compares what only files tell of a model that is in both.
  private static func compare<Failure>(
    _ left: Manifest, _ right: Manifest, _ causes: inout Causes,
    contents: (ModelEntry, ModelEntry) throws(Failure) -> ModelContents
  ) throws(Failure) {
    causes.compare(
      .toolVersion, "\(left.build.toolVersion)", "\(right.build.toolVersion)")
    causes.compare(.time, "\(left.build.time)", "\(right.build.time)")
    causes.compare(.app, left.app.id, right.app.id, item: "appId")
    causes.compare(
      .app, left.app.bundleIdentifiers.joined(separator: " "),
      right.app.bundleIdentifiers.joined(separator: " "), item: "bundleIdentifiers")
    causes.compare(.version, "\(left.version)", "\(right.version)")
    let (range, other) = (left.compatibility, right.compatibility)
    causes.compare(.sdk, "\(range.minimum)", "\(other.minimum)", item: "minSDK")
    causes.compare(
      .sdk, range.below?.description, other.below?.description, item: "belowSDK")
    causes.compare(
      .licenses, left.licenses.joined(separator: " "), right.licenses.joined(separator: " "))
    let pairs = ModelPair.pairs(of: left, right)
    for pair in pairs where pair.left == nil || pair.right == nil {
      causes.compare(.models, pair.left?.words, pair.right?.words)
    }
    for pairs in Dictionary(grouping: pairs, by: \.model).sorted(by: { $0.key < $1.key }) {
      var found = Causes()
      for pair in pairs.value {
        guard let left = pair.left, let right = pair.right else { continue }
        try pair.compare(left, right, &found, contents: contents)
      }
      // Encoders are judged together: what went into one comes before what came out of the other.
      if pairs.value.count > 1 { found.sort() }
      causes.add(found.all)
    }
  }
}

/// The models of one name in two packages.
private struct ModelPair {
  let left: ModelEntry?
  let right: ModelEntry?
  private let files: [String: String]
  private let otherFiles: [String: String]

  /// Name of the model that it is, or is an encoder of.
  var model: String { (left ?? right)?.identity.name ?? "" }

  /// All models of both packages, in the order of their names.
  static func pairs(of left: Manifest, _ right: Manifest) -> [ModelPair] {
    let models = Dictionary(left.models.map { ($0.identity.title, $0) }) { first, _ in first }
    let others = Dictionary(right.models.map { ($0.identity.title, $0) }) { first, _ in first }
    return Set(models.keys).union(others.keys).sorted().map { name in
      ModelPair(
        left: models[name], right: others[name], files: files(of: models[name], left),
        otherFiles: files(of: others[name], right))
    }
  }

  /// Digests of the files that belong to a model.
  private static func files(of model: ModelEntry?, _ manifest: Manifest) -> [String: String] {
    guard let model else { return [:] }
    let folder = "models/\(model.identity.title)/"
    let own = manifest.files.filter {
      $0.path.string.hasPrefix(folder)
        || [model.gate.receipt, model.selfTest, model.inputConfiguration].contains($0.path)
    }
    return Dictionary(own.map { ($0.path.string, $0.sha256.hex) }) { first, _ in first }
  }

  func compare<Failure>(
    _ left: ModelEntry, _ right: ModelEntry, _ causes: inout Causes,
    contents: (ModelEntry, ModelEntry) throws(Failure) -> ModelContents
  ) throws(Failure) {
    let before = causes.all.count
    let name = left.identity.title
    causes.compare(.models, left.identity.facts, right.identity.facts, model: name)
    compareRecipe(left, right, &causes)
    causes.compare(.baseline, left.gate.baseline.hex, right.gate.baseline.hex, model: name)
    let contents = try contents(left, right)
    causes.add(contents.trained.all)
    causes.compare(.references, left.gate.references.hex, right.gate.references.hex, model: name)
    causes.compare(.limits, left.gate.profile, right.gate.profile, model: name, item: "profile")
    causes.add(contents.limits.all)
    causes.compare(.limits, left.threshold, right.threshold, model: name, item: "threshold")
    causes.compare(.metrics, left.gate.metrics, right.gate.metrics, model: name)
    let formats = [left.format, right.format]
    for file in ModelFormat.companions(of: formats) {
      let path = "models/\(name)/\(file)"
      let isTokenizer = formats.contains { $0.folder?.tokenizer == file }
      causes.compare(
        isTokenizer ? .tokenizer : .preprocessing, files[path], otherFiles[path], model: name,
        item: isTokenizer ? nil : file)
    }
    causes.compare(.description, left.facts, right.facts, model: name)
    // Self-tests and files follow from what goes before; named only where nothing does.
    if causes.all.count == before {
      causes.compare(
        .preprocessing, left.inputConfiguration.flatMap { files[$0.string] },
        right.inputConfiguration.flatMap { otherFiles[$0.string] }, model: name,
        item: "inputs/\(name).json")
      causes.compare(.selfTest, selfTest(files, left), selfTest(otherFiles, right), model: name)
    }
    if causes.all.count == before { causes.compare(.file, files, otherFiles, model: name) }
  }

  /// The digest of a model's self-test; nil without one.
  private func selfTest(_ files: [String: String], _ model: ModelEntry) -> String? {
    model.selfTest.flatMap { files[$0.string] }
  }

  private func compareRecipe(_ left: ModelEntry, _ right: ModelEntry, _ causes: inout Causes) {
    let before = causes.all.count
    let name = left.identity.title
    // The others follow from these: another scheme has other bits.
    causes.compare(
      .option, left.compression.options, right.compression.options, model: name,
      first: ["scheme", "bits", "granularity", "groupSize", "format"])
    guard causes.all.count == before else { return }
    causes.compare(
      .option, left.format.name, right.format.name, model: name, item: "format")
    causes.compare(
      .option, left.compression.method, right.compression.method, model: name, item: "method")
  }
}

extension ModelEntry {
  /// The model by name and version.
  fileprivate var words: String { "'\(identity.title)', \(identity.facts["kind"] ?? "")" }

  /// The model's inputs and outputs.
  fileprivate var facts: [String: String] {
    [
      "architecture": architecture, "prompt": prompt ?? "",
      "inputs": inputs.map(\.words).joined(separator: "; "),
      "outputs": outputs.map(\.words).joined(separator: "; "),
      "originalBytes": "\(compression.originalBytes)",
    ]
  }
}

extension ModelIdentity {
  fileprivate var facts: [String: String] {
    switch self {
    case .shared: ["kind": "shared"]
    case .flow(let id, _, let modelVersion, _):
      ["kind": "flow", "flowId": "\(id)", "modelVersion": "\(modelVersion)"]
    }
  }
}

extension TensorDescription {
  fileprivate var words: String {
    let names = (features + labels.plain).joined(separator: ", ")
    return "\(name) \(dtype) \(shape)" + (names.isEmpty ? "" : " of \(names)")
  }
}
