import Foundation
import TestSupport
import Testing

/// One build over several machines, as `specs/distribution.md` shows it.
struct DistributionTests {
  let folder: TemporaryFolder
  /// The output of one build on one machine.
  private let whole: OutputTree

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeFaultProject()
    let run = try Program.run(
      ["build", "project", "--output", "whole", "--store", "one", "--quiet"], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    whole = try OutputTree("whole", in: folder)
  }

  /// Proves a shard of three, whose result lies in `shards`.
  private func prove(_ shard: Int, _ flags: [String]) throws {
    let run = try Program.run(
      ["build", "project", "--shard", "\(shard)/3", "--output", "shards", "--quiet"] + flags,
      in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
  }

  private func merge(_ flags: [String]) throws -> Program {
    try Program.run(
      ["build", "project", "--merge", "shards", "--output", "merged"] + flags, in: folder.path)
  }

  @Test func storesLaidOverEachOtherAreOne() throws {
    for shard in 1...3 { try prove(shard, ["--store", "store\(shard)"]) }
    let copied = try Program.shell("mkdir all && cp -a store*/. all/", in: folder.path)
    #expect(copied.status == 0)
    let run = try merge(["--store", "all"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(!run.errors.contains("int8 per channel"), "nothing is proven: \(run.errors)")
    #expect(try OutputTree("merged", in: folder).differences(from: whole) == [])
  }

  @Test(.enabled(if: Nginx.program != nil, "nginx is needed"))
  func machinesShareAServer() throws {
    let server = try Nginx.ofTheExample()
    for shard in 1...3 {
      try prove(shard, ["--store", "store\(shard)", "--remote-store", server.address])
    }
    let run = try merge(["--store", "empty", "--remote-store", server.address])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try OutputTree("merged", in: folder).differences(from: whole) == [])
  }

  @Test(.enabled(if: Nginx.program != nil, "nginx is needed"))
  func aWrongBodyIsProvenAgain() throws {
    let server = try Nginx.ofTheExample()
    for shard in 1...3 {
      try prove(shard, ["--store", "filling", "--remote-store", server.address])
    }
    let spoiled = try Program.shell(
      #"find "$1/cas" -type f -exec sh -c 'printf x >>"$0"' {} \;"#, [server.root], in: folder.path)
    #expect(spoiled.status == 0)
    let run = try Program.run(
      [
        "build", "project", "--output", "merged", "--store", "empty", "--remote-store",
        server.address,
      ], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("warning: \(server.address)"), "\(run.errors)")
    #expect(run.errors.contains("first_flow v1: int8 per channel\n"), "\(run.errors)")
    #expect(try OutputTree("merged", in: folder).differences(from: whole) == [])
  }

  @Test func aMissingShardIsRefused() throws {
    try prove(1, ["--store", "store"])
    try prove(3, ["--store", "store"])
    let run = try merge(["--store", "store"])
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(
      run.errors == """
        error: the shards do not make a whole build; nothing was published
          shard 2 of 3 is missing; run it: --shard 2/3

        """)
    #expect(try OutputTree("merged", in: folder).files.keys.allSatisfy { $0 == ".lock" })
  }

  @Test func theStoreOfAShardMustBeThere() throws {
    for shard in 1...3 { try prove(shard, ["--store", "store"]) }
    let run = try merge(["--store", "another"])
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(
      run.errors.contains(
        /^error: model '[a-z]+_flow v[12]' \([0-9a-f]{64}\) is not in the store;/),
      "\(run.errors)")
    #expect(try OutputTree("merged", in: folder).files.keys.allSatisfy { $0 == ".lock" })
  }

  @Test func aShardThatRanTwiceChangesNothing() throws {
    for shard in [1, 2, 2, 3, 1] { try prove(shard, ["--store", "store"]) }
    #expect(try merge(["--store", "store", "--quiet"]).status == 0)
    #expect(try OutputTree("merged", in: folder).differences(from: whole) == [])
  }

  /// Every model is one shard's, whatever the number of shards.
  @Test(arguments: [1, 2, 3, 16])
  func shardsPartTheWork(_ count: Int) throws {
    let list = try Program.run(["build", "project", "--list", "--json"], in: folder.path).json()
    let actions = try #require(list["actions"] as? [[String: Any]])
    let keys = Set(actions.compactMap { $0["key"] as? String })
    #expect(keys.count == 2)
    var found: [String] = []
    for shard in 1...count {
      let run = try Program.run(
        ["build", "project", "--shard", "\(shard)/\(count)", "--output", "s", "--quiet"],
        in: folder.path)
      #expect(run.status == 0)
      let result =
        try JSONSerialization.jsonObject(with: folder.bytes("s/shard-\(shard)-of-\(count).json"))
        as? [String: Any]
      found += result?["keys"] as? [String] ?? []
    }
    #expect(found.count == keys.count && Set(found) == keys)
  }

  // MARK: Bazel

  private func generate() throws -> String {
    let run = try Program.run(
      ["project"], environment: ["INGOT": Program.path],
      program: "\(Program.repository)/scripts/generate-bazel", in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  @Test func bazelHasAnActionForEachModel() throws {
    let list = try Program.run(["build", "project", "--list", "--json"], in: folder.path).json()
    let actions = try #require(list["actions"] as? [[String: Any]])
    let text = try generate()
    #expect(text.matches(of: /\ngenrule\(/).count == actions.count)
    for action in actions {
      let key = try #require(action["key"] as? String)
      #expect(text.contains("outs = [\"\(key).tar\"]"))
    }
    #expect(
      text.contains(#"glob(["flows/first_flow/v1/**", "flows/first_flow/references.jsonl"])"#))
    #expect(!text.contains("keys/release") && !text.contains(TemporaryFolder.apps[0]))
  }

  @Test func aCustomerCostsNoAction() throws {
    let before = try generate()
    try folder.writeFaultProject(version: "9.9.9")
    let list = String(decoding: try folder.bytes("project/customers.json"), as: UTF8.self)
    try folder.write(
      "project/customers.json",
      list.replacingOccurrences(of: TemporaryFolder.apps[1], with: TemporaryFolder.apps[2]))
    #expect(try generate() == before)
  }

  @Test(.enabled(if: Program.has("bazel"), "bazel is needed"))
  func bazelFillsAStore() throws {
    try folder.write("project/BUILD.bazel", try generate())
    try folder.write("project/WORKSPACE", "")
    let run = try Program.shell(
      #"""
      bazel() { command bazel --nohome_rc --output_user_root="$PWD/../bazel" --max_idle_secs=1 "$@"; }
      cd project && cp "$0" ingot && bazel build //:models >../log 2>&1 || { cat ../log; exit 1; }
      mkdir ../filled && for part in bazel-bin/*.tar; do tar -xf "$part" -C ../filled; done
      bazel shutdown >/dev/null 2>&1; chmod -R u+w ../bazel; rm -rf bazel-*
      ./ingot build . --store ../filled --output ../merged
      """#, in: folder.path)
    #expect(run.status == 0, "\(run.output)")
    let recalled = run.errors.matches(of: /: passed before, from the store: standard\n/)
    #expect(recalled.count == 2, "\(run.errors)")
    #expect(try OutputTree("merged", in: folder).differences(from: whole) == [])
  }

  // MARK: The workflow

  /// Every line of the example that runs the program is one that the program takes.
  @Test func theWorkflowSpeaksToThisProgram() throws {
    let text = try String(
      contentsOf: URL(
        filePath: "\(Program.repository)/specs/examples/distribution/release.yaml"),
      encoding: .utf8)
    let lines = text.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /(?:run: | {10})ingot (.*)/).map { String($0.1) }
    }
    try #require(lines.count == 3)
    for line in lines {
      let filled = line.replacingOccurrences(of: "${{ matrix.shard }}", with: "1")
        .replacingOccurrences(of: "/4", with: "/1")
      let run = try Program.shell(#"cd project && "$0" \#(filled)"#, in: folder.path)
      #expect(run.status == 0, "\(filled): \(run.errors)")
    }
    #expect(try OutputTree("project/packages", in: folder).differences(from: whole) == [])
  }
}
