import Foundation
import TestSupport
import Testing

/// `verify --require-profile`, of packages whose limits are their profiles' own.
struct RequiredProfileTests {
  let folder: TemporaryFolder
  private let archive = "out/\(TemporaryFolder.archive(TemporaryFolder.apps[0]))"

  init() throws { folder = try TemporaryFolder.withBuiltProject() }

  @Test(arguments: ["standard", "lenient"])
  func whatIsAsTightIsEnough(_ profile: String) throws {
    for path in [archive, "out/SHA256SUMS"] {
      let run = try Program.run(["verify", path, "--require-profile", profile], in: folder.path)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.contains("  limits: at least as tight as '\(profile)', as required\n"))
      let json = try Program.run(
        ["verify", path, "--require-profile", profile, "--json"], in: folder.path
      ).json()
      #expect(json["verdict"] as? String == "sound")
      #expect(json["requiredProfile"] as? String == profile)
    }
  }

  @Test func whatIsLooserIsNot() throws {
    for path in [archive, "out/SHA256SUMS"] {
      let run = try Program.run(["verify", path, "--require-profile", "strict"], in: folder.path)
      #expect(run.status == 4)
      #expect(
        run.errors.hasPrefix("error: \(path): limits are weaker than 'strict', which is required\n")
      )
      #expect(
        run.errors.contains("model 'vector': cosine mean 0.99, 'strict' asks for at least 0.999\n"))
    }
  }

  /// Nothing to require a profile of must not be read as a profile that was met.
  @Test func aListWithoutPackagesIsNotEnough() throws {
    let run = try Program.shell(
      #"cd out && sha256sum index.jsonl >SHA256SUMS && "$0" verify SHA256SUMS "#
        + "--require-profile lenient", in: folder.path)
    #expect(run.status == 4)
    #expect(
      run.errors == "error: SHA256SUMS: lists no package, 'lenient' is required of packages\n")
  }

  /// A file in the list that is called a package and is none.
  @Test func aListedFileThatIsNoPackageIsNot() throws {
    let run = try Program.shell(
      #"cd out && echo x >a.tar.zst && sha256sum a.tar.zst >SHA256SUMS && "$0" verify SHA256SUMS "#
        + "--require-profile lenient", in: folder.path)
    #expect(run.status == 4)
    #expect(run.errors.contains("  a.tar.zst: "), "\(run.errors)")
  }
}
