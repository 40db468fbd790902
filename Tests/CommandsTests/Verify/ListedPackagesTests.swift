import Foundation
import TestSupport
import Testing

/// `verify` of a list opens the packages in it as it opens one alone.
struct ListedPackagesTests {
  let folder: TemporaryFolder
  private let archive = "out/\(TemporaryFolder.archive(TemporaryFolder.apps[0]))"

  init() throws { folder = try TemporaryFolder.withBuiltProject() }

  private func shell(_ script: String, _ arguments: [String] = []) throws {
    let run = try Program.shell(script, arguments, in: folder.path)
    try #require(run.status == 0, "\(run.errors)\(run.output)")
  }

  /// Lists what lies in the output now, as anybody can who holds no key.
  private func list() throws { try shell("cd out && sha256sum */*.tar.zst >SHA256SUMS") }

  private func refusal() throws -> String {
    let run = try Program.run(["verify", "out/SHA256SUMS"], in: folder.path)
    #expect(run.status == 4)
    #expect(run.output.isEmpty)
    return run.errors
  }

  @Test func soundPackagesAreSaid() throws {
    let run = try Program.run(["verify", "out/SHA256SUMS"], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("\n  models: opened, all of 2 packages\n"), "\(run.output)")
    let json = try Program.run(["verify", "out", "--json"], in: folder.path).json()
    #expect(json["checked"] as? [String] == ["integrity", "models", "index"])
  }

  /// Nothing is said of receipts that have nothing to say.
  @Test func receiptsWithoutWarningsAreNotMentioned() throws {
    let run = try Program.run(["verify", "out"], in: folder.path)
    #expect(!run.output.contains("receipts"), "\(run.output)")
    let json = try Program.run(["verify", "out", "--json"], in: folder.path).json()
    #expect((json["weakened"] as? [String: Any])?.isEmpty == true)
    #expect((json["warnings"] as? [String: Any])?.isEmpty == true)
  }

  /// The shared model was held to less than its profile, and one flow has a feature of one value.
  @Test func whatTheReceiptsSayIsCounted() throws {
    let contract = String(decoding: try folder.bytes("project/ingot.yaml"), as: UTF8.self)
    try folder.write(
      "project/ingot.yaml",
      contract.replacing(
        "references: pairs.jsonl",
        with: "references: pairs.jsonl, limits: {profile: standard, cosineMin: 0.5, weakened: true}"
      ))
    try folder.write(
      "project/flows/second_flow/references.jsonl",
      (0..<20).map { "{\"input\": {\"values\": [0, \($0)]}}\n" }.joined())
    let build = try Program.run(
      ["build", "project", "--output", "held", "--no-store", "--quiet"], in: folder.path)
    try #require(build.status == 3, "\(build.errors)")
    let (first, second) = (
      "held/\(TemporaryFolder.archive(TemporaryFolder.apps[0]))",
      "held/\(TemporaryFolder.archive(TemporaryFolder.apps[1]))"
    )
    let run = try Program.run(["verify", "held"], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    let claim =
      "\n  receipts claim: 2 of 2 packages hold models that passed weakened limits, 1 of 2 packages "
      + "hold models with warnings; verify each alone to read them, the first is \(first)\n"
    #expect(run.output.contains(claim), "\(run.output)")
    let json = try Program.run(["verify", "held", "--json"], in: folder.path).json()
    let weakened = try #require(json["weakened"] as? [String: [String: [String: Any]]])
    #expect(weakened.keys.sorted() == [first, second].sorted())
    #expect(weakened[first]?["vector"]?["words"] as? String == "standard, weakened: cosine min 0.5")
    let warnings = try #require(json["warnings"] as? [String: [String: [String]]])
    #expect(Array(warnings.keys) == [second])
    #expect(warnings[second]?["second_flow"]?.first?.contains("one value of 'a' (0)") == true)
  }

  /// Everything that names a digest is forged to fit, up to the list itself.
  @Test(.enabled(if: Program.has("python3") && Program.has("zstd"), "needs python3 and zstd"))
  func aModelThatIsNoneIsRefused() throws {
    try folder.write(
      "forge.py",
      """
      import hashlib, subprocess, sys, tarfile
      archive = sys.argv[1]
      subprocess.run(["zstd", "-q", "-d", "-f", archive, "-o", "a.tar"], check=True)
      data = open("a.tar", "rb").read()
      members = tarfile.open("a.tar").getmembers()

      def digest(member):
          content = data[member.offset_data:member.offset_data + member.size]
          return hashlib.sha256(content).hexdigest().encode()

      known = {member.name: digest(member) for member in members}
      model = next(member for member in members if member.name.endswith("/model.safetensors"))
      end = model.offset_data + model.size
      data = data[:model.offset_data] + b"#" * model.size + data[end:]
      # What names a digest has another one itself then, and so on up to the manifest.
      while True:
          changed = [member for member in members if digest(member) != known[member.name]]
          if not changed:
              break
          for member in changed:
              before, known[member.name] = known[member.name], digest(member)
              data = data.replace(before, known[member.name])
      open("a.tar", "wb").write(data)
      subprocess.run(["zstd", "-q", "-3", "-f", "a.tar", "-o", archive], check=True)
      """)
    try shell("python3 forge.py \(archive)")
    try list()
    let errors = try refusal()
    #expect(errors.hasPrefix("error: out/SHA256SUMS: 1 of 2 packages not sound\n"), "\(errors)")
    #expect(errors.contains("  \(archive): model 'models/first_flow/model.safetensors' cannot be "))
  }

  @Test func aPackageOfAnotherNameIsRefused() throws {
    let other = "out/\(TemporaryFolder.archive(TemporaryFolder.apps[1]))"
    try shell("cp \(archive) \(other)")
    try list()
    let errors = try refusal()
    #expect(
      errors.contains(
        "  \(other): is the package of app \(TemporaryFolder.apps[0]), version 1.0.0, and is not "
          + "called so\n"), "\(errors)")
  }

  @Test func whatIsCalledAPackageMustBeOne() throws {
    try shell("cd out && mkdir -p x && echo x >x/a.tar.zst")
    try list()
    let errors = try refusal()
    #expect(
      errors.hasPrefix("error: out/SHA256SUMS: 1 of 3 packages not sound\n  out/x/a.tar.zst: "))
  }
}
