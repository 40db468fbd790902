import Formats
import Graph
import StrictJSON
import Weights

extension Manifest {
  /// Reads a manifest, refusing everything that Ingot would not have written.
  ///
  /// - Parameter origin: a name for messages.
  package init(_ bytes: [UInt8], origin: String) throws(PackagingError) {
    do {
      let object = try JSONParser.parseObject(
        bytes, origin: origin, limits: JSONParser.Limits(values: Manifest.valueLimit))
      self = try Manifest(object)
    } catch let error as JSONError {
      throw .badManifest(error)
    } catch {
      throw .badManifest(
        JSONError(
          origin: origin, position: JSONPosition(line: 1, column: 1), fault: "\(error)"))
    }
  }

  private init(_ object: JSONObject) throws {
    try object.allowOnly([
      "schema", "app", "package", "compatibility", "models", "files", "totals", "licenses",
      "build",
    ])
    let schema = try object.integer("schema")
    guard schema == Manifest.schemaVersion else {
      throw object.error(
        "'schema' is \(schema), this version reads \(Manifest.schemaVersion)",
        at: object.position)
    }
    app = try AppDetails(try object.object("app"))
    let package = try object.object("package")
    try package.allowOnly(["name", "version", "createdAt"])
    name = try package.string("name")
    guard name == Manifest.name(for: app) else {
      throw package.error(
        "'name' is '\(name.prefix(60))', expected \(Manifest.name(for: app))",
        at: package.position)
    }
    version = try package.version("version")
    compatibility = try SDKRange(try object.object("compatibility"))
    models = try object.objects("models").map(ModelEntry.init)
    files = try object.objects("files").map(FileEntry.init)
    licenses = try object.has("licenses") ? Manifest.licenses(object) : []
    build = try BuildFacts(try object.object("build"))
    guard try package.string("createdAt") == build.time.description else {
      throw package.error("'createdAt' is not the time of 'sourceDateEpoch'", at: package.position)
    }
    try ManifestOwners(self, object).check()
    try checkTotals(try object.object("totals"))
  }

  private static func licenses(_ object: JSONObject) throws -> [String] {
    var identifiers: [String] = []
    for license in try object.objects("licenses") {
      try license.allowOnly(["spdx"])
      let text = try license.string("spdx")
      guard License.isIdentifier(text), identifiers.last.map({ $0 < text }) ?? true else {
        throw license.error(
          "'spdx' is '\(text.prefix(60).asciiEscaped)', expected identifiers in order, each once",
          at: license.position)
      }
      identifiers.append(text)
    }
    return identifiers
  }

  private func checkTotals(_ totals: JSONObject) throws(JSONError) {
    try totals.allowOnly(["files", "installedBytes"])
    let count = try totals.integer("files")
    guard count == files.count else {
      throw totals.error(
        "'files' is \(count), the manifest lists \(files.count)", at: totals.position)
    }
    let bytes = try totals.integer("installedBytes")
    guard bytes == installedBytes else {
      throw totals.error(
        "'installedBytes' is \(bytes), the files make \(installedBytes)", at: totals.position)
    }
  }
}

extension AppDetails {
  fileprivate init(_ object: JSONObject) throws {
    try object.allowOnly(["appId", "bundleIdentifiers"])
    try self.init(
      id: try object.string("appId"), bundleIdentifiers: try object.strings("bundleIdentifiers"))
  }
}

extension SDKRange {
  fileprivate init(_ object: JSONObject) throws {
    try object.allowOnly(["minSDK", "belowSDK"])
    try self.init(
      minimum: try object.version("minSDK"),
      below: try object.has("belowSDK") ? object.version("belowSDK") : nil)
  }
}

extension FileEntry {
  fileprivate init(_ object: JSONObject) throws(JSONError) {
    try object.allowOnly(["path", "size", "sha256", "role"])
    path = try object.path("path")
    size = try object.size("size")
    sha256 = try object.digest("sha256")
    let word = try object.oneOf(Role.allCases.map(\.rawValue), "role")
    role = Role(rawValue: word) ?? .receipt
  }
}

extension BuildFacts {
  fileprivate init(_ object: JSONObject) throws {
    try object.allowOnly(["tool", "toolVersion", "inputs", "sourceDateEpoch"])
    _ = try object.oneOf([BuildFacts.tool], "tool")
    toolVersion = try object.version("toolVersion")
    inputs = try object.objects("inputs").map { input in
      try input.allowOnly(["name", "sha256"])
      return BuildInput(name: try input.string("name"), sha256: try input.digest("sha256"))
    }
    let seconds = try object.integer("sourceDateEpoch", in: 0...Timestamp.maximum)
    guard let time = Timestamp(seconds: seconds) else {
      throw object.error("'sourceDateEpoch' is out of range", at: object.position)
    }
    self.time = time
  }
}

