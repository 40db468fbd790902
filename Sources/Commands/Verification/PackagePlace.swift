import Files
import Packaging

/// Checks a package's name and folder against its own app's.
///
/// The caller may be in another app's folder, come by a link, or have a file system without case:
/// the file's real path counts, besides the path that was given.
enum PackagePlace {
  /// Why a file cannot be the package that a name or a folder says, and the way out.
  typealias Fault = (words: String, hint: String?)

  /// Refuses a file that is named like another customer's package, or another version, or is in the
  /// folder of another customer.
  static func require(_ package: VerifiedPackage) throws {
    guard let fault = try fault(of: package) else { return }
    throw Failure(message: fault.words, hint: fault.hint, status: .verificationFailed)
  }

  /// The same as a fault; nil if it may be. Names that say nothing of an app are free.
  static func fault(of package: VerifiedPackage) throws -> Fault? {
    let path = package.path, resolved = try Folder.resolved(path)
    let folders = [
      Folder.parent(of: path), try Folder.resolved(Folder.parent(of: path)),
      Folder.parent(of: resolved),
    ]
    return [path, resolved].lazy.compactMap { name(Folder.name(of: $0), of: package) }.first
      ?? folders.lazy.compactMap { folder(Folder.name(of: $0), of: package) }.first
  }

  private static func name(_ found: String, of package: VerifiedPackage) -> Fault? {
    let (app, version) = (package.manifest.app.id, package.manifest.version)
    let name = found.lowercased()
    guard Identifiers.isAppID(String(name.prefix(36))), name.dropFirst(36).first == "-",
      let form = ArchiveForm(ofName: name)
    else { return id(in: name, of: package) }
    let own = "\(app)-\(version)\(form.suffix)"
    guard name != own.lowercased() else { return nil }
    return (
      "\(package.path): is the package of app \(app), version \(version), and is not called so",
      "its name is \(own)"
    )
  }

  private static func id(in name: String, of package: VerifiedPackage) -> Fault? {
    let app = package.manifest.app.id
    return NamedApps.ids(in: name).first { $0 != app }.map { other in
      (
        "\(package.path): is the package of app \(app), and its name holds the id of app \(other)",
        "give it a name with its own id, or with none"
      )
    }
  }

  private static func folder(_ found: String, of package: VerifiedPackage) -> Fault? {
    let (folder, app) = (found.lowercased(), package.manifest.app.id)
    guard Identifiers.isAppID(folder), folder != app else { return nil }
    return (
      "\(package.path): is the package of app \(app), and lies in the folder of app \(folder)", nil
    )
  }
}
