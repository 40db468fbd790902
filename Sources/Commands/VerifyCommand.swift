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
      file called SHA256SUMS is verified with all files it lists, each package as if it were alone, \
      its signature included; that of the list is made for 'sums@ingot.dev'.

      Of each model it says the profile, and which limits are not the profile's own: 'passed strict, \
      weakened: cosine mean 0'. With --require-profile a model whose limits are weaker is a failure; \
      of a SHA256SUMS every package is held to it.
      Without --allowed-signers nobody knows who made the package: its integrity is checked, and what \
      it says of itself is a claim. Every model is opened, and not run.

      --app, --min-version and --bundle say which package is wanted: another customer's, or an old \
      one, is refused however well it is signed. A release script always gives them.

      With --replay the gate judges the models of the archive again, against their sources and \
      reference sets in a project, and must find what the receipts say. Otherwise nothing is \
      unpacked to disk.

      Exit status: 0 sound, 4 not what it claims to be, not signed by who must have, held to weaker \
      limits than required, or not the package that was asked for.

      Example:
        ingot verify packages/c2d67cdb-…/c2d67cdb-…-1.4.0.tar.zst --allowed-signers signers \
        --app c2d67cdb-… --min-version 1.4.0 --require-profile strict
      """)

  @Argument(
    help: "A package archive (.tar.zst, .zip), an output folder, or the SHA256SUMS of one.")
  var archive: String

  @OptionGroup var signature: SignatureFlags
  @OptionGroup var profile: ProfileFlag
  @OptionGroup var expected: ExpectedPackage
  @OptionGroup var replay: ReplayFlags
  @OptionGroup var shared: SharedOptions

  /// The list of digests that is verified; nil for an archive.
  private var list: String? {
    if Folder.name(of: archive) == SumsFile.name { return archive }
    let inside = Folder.join(archive, SumsFile.name)
    let index = Folder.join(archive, OutputAudit.indexName)
    return [inside, index].contains { Folder.kind(of: $0) == .file } ? inside : nil
  }

  func validate() throws {
    guard list != nil else { return }
    let flags = [
      ("--replay", replay.replay != nil), ("--app, --min-version and --bundle", expected.isGiven),
      ("--require-provenance", signature.requireProvenance),
    ]
    for (flag, isGiven) in flags where isGiven {
      throw ValidationError(
        "\(flag) \(flag.contains(" and ") ? "are" : "is") for one archive, \(archive) is a list "
          + "of them")
    }
  }

  func run() throws {
    try shared.run { console in
      if let list {
        try SumsVerification(
          path: list, isWhole: list != archive, signature: signature, profile: profile,
          shared: shared
        ).answer(console)
      } else {
        try Self.answer(
          archive, shared, console, signature: signature, expected: expected, profile: profile,
          replay: replay)
      }
    }
  }

  /// Lists the content of a package, or says why it is not sound.
  ///
  /// - Parameters:
  ///   - signature: who must have signed it; without, no signature is checked.
  ///   - expected: which package is wanted; any without.
  ///   - profile: which limits its models must have been held to, if any.
  ///   - replay: the project that its models are proven again with, if any.
  static func answer(
    _ archive: String, _ shared: SharedOptions, _ console: Console,
    signature: SignatureFlags? = nil, expected: ExpectedPackage? = nil,
    profile: ProfileFlag? = nil, replay: ReplayFlags? = nil
  ) throws {
    do {
      let progress = ProgressLine(console)
      defer { progress.clear() }
      let package = try PackageVerifier.verifyOpening(archive) {
        progress.show("reading", bytes: $0, of: $1)
      }
      progress.clear()
      try PackagePlace.require(package)
      let report = try signature?.check(package, console) ?? SignatureFlags.unchecked(archive)
      try expected?.require(package, shared, console)
      try profile?.require(of: package, shared, console)
      let summary =
        package.summary(isAuthenticated: report.isAuthenticated) + (profile?.text ?? "")
        + report.text
      let replay = try replay?.run(package, console)
      let checked = ["integrity", "models"] + report.checked + (expected?.checked ?? [])
      let json = report.adding(
        to: profile?.adding(to: package.json) ?? package.json, checked: checked)
      try shared.answer(
        console,
        // A package that cannot be proven again must not be read as sound.
        text: replay.map { $0.isProven ? summary + $0.summary : $0.summary } ?? summary,
        json: replay?.added(to: json) ?? json)
      try replay?.requireProof(of: archive)
    } catch let error as PackagingError {
      console.fail("\(error)")
      throw ExitStatus.verificationFailed.code
    }
  }
}
