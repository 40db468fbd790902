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
      let object = try JSONParser.parseObject(bytes, origin: origin)
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
