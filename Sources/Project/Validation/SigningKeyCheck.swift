import Files
import Packaging
import Signatures
import Weights

/// Looks at the key a project is signed with.
enum SigningKeyCheck {
  private static let publicSuffix = ".pub"
  private static let firstLine = Array("-----BEGIN OPENSSH PRIVATE KEY-----".utf8)

  /// The command that makes a key, and the folder for it.
  private static func making(_ path: String) -> String {
    let name = path.hasSuffix(publicSuffix) ? String(path.dropLast(publicSuffix.count)) : path
    let folder = Folder.parent(of: name)
    let making = "ssh-keygen -t ed25519 -f \(name.asciiEscaped)"
    return Folder.kind(of: folder) == .missing
      ? "mkdir -p \(folder.asciiEscaped) && \(making)" : making
  }

  private static func looksLikeKey(_ path: String) -> Bool {
    guard let file = try? MappedFile(path: path), file.byteCount > firstLine.count else {
      return false
    }
    return file.withBytes(in: 0..<firstLine.count) { $0.array() == firstLine }
  }

  /// Why a key cannot be used; nil when it can.
  ///
  /// Of a key that an agent holds only the public half is looked at: the agent need not be there
  /// before the build.
  ///
  /// - Parameter path: a private key file, or the public one (`.pub`) of a key that an agent holds.
  static func fault(of path: String, at place: Place) -> Fault? {
    let name = path.asciiEscaped
    guard Folder.kind(of: path) != .missing else {
      let missing = MissingPath(path)
      return Fault(
        .unusableKey, place, missing.words("the signing key"),
        hint: missing.suggestion ?? "make one: \(SigningKeyCheck.making(path))")
    }
    let isPublic = path.hasSuffix(publicSuffix)
    // Any other file there needs no change of its permissions.
    if !isPublic, looksLikeKey(path), let permissions = Permissions(of: path), permissions.areOpen {
      return Fault(
        .openKey, place, "the signing key '\(name)' has mode \(permissions), others can use it",
        hint: "chmod 600 \(name)")
    }
    do throws(SignatureError) {
      if isPublic { _ = try PublicKeyFile(path: path) } else { _ = try SigningKey.open(path) }
      return nil
    } catch {
      return Fault(.unusableKey, place, "\(error)", hint: error.hint)
    }
  }
}
