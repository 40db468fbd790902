import Foundation
import TestSupport
import Testing

/// `ingot store` as a process.
struct StoreTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The blob of "weights", written by hand.
  static let blob = "cas/9a/9a129038d9a00aed0cf6a7ea059ca50a813449061ab87848cf1a13eafdf33b2c"

  private func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Program {
    try Program.run(["store"] + arguments, environment: environment, in: folder.path)
  }

  private func writeStore() throws {
    try folder.write("store/\(Self.blob)", "weights")
    try folder.write("store/ac/.ingot-left", "half")
  }

  @Test func checkTellsWhatIsThere() throws {
    try writeStore()
    let run = try run("check", "--store", "store")
    #expect(run.output == "store: 0 results, 1 blob, 11 B, 1 unfinished\n")
    #expect(run.errors == "" && run.status == 0)
  }

  @Test func checkFailsOnACorruptBlobAndLeavesIt() throws {
    try folder.write("store/\(Self.blob)", "other")
    let run = try run("check", "--store", "store")
    #expect(run.status == 1)
    #expect(run.output == "store: 0 results, 1 blob, 5 B\n")
    #expect(
      run.errors == """
        error: store: 1 fault
          store/\(Self.blob): is corrupt: its content has SHA-256 \
        d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa
        hint: 'ingot store gc' removes what is corrupt

        """)
    #expect(folder.exists("store/\(Self.blob)"))
  }

  @Test func gcRemovesWhatNobodyNeeds() throws {
    try writeStore()
    let run = try run("gc", "--store", "store")
    #expect(run.output == "removed 2 files, 11 B\nstore: 0 results, 0 blobs, 0 B\n")
    #expect(run.errors == "" && run.status == 0)
    #expect(try folder.files() == ["store/.lock"])
  }

  @Test func answersAsJSON() throws {
    try writeStore()
    let json = try run("gc", "--store", "store", "--max-age", "0", "--max-size", "1GB", "--json")
      .json()
    #expect(json["schemaVersion"] as? Int == 1)
    #expect(json["store"] as? String == "store")
    #expect(json["bytes"] as? Int == 0)
    #expect(json["removed"] as? [String: Int] == ["count": 2, "bytes": 11])
    #expect(json["faults"] as? [String] == [])
  }

  @Test func theStoreIsFoundByTheEnvironment() throws {
    for (name, value, place) in [
      ("INGOT_STORE", "mine", "mine"), ("XDG_CACHE_HOME", folder.path("caches"), "caches/ingot"),
      ("HOME", folder.path("home"), "home/.cache/ingot"),
    ] {
      try folder.write("\(place)/\(Self.blob)", "weights")
      var environment = ["INGOT_STORE": "", "XDG_CACHE_HOME": "relative", "HOME": "/nowhere"]
      environment[name] = value
      let run = try run("check", environment: environment)
      #expect(run.output.hasSuffix("\(place): 0 results, 1 blob, 7 B\n"))
    }
    let none = ["INGOT_STORE": "", "XDG_CACHE_HOME": "", "HOME": ""]
    #expect(
      try run("check", environment: none).errors == """
        error: there is no place for a store: neither HOME nor INGOT_STORE is set
        hint: name a folder with --store

        """)
  }

  @Test func aMistypedFolderIsNotMade() throws {
    let run = try run("check", "--store", "stroe")
    #expect(run.status == 1)
    #expect(
      run.errors == """
        error: stroe: there is no store
        hint: 'ingot build' makes one; see --store

        """)
    #expect(try folder.files() == [])
  }

  @Test(.enabled(if: Program.has("flock"), "flock is not installed"))
  func aStoreInUseIsLeftAlone() throws {
    try writeStore()
    try folder.write("store/.lock", "")
    let run = try Program.shell(
      #"flock --shared store/.lock "$0" store gc --store store"#, in: folder.path)
    #expect(run.status == 1)
    #expect(
      run.errors == """
        error: store: the store is in use by another process
        hint: try again when the build has ended

        """)
    #expect(folder.exists("store/\(Self.blob)"))
  }

  @Test(arguments: ["-1", "1XB", "", "GB", "99999999999GB", "1 GB"])
  func badSizesAreWrongUsage(_ size: String) throws {
    #expect(try run("gc", "--store", "store", "--max-size=\(size)").status == 64)
  }

  @Test func badAgesAreWrongUsage() throws {
    #expect(try run("gc", "--store", "store", "--max-age", "1000001").status == 64)
    #expect(try run("gc", "--store", "store", "--max-age=-1").status == 64)
  }
}
