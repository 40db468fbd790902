import Files
import Packaging

/// Whether a package is called, and lies, as one of its own app.
///
/// Whoever asks may be in another app's folder, come by a link, or have a file system that knows no
/// case: what counts is where the file really lies, besides the path that was given.
enum PackagePlace {
  /// Refuses a file that is named like another customer's package, or another version, or lies in the
  /// folder of another customer.
  static func require(_ package: VerifiedPackage) throws {
    let resolved = try Folder.resolved(package.path)
    for path in [package.path, resolved] { try requireName(Folder.name(of: path), of: package) }
    let folders = [
      Folder.parent(of: package.path), try Folder.resolved(Folder.parent(of: package.path)),
      Folder.parent(of: resolved),
    ]
    for folder in folders { try requireFolder(Folder.name(of: folder), of: package) }
  }

  private static func requireName(_ found: String, of package: VerifiedPackage) throws {
    let (app, version) = (package.manifest.app.id, package.manifest.version)
    let name = found.lowercased()
    guard Identifiers.isAppID(String(name.prefix(36))), name.dropFirst(36).first == "-",
      let form = ArchiveForm(ofName: name)
    else { return }
    let own = "\(app)-\(version)\(form.suffix)"
    guard name != own.lowercased() else { return }
    throw Failure(
      message:
        "\(package.path): is the package of app \(app), version \(version), and is not called "
        + "so", hint: "its name is \(own)", status: .verificationFailed)
  }

  private static func requireFolder(_ found: String, of package: VerifiedPackage) throws {
    let (folder, app) = (found.lowercased(), package.manifest.app.id)
    guard Identifiers.isAppID(folder), folder != app else { return }
    throw Failure(
      message: "\(package.path): is the package of app \(app), and lies in the folder of app "
        + folder, status: .verificationFailed)
  }
}
