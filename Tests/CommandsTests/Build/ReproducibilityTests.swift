import Foundation
import TestSupport
import Testing

/// One project, built in every way that must not matter: every file of the output is the same to the
/// byte, signatures, sums and index included.
struct ReproducibilityTests {
  /// A way to build `project` to `out`, from nothing.
  struct Way: CustomTestStringConvertible {
    let name: String
    /// Lines of bash in a folder with a copy of the project.
    let script: String
    var testDescription: String { name }

    /// The build itself with words before and flags behind it.
    init(_ name: String, before: String = "", flags: String = "") {
      self.init(name, script: "\(before) \"$0\" build project --output out --quiet \(flags)")
    }

    init(_ name: String, script: String) {
      self.name = name
      self.script = script
    }
  }

  static let surroundings = [
    Way("once more"),
    Way("a time zone", before: "TZ=Pacific/Kiritimati"),
    Way("a locale", before: "LC_ALL=tr_TR.UTF-8 LANG=tr_TR.UTF-8"),
    Way("another home", before: "HOME=/ XDG_CACHE_HOME=/nowhere TMPDIR=/dev/shm"),
    Way("no environment", before: "env -i SOURCE_DATE_EPOCH=1795219200 INGOT_STORE=s"),
    Way("umask 000", before: "umask 000;"),
    Way("umask 077", before: "umask 077;"),
    Way("few descriptors", before: "ulimit -n 40;"),
    Way(
      "another folder",
      script: #"mkdir -p 'a b/ü' && mv project 'a b/ü/' && cd 'a b/ü/project' && "#
        + #""$0" build --output ../../../out --quiet"#),
    Way(
      "absolute paths",
      script: #""$0" build "$PWD/project/ingot.yaml" --output "$PWD/out" --quiet"#),
    Way("the year 1970", before: "faketime '1970-01-02 00:00:00'"),
    Way("the year 2100", before: "faketime '2100-12-31 23:59:59'"),
    Way(
      "old files",
      script: #"find project -exec touch -d 1985-01-01 {} + && "#
        + #""$0" build project --output out --quiet"#),
  ]

  /// Ways that only root can arrange.
  static let places = [
    Way(
      "another user",
      script: #"""
        chmod 755 .. ../.. && chown -R 65534:65534 . &&
          setpriv --reuid 65534 --regid 65534 --clear-groups \
            "$0" build project --output out --quiet
        """#),
    Way(
      "another host",
      script: #"""
        unshare --uts bash -c 'hostname other && "$0" build project --output out --quiet' "$0"
        """#),
  ]

  static let effort = [
    Way("one job", flags: "--jobs 1"),
    Way("two jobs", flags: "--jobs 2"),
    Way("eight jobs", flags: "--jobs 8"),
    Way("no store", flags: "--no-store"),
    Way(
      "a store that knows all",
      script: #""$0" build project --output first --quiet && "#
        + #""$0" build project --output out --quiet"#),
    Way(
      "a store that knows some",
      script: #"""
        sed -n 1,3p project/customers.json >all; cp project/customers.json all
        python3 -c 'import json; print(json.dumps(json.load(open("all"))[:1]))' \
          >project/customers.json
        "$0" build project --output first --quiet && cp all project/customers.json &&
          "$0" build project --output out --quiet
        """#),
    Way(
      "three shards, the last first",
      script: #"""
        for number in 3 1 2; do
          "$0" build project --shard $number/3 --output shards --quiet >/dev/null || exit
        done
        "$0" build project --merge shards --output out --quiet
        """#),
    Way(
      "customer after customer",
      script: #"""
        cp project/customers.json all
        python3 -c 'import json; print(json.dumps(json.load(open("all"))[:1]))' \
          >project/customers.json
        "$0" build project --output out --quiet && cp all project/customers.json &&
          "$0" build project --output out --quiet
        """#),
    Way(
      "interrupted",
      script: HeldBuild.functions + #"""
        hold "$0" build project --output out
        kill -KILL $held; wait $held; status=$?
        [ $status = 137 ] || { echo "ended with $status" >&2; exit 97; }
        compgen -G 'out/.ingot-*/*' >/dev/null || { echo 'left nothing' >&2; exit 96; }
        "$0" build project --output out --quiet
        """#),
  ]

  @Test(arguments: effort)
  func howItIsBuiltDoesNotMatter(_ way: Way) throws { try checkBytes(of: way) }

  @Test(.enabled(if: Program.has("faketime"), "faketime is needed"), arguments: surroundings)
  func whereItIsBuiltDoesNotMatter(_ way: Way) throws { try checkBytes(of: way) }

  @Test(.enabled(if: FullDiskTests.canBeAnother, "only root can do so"), arguments: places)
  func whoBuildsItDoesNotMatter(_ way: Way) throws { try checkBytes(of: way) }

  private func checkBytes(of way: Way) throws {
    let folder = try TemporaryFolder()
    try folder.writeFaultProject()
    let plain = try Program.shell(
      #"mkdir plain && cp -a project plain/ && cd plain && "$0" build project --output out --quiet"#,
      in: folder.path, environment: ["INGOT_STORE": "s"])
    try #require(plain.status == 0, "\(plain.errors)")
    let expected = try OutputTree("plain/out", in: folder)
    for name in ["SHA256SUMS", "SHA256SUMS.sig", "index.jsonl"] {
      #expect(expected.files[name]?.isEmpty == false, "\(name)")
    }
    for suffix in [".tar.zst", ".tar.zst.sig", ".intoto.jsonl"] {
      #expect(expected.files.keys.filter { $0.hasSuffix(suffix) }.count == 2, "\(suffix)")
    }
    let run = try Program.shell(
      "mkdir other && cp -a project other/ && cd other\n" + way.script, in: folder.path,
      environment: ["INGOT_STORE": "s"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try OutputTree("other/out", in: folder).differences(from: expected) == [])
  }

  @Test(.enabled(if: Program.has("faketime"), "faketime is needed"), arguments: [1970, 2038, 2100])
  func whetherAPackageIsSoundDoesNotDependOnTheClock(_ year: Int) throws {
    let folder = try TemporaryFolder()
    try folder.writeFaultProject()
    _ = try Program.run(["build", "project", "--output", "out", "--quiet"], in: folder.path)
    let run = try Program.shell(
      #"for file in out/*/*.tar.zst; do faketime "$1-06-01 00:00:00" "$0" verify "$file" || exit; done"#,
      [String(year)], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.split(separator: "\n").filter { $0.hasSuffix(": sound") }.count == 2)
  }

  /// Only who verifies looks at the clock, and sees what ssh-keygen sees.
  @Test(
    .enabled(if: Program.has("faketime"), "faketime is needed"),
    arguments: [(1970, false), (2019, false), (2021, true), (2049, true), (2100, false)])
  func theClockDecidesWhetherASignerIsValid(_ year: Int, _ isValid: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.writeFaultProject()
    let run = try Program.shell(
      #"""
      "$0" build project --output out --quiet >/dev/null || exit 90
      { echo -n 'me namespaces="package@ingot.dev,provenance@ingot.dev",valid-after="20200101Z",valid-before="20500101Z" '
        cat project/keys/release.pub; } >signers
      cd out/*1111 && archive=$(echo *.tar.zst)
      faketime "$1-06-01 00:00:00" "$0" verify "$archive" --allowed-signers ../../signers >&2
      echo $?
      faketime "$1-06-01 00:00:00" ssh-keygen -Y verify -f ../../signers -I me \
        -n package@ingot.dev -s "$archive.sig" <"$archive" >&2
      echo $?
      """#, [String(year)], in: folder.path)
    #expect(run.output == (isValid ? "0\n0\n" : "4\n255\n"), "\(run.errors)")
  }
}
