package import Files
package import IngotClient
import StrictJSON

/// A folder that plays a device: what the app on it is, and the client's own folder.
package struct DeviceFolder: Sendable {
  /// What an app knows of itself.
  package struct Settings: Equatable, Sendable {
    /// The address of the repository.
    package var repository: String
    package var appID: String
    package var bundleIdentifier: String
    package var sdkVersion: String
    /// What tells the installation from others.
    package var installID: String

    /// Says of everything what it is.
    package init(
      repository: String, appID: String, bundleIdentifier: String, sdkVersion: String,
      installID: String
    ) {
      (self.repository, self.appID) = (repository, appID)
      (self.bundleIdentifier, self.sdkVersion) = (bundleIdentifier, sdkVersion)
      self.installID = installID
    }
  }

  /// The folder.
  package let path: String
  /// As it was made.
  package let settings: Settings

  private static let settingsLimit = 1 << 16
  private static let rootLimit = 512_000
  private var rootFile: String { Folder.join(path, "root.json") }

  private static func settingsFile(_ path: String) -> String { Folder.join(path, "device.json") }

  /// Makes a device.
  ///
  /// - Parameters:
  ///   - path: of a folder that is not there.
  ///   - root: the metadata that the app brings along.
  /// - Throws: `FileError`.
  package static func make(
    at path: String, _ settings: Settings, root: [UInt8]
  ) throws(FileError) -> DeviceFolder {
    let folder = try AtomicFolder(path: path)
    for (name, bytes) in [
      ("root.json", root), ("device.json", Array(settings.json.pretty.utf8)),
    ] {
      var file = try folder.file(at: name)
      try file.write(bytes)
      try file.finish()
    }
    try folder.commit()
    return DeviceFolder(path: path, settings: settings)
  }

  private init(path: String, settings: Settings) {
    (self.path, self.settings) = (path, settings)
  }

  /// Reads a device.
  ///
  /// - Throws: `FileError`, and `JSONError` for one that was not made here.
  package init(_ path: String) throws {
    let file = Self.settingsFile(path)
    settings = try Settings(
      try JSONParser.parseObject(
        try MappedFile.contents(of: file, limit: Self.settingsLimit), origin: file))
    self.path = path
  }

  /// The client of the app on it.
  ///
  /// - Parameter jobs: threads that models run on.
  /// - Throws: `UpdateError`, and `FileError`.
  package func client(jobs: Int) throws -> UpdateClient {
    try UpdateClient(
      UpdateClient.Configuration(
        appID: settings.appID, bundleIdentifier: settings.bundleIdentifier,
        sdkVersion: settings.sdkVersion, installID: settings.installID,
        folder: Folder.join(path, "client"),
        root: try MappedFile.contents(of: rootFile, limit: Self.rootLimit)),
      transport: CurlTransport(base: settings.repository),
      check: SelfTestCheck(ExecutorLoader(jobs: jobs)))
  }
}

extension DeviceFolder.Settings {
  fileprivate var json: JSONValue {
    [
      "schema": 1, "repository": .string(repository), "app": .string(appID),
      "bundleIdentifier": .string(bundleIdentifier), "sdkVersion": .string(sdkVersion),
      "installation": .string(installID),
    ]
  }

  fileprivate init(_ object: JSONObject) throws(JSONError) {
    _ = try object.plainInteger("schema", in: 1...1)
    repository = try object.string("repository")
    appID = try object.string("app")
    bundleIdentifier = try object.string("bundleIdentifier")
    sdkVersion = try object.string("sdkVersion")
    installID = try object.string("installation")
  }
}
