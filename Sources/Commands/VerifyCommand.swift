import ArgumentParser
import Packaging

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check a package against its own manifest, without unpacking it to disk.",
    discussion: """
      Exit status: 0 sound, 4 not what it claims to be.

      Example:
        ingot verify packages/c2d67cdb-…/c2d67cdb-…-1.4.0.tar.zst
      """)

  @Argument(help: "A package archive (.tar.zst).")
  var archive: String

  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in try Self.answer(archive, shared, console) }
  }

  /// Says what a package holds, or why it is not sound.
  static func answer(_ archive: String, _ shared: SharedOptions, _ console: Console) throws {
    do {
      let package = try PackageVerifier.verify(archive)
      try shared.answer(console, text: package.summary, json: package.json)
    } catch let error as PackagingError {
      console.fail("\(error)")
      throw ExitStatus.verificationFailed.code
    }
  }
}
