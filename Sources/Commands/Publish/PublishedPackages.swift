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
      "A project, the output folder of a build, or archives: of a folder the newest package of each customer.",
      valueName: "packages"))
  var packages: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The output folder of the project's build. Without: \(BuildCommand.defaultOutput), as for 'build'.",
      valueName: "folder"))
  var output: String?

  /// The archives that the arguments mean.
  ///
  /// - Throws: `Failure`, and `FileError`.
  func archives(_ console: Console) throws -> [PackagePublisher.Archive] {
    if let output, !packages.contains(where: Self.isProject) {
      throw Failure(
        message: "--output \(output): none of the arguments is a project",
        hint: "name a folder with ingot.yaml, or leave --output out")
    }
    return try packages.flatMap { path in
      if Self.isProject(path) { return try archives(ofProject: path, console) }
      guard Folder.kind(of: path) == .folder else { return [PackagePublisher.Archive(path: path)] }
      let newest = try Self.newest(in: path)
      guard !newest.packages.isEmpty else {
        throw Failure(
          message: "\(path): its \(SumsFile.name) lists no package",
          hint: "name the output folder of 'ingot build', or archives")
      }
      return newest.archives(in: path)
    }
  }

  /// Whether a path is a project file, or a folder with one that is no build's output.
  private static func isProject(_ path: String) -> Bool {
    guard Folder.kind(of: path) == .folder else { return path.hasSuffix(".yaml") }
    return Folder.kind(of: Folder.join(path, SumsFile.name)) == .missing
      && Folder.kind(of: Folder.join(path, "ingot.yaml")) == .file
  }

  private static func newest(in folder: String) throws -> NewestPackages {
    let list = Folder.join(folder, SumsFile.name)
    return NewestPackages(
      of: try SumsFile(try MappedFile.contents(of: list, limit: SumsFile.sizeLimit), origin: list))
  }

  private func archives(ofProject project: String, _ console: Console) throws -> [PackagePublisher
    .Archive]
  {
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
    let list = Folder.join(folder, SumsFile.name)
    guard Folder.kind(of: list) == .file else {
      throw Failure(message: "\(folder): no package of '\(project)' was built there", hint: hint)
    }
    let newest = try Self.newest(in: folder)
    guard let last = newest.packages.map(\.version).max(), last >= release.version else {
      let found = newest.packages.map(\.version).max().map { "\($0) is the newest" }
      throw Failure(
        message: "\(folder): no package of version \(release.version), which '\(project)' is for; "
          + (found ?? "there is none"), hint: hint)
    }
    let older = newest.packages.filter { $0.version < release.version }
    if !older.isEmpty {
      console.warn(
        "\(folder): of \(Figures.count(older.count, "customer")) the newest package is older than "
          + "\(release.version), '\(older[0].app)' the first",
        hint: hint)
    }
    return newest.archives(in: folder)
  }
}

extension NewestPackages {
  fileprivate func archives(in folder: String) -> [PackagePublisher.Archive] {
    packages.map { PackagePublisher.Archive(path: Folder.join(folder, $0.path), app: $0.app) }
  }
}
