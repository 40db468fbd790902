import Files
import Packaging

extension VerifiedPackage {
  /// Why a file cannot be the package that its name or its folder says, and the way out; nil where it
  /// may be. Names that say nothing of an app are free.
  var nameFault: (words: String, hint: String?)? {
    let name = Folder.name(of: path)
    let (app, version) = (manifest.app.id, manifest.version)
    if Identifiers.isAppID(String(name.prefix(36))), name.dropFirst(36).first == "-",
      let form = ArchiveForm(ofName: name), name != "\(app)-\(version)\(form.suffix)"
    {
      return (
        "\(path): is the package of app \(app), version \(version), and is not called so",
        "its name is \(app)-\(version)\(form.suffix)"
      )
    }
    let folder = Folder.name(of: Folder.parent(of: path))
    guard Identifiers.isAppID(folder), folder != app else { return nil }
    return ("\(path): is the package of app \(app), and lies in the folder of app \(folder)", nil)
  }
}
