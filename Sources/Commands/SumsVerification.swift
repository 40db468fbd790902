import Files
import Signatures
import StrictJSON

/// Verifies a `SHA256SUMS`: its signature, then every file it lists.
struct SumsVerification {
  let path: String
  let signature: SignatureFlags
  let profile: ProfileFlag
  let shared: SharedOptions

  /// Says how many files are sound, or lists those that are not.
  func answer(_ console: Console) throws {
    let bytes = try MappedFile.contents(of: path, limit: SumsFile.sizeLimit)
    let report = try signature.check(sums: bytes, path: path, console)
    let sums: SumsFile
    do throws(SignatureError) {
      sums = try SumsFile(bytes, origin: path)
    } catch {
      throw Failure(message: "\(error)", status: .verificationFailed)
    }
    let faults = sums.faults(in: Folder.parent(of: path))
    guard faults.isEmpty else {
      throw Failure(
        message: "\(path): \(faults.count) of \(Numbers.count(sums.count, "file")) not as listed",
        details: faults, status: .verificationFailed)
    }
    try profile.require(
      ofAll: sums, in: Folder.parent(of: path), path: path, shared, console)
    let count = Numbers.count(sums.count, "file")
    try shared.answer(
      console, text: "\(path): sound, \(count)\n\(profile.text)\(report.text)",
      json: report.adding(
        to: profile.adding(
          to: ["verdict": "sound", "path": .string(path), "files": .integer(sums.count)])))
  }
}