/// Checks the lists of a manifest: order, uniqueness, and that each file belongs to one model.
private struct ManifestOwners {
  private let manifest: Manifest
  /// The object at which faults are placed.
  private let object: JSONObject
  private let entries: [PackagePath: FileEntry]
  private let filesOfModels: [String: [FileEntry]]

  init(_ manifest: Manifest, _ object: JSONObject) {
    self.manifest = manifest
    self.object = object
    entries = Dictionary(manifest.files.map { ($0.path, $0) }) { first, _ in first }
    filesOfModels = manifest.filesOfModels
  }

  func check() throws(JSONError) {
    let (models, files) = (manifest.models, manifest.files)
    guard !models.isEmpty else { throw fault("'models' is empty") }
    for (left, right) in zip(files, files.dropFirst()) where !(left.path < right.path) {
      throw fault("'files' is not sorted at '\(right.path)'")
    }
    for (left, right) in zip(models, models.dropFirst()) where !(left.path < right.path) {
      throw fault("'models' is not sorted at '\(right.path)'")
    }
    var folded: Set<String> = [Manifest.entryName]
    for file in files where !folded.insert(file.path.folded).inserted {
      throw fault("file '\(file.path)' appears twice, or differs from another only in case")
    }
    for file in files {
      if let outer = file.path.foldedParents.first(where: folded.contains) {
        throw fault("file '\(file.path)' lies inside the file '\(outer)'")
      }
    }
    try checkOwners()
    if let clash = models.map(\.identity).firstClash {
      throw fault("'\(clash.title)' shares its name with another model")
    }
  }

  private func checkOwners() throws(JSONError) {
    var owned: Set<PackagePath> = []
    for model in manifest.models {
      let name = model.identity.title
      guard model.path == (try? model.identity.path(format: model.format)),
        model.gate.receipt == (try? model.identity.receiptPath()),
        model.selfTest.map({ $0 == (try? model.identity.selfTestPath()) }) ?? true,
        model.inputConfiguration.map({ $0 == (try? model.identity.inputsPath()) }) ?? true
      else { throw fault("the paths of model '\(name)' are not those of its name") }
      for (path, role) in try parts(of: model) {
        guard entries[path]?.role == role, owned.insert(path).inserted else {
          throw fault("'\(path)' is not a file of its own with role '\(role)'")
        }
      }
      let bytes = filesOfModels[model.path.string, default: []].reduce(0) { $0 + $1.size }
      guard bytes == model.compression.bytes else {
        let files = model.format.folder == nil ? "file" : "files"
        throw fault("'bytes' of model '\(name)' is not the size of its \(files)")
      }
    }
    guard manifest.build.inputs == Manifest.inputs(of: manifest.models) else {
      throw fault("the inputs of 'build' are not those of the models")
    }
    try checkBill()
    if let stray = manifest.files.first(where: { $0.role != .sbom && !owned.contains($0.path) }) {
      throw fault("file '\(stray.path)' belongs to no model")
    }
  }

  /// Checks that there is one bill of materials; what it says is checked when its entry comes by.
  private func checkBill() throws(JSONError) {
    let name = BillOfMaterials.entryName
    let bills = manifest.files.filter { $0.role == .sbom }
    guard bills.count == 1, bills[0].path.string == name else {
      throw fault("exactly one file has the role 'sbom', which is '\(name)'")
    }
  }

  /// Every file that belongs to a model, with the role it must have.
  private func parts(
    of model: ModelEntry
  ) throws(JSONError) -> [(path: PackagePath, role: FileEntry.Role)] {
    let papers =
      [(model.gate.receipt, FileEntry.Role.receipt)]
      + (model.selfTest.map { [($0, .selftest)] } ?? [])
      + (model.inputConfiguration.map { [($0, .preprocessing)] } ?? [])
    guard let folder = model.format.folder else { return [(model.path, .model)] + papers }
    let named = "\(model.path)/\(folder.namedFile)"
    let files = filesOfModels[model.path.string, default: []]
    guard let file = files.first(where: { $0.path.string == named }) else {
      throw fault("model '\(model.identity.title)' has no file '\(named)'")
    }
    guard file.size <= folder.namedFileLimit else {
      throw fault("'\(named)' has \(file.size) bytes, the limit is \(folder.namedFileLimit)")
    }
    let companions = folder.companions.compactMap { name in
      (try? model.identity.companionPath(name)).flatMap { entries[$0] }
        .map { ($0.path, folder.role(ofCompanion: name)) }
    }
    return files.map { ($0.path, .model) } + papers + companions
  }

  private func fault(_ words: String) -> JSONError { object.error(words, at: object.position) }
}
