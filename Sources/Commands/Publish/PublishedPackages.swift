import ArgumentParser
import Files
import PackageNames
import Packaging
import Project
import Signatures
import StrictJSON
import Updates

/// Which packages are published.
struct PublishedPackages: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      """
      A project, which means the packages of its version; the output folder of a build, which means the newest of \
      each customer that its SHA256SUMS lists; or archives.
      """, valueName: "packages"))
  var packages: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The output folder of the project's build. Without: \(BuildCommand.defaultOutput), as for 'build'.",
      valueName: "folder"))
  var output: String?

  @OptionGroup var who: SignerFlags

  /// The archives that the arguments mean, signed by who may.
  ///
  /// - Throws: `Failure`, and `FileError`.
  func archives(_ console: Console) throws -> [PackagePublisher.Archive] {
    let lists = PackageLists(who, try who.signers(console))
    defer { lists.say(console) }
    if let output, !packages.contains(where: Self.isProject) {
      throw Failure(
        message: "--output \(output): none of the arguments is a project",
        hint: "name a folder with ingot.yaml, or leave --output out")
    }
    return try packages.flatMap { path in
      if Self.isProject(path) { return try archives(ofProject: path, lists, console) }
      switch Folder.kind(of: path) {
      case .folder: return try Self.archives(ofOutput: path, lists)
      case .missing: throw Self.missing(path)
      case .file, .other: return [try lists.archive(path)]
      }
    }
  }

  private static let wayOut = "name a project, the output folder of 'ingot build', or archives"

  /// - Returns: what to say of an argument that names nothing, which may have been meant as another command.
  private static func missing(_ path: String) -> Failure {
    let names = PublishCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    let hint = Suggestion.nearest(to: path, among: names)
      .map { "did you mean 'ingot publish \($0)'?" }
    return Failure(message: "\(path): is not there", hint: hint ?? wayOut)
  }

  /// The newest packages in the output folder of a build.
  private static func archives(
    ofOutput folder: String, _ lists: PackageLists
  ) throws -> [PackagePublisher.Archive] {
    guard Folder.kind(of: Folder.join(folder, SumsFile.name)) == .file else {
      throw Failure(
        message: "\(folder): is not the output folder of a build: it has no \(SumsFile.name)",
        hint: wayOut)
    }
    let newest = NewestPackages(of: try lists.sums(in: folder))
    guard !newest.packages.isEmpty else {
      throw Failure(message: "\(folder): its \(SumsFile.name) lists no package", hint: wayOut)
    }
    return newest.archives(in: folder)
  }

  /// Whether a path is a project file, or a folder with one that is no build's output.
  private static func isProject(_ path: String) -> Bool {
    guard Folder.kind(of: path) == .folder else { return path.hasSuffix(".yaml") }
    return Folder.kind(of: Folder.join(path, SumsFile.name)) == .missing
      && Folder.kind(of: Folder.join(path, "ingot.yaml")) == .file
  }

  /// The packages of a project's version.
  private func archives(
    ofProject project: String, _ lists: PackageLists, _ console: Console
  ) throws -> [PackagePublisher.Archive] {
    let release: ReleaseOptions
    do {
      release = try ProjectValidator.release(of: project)
    } catch let faults {
      faults.naming(Flags.name).report(to: console)
      throw ExitStatus.failed.code
    }
    let folder = output ?? BuildCommand.defaultOutput
    let words = ["ingot", "build", project, "--output", folder].map(ShellWord.quoted)
    let hint = "'\(words.joined(separator: " "))' makes them"
    guard Folder.kind(of: Folder.join(folder, SumsFile.name)) == .file else {
      throw Failure(message: "\(folder): no package of '\(project)' was built there", hint: hint)
    }
    let sums = try lists.sums(in: folder)
    let (newest, own) = (
      NewestPackages(of: sums), NewestPackages(of: sums, version: release.version)
    )
    guard !own.packages.isEmpty else {
      let found = newest.packages.map(\.version).max().map { "\($0) is the newest" }
      throw Failure(
        message: "\(folder): no package of version \(release.version), which '\(project)' is for; "
          + (found ?? "there is none"), hint: hint)
    }
    let built = Set(own.packages.map(\.app))
    let known = Set(newest.packages.map(\.app)).union(ProjectValidator.apps(of: project) ?? [])
    let others = known.subtracting(built).sorted()
    if let other = others.first {
      let found = newest.packages.first { $0.app == other }.map { ", which has \($0.version)" }
      console.warn(
        "\(folder): \(Figures.count(others.count, "customer")) without a package of version "
          + "\(release.version), '\(other)' the first\(found ?? ""); nothing is published for them",
        hint: hint)
    }
    return own.archives(in: folder)
  }
}

extension NewestPackages {
  fileprivate func archives(in folder: String) -> [PackagePublisher.Archive] {
    packages.map {
      PackagePublisher.Archive(
        path: Folder.join(folder, $0.path), app: $0.app, sha256: $0.sha256)
    }
  }
}
