import ArgumentParser
import Files
import Packaging
import Release
import Signatures

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check a package against its own manifest, who signed it, and what it proves.",
    discussion: """
      With --allowed-signers the signature beside the file (FILE.sig, made for 'package@ingot.dev') \
      must be there and hold, and so must the provenance (FILE.intoto.jsonl) where it is there. A \
      file called SHA256SUMS is verified with all files it lists; its signature is made for \
      'sums@ingot.dev'.

      Of each model it says the profile, and which limits are not the profile's own: 'passed strict, \
      weakened: cosine mean 0'. With --require-profile a model whose limits are weaker is a failure; \
      of a SHA256SUMS every package is held to it.

      With --replay the gate judges the models of the archive again, against their sources and \
      reference sets in a project, and must find what the receipts say. Otherwise nothing is \
      unpacked to disk.

      Exit status: 0 sound, 4 not what it claims to be, not signed by who must have, or held to \
      weaker limits than required.

      Example:
        ingot verify packages/c2d67cdb-…/c2d67cdb-…-1.4.0.tar.zst --allowed-signers signers \\
          --require-profile strict
      """)

  @Argument(help: "A package archive (.tar.zst, .zip), or the SHA256SUMS of an output folder.")
  var archive: String

  @OptionGroup var signature: SignatureFlags
  @OptionGroup var profile: ProfileFlag
  @OptionGroup var replay: ReplayFlags
  @OptionGroup var shared: SharedOptions

  private var isList: Bool { Folder.name(of: archive) == SumsFile.name }

  func validate() throws {
    if isList && replay.replay != nil {
      throw ValidationError("--replay is for one archive, \(archive) is a list of them")
    }
  }

  func run() throws {
    try shared.run { console in
      if isList {
        try SumsVerification(
          path: archive, signature: signature, profile: profile, shared: shared
        ).answer(console)
      } else {
        try Self.answer(
          archive, shared, console, signature: signature, profile: profile, replay: replay)
      }
    }
  }

  /// Refuses a file that is named like another customer's package, or another version.
  private static func requireOwnName(_ package: VerifiedPackage) throws {
    let name = Folder.name(of: package.path)
    let (app, version) = (package.manifest.app.id, package.manifest.version)
    let named = name.prefix(36)
    guard Identifiers.isAppID(String(named)), name.dropFirst(36).first == "-",
      let form = ArchiveForm(ofName: name), name != "\(app)-\(version)\(form.suffix)"
    else { return }
    throw Failure(
      message: "\(package.path): is the package of app \(app), version \(version), and is not "
        + "called so", hint: "its name is \(app)-\(version)\(form.suffix)",
      status: .verificationFailed)
  }

  /// Says what a package holds, or why it is not sound.
  ///
  /// - Parameters:
  ///   - signature: who must have signed it; without, signatures are not looked at.
  ///   - profile: which limits its models must have been held to, if any.
  ///   - replay: the project that its models are proven again with, if any.
  static func answer(
    _ archive: String, _ shared: SharedOptions, _ console: Console,
    signature: SignatureFlags? = nil, profile: ProfileFlag? = nil, replay: ReplayFlags? = nil
  ) throws {
    do {
      let package = try PackageVerifier.verify(archive)
      try requireOwnName(package)
      let report = try signature?.check(package, console) ?? .none
      try profile?.require(of: package, shared, console)
      let summary = package.summary + (profile?.text ?? "") + report.text
      let replay = try replay?.run(package, console)
      let json = report.adding(to: profile?.adding(to: package.json) ?? package.json)
      try shared.answer(
        console,
        // What cannot be proven again must not be read as sound.
        text: replay.map { $0.isProven ? summary + $0.summary : $0.summary } ?? summary,
        json: replay?.added(to: json) ?? json)
      try replay?.requireProof(of: archive)
    } catch let error as PackagingError {
      console.fail("\(error)")
      throw ExitStatus.verificationFailed.code
    }
  }
}
