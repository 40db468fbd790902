import ArgumentParser
import ClientHost
import Files
import PackageNames
import Packaging
import StrictJSON
import TUF

struct ClientInitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Make a device: an app as its maker ships it.",
    discussion: """
      The app brings along the first metadata of its repository, apps/APP/metadata/1.root.json, which say \
      whose keys it trusts. Redirects of the address are not followed: it is part of what the app trusts.

      Example:
        ingot client init phone --repository http://127.0.0.1:8080 --root 1.root.json --bundle com.customer.app --sdk 5.4.0
      """)

  @Argument(help: ArgumentHelp("The folder to make.", valueName: "device"))
  var device: String

  @Option(help: ArgumentHelp("The address that the repository is served at.", valueName: "url"))
  var repository: String

  @Option(
    help: ArgumentHelp("The first metadata of the repository, 1.root.json.", valueName: "file"))
  var root: String

  @Option(help: ArgumentHelp("The app's bundle identifier.", valueName: "name"))
  var bundle: String

  @Option(
    help: ArgumentHelp("The version of the library that runs the models.", valueName: "version"))
  var sdk: String

  @Option(
    help: ArgumentHelp(
      "What tells this installation from others, which rollouts draw by.", valueName: "text"))
  var installation: String = "00000000-0000-0000-0000-000000000001"

  @OptionGroup var shared: SharedOptions

  func validate() throws {
    guard SemanticVersion(sdk) != nil else {
      throw ValidationError("--sdk '\(sdk)' is not a version such as 5.4.0")
    }
    guard Identifiers.isBundleIdentifier(bundle) else {
      throw ValidationError("--bundle '\(bundle)' is not a name such as com.example.app")
    }
    guard installation.utf8.count <= 1_000 else {
      throw ValidationError(
        "--installation has \(installation.utf8.count) bytes, at most 1000 are taken")
    }
    guard repository.hasPrefix("http://") || repository.hasPrefix("https://") else {
      throw ValidationError("--repository '\(repository)' is not an address of http or https")
    }
  }

  func run() throws {
    try shared.run { console in
      let bytes = try MappedFile.contents(of: root, limit: 512_000)
      let trusted: TrustedMetadata
      do {
        trusted = try TrustedMetadata(root: bytes, now: UpdateTime(seconds: 0))
      } catch {
        throw Failure(
          message: "\(root): \(error)",
          hint: "take apps/APP/metadata/1.root.json of the repository",
          status: .verificationFailed)
      }
      guard let appID = trusted.root.head.appID, Identifiers.isAppID(appID) else {
        throw Failure(
          message: "\(root): does not say which app it is for by a UUID in lower case",
          hint: "take one that 'ingot publish' wrote")
      }
      guard Folder.kind(of: device) == .missing else {
        throw Failure(
          message: "\(device): is there already, and a device is made in a new folder",
          hint:
            "go on with it by 'ingot client update \(ShellWord.quoted(device))', or name another folder"
        )
      }
      _ = try DeviceFolder.make(
        at: device,
        DeviceFolder.Settings(
          repository: repository, appID: appID, bundleIdentifier: bundle, sdkVersion: sdk,
          installID: installation), root: bytes)
      try shared.answer(
        console, text: "\(device): a device of the app \(appID), without a model yet\n",
        json: ["device": .string(device), "app": .string(appID)])
    }
  }
}
