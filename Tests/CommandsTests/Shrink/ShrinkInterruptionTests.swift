import Foundation
import TestSupport
import Testing

/// Signals while `ingot shrink` searches.
struct ShrinkInterruptionTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeSearchModel()
    try folder.writeSearchPairs()
  }

  /// bash functions. `hold COMMAND…` starts a search that stays where a candidate has passed, since its
  /// stderr is a pipe without room for the words that say so, and nobody reads it; the process is
  /// `$held`. `signal SIGNAL` sends one and waits until the program has taken it and waits for the
  /// next, or is gone. `release` lets it go on, and prints what it says until it ends.
  private static let functions = #"""
    hold() {
      mkfifo said; exec 3<>said
      dd if=/dev/zero of=said bs=4096 oflag=nonblock 2>/dev/null
      "$@" 2>said 3>&- & held=$!
      until grep -q '^1 0x2 ' /proc/$held/syscall 2>/dev/null; do
        kill -0 $held 2>/dev/null || exit 99
        sleep 0.005
      done
    }
    signal() {
      kill -"$1" $held || exit 98
      # Taken from the process, and a thread in sigwait again: rt_sigtimedwait is call 128.
      until [ ! -e /proc/$held/status ] || grep -qs '^State:.[ZX]' /proc/$held/status || {
        grep -qs '^ShdPnd:.0*$' /proc/$held/status &&
          cat /proc/$held/task/*/syscall 2>/dev/null | grep -q '^128 '; }; do sleep 0.005; done
    }
    release() { exec 4<said 3>&-; tr -d '\0' <&4; }

    """#

  private func run(_ script: String, _ flags: String...) throws -> Program {
    try Program.shell(
      Self.functions + script,
      [
        "env", "--default-signal", Program.path, "shrink", "model", "--references", "pairs.jsonl",
        "-o", "s.safetensors", "--write-recipe", "r.yaml", "--limits", "strict",
      ] + flags, in: folder.path)
  }

  private static let before = ["model", "pairs.jsonl", "said"]

  /// bash gives the number of the signal and 128 for what was ended by one.
  @Test(arguments: [("INT", 130), ("TERM", 143)])
  func theBestSoFarIsProvenAndKept(_ name: String, _ status: Int32) throws {
    let run = try run(
      #"hold "$@" >answer; signal \#(name); release >words; wait $held"#, "--keep-best", "--json")
    #expect(run.status == status, "\(run.errors)")
    let words = try folder.text("words")
    #expect(words.contains("a candidate passed: from now on an interrupt keeps"), "\(words)")
    let answer = try #require(
      try JSONSerialization.jsonObject(with: try folder.bytes("answer")) as? [String: Any])
    let search = try #require(answer["search"] as? [String: Any])
    #expect(search["interrupted"] as? Bool == true)
    let trials = try #require(search["trials"] as? [[String: Any]])
    // The last that passed on the search's share, and the proof of that.
    let shares = trials.compactMap { $0["share"] as? String }
    #expect(shares.count { $0 == "verdict" } == 1 && shares.last == "verdict")
    #expect(trials.suffix(2).allSatisfy { $0["verdict"] as? String == "passed" })
    #expect(answer["sizeBytes"] as? Int == (try folder.bytes("s.safetensors").count))
    let again = try Program.run(
      ["compress", "model", "--recipe", "./r.yaml", "-o", "again.safetensors"], in: folder.path)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try folder.bytes("again.safetensors") == folder.bytes("s.safetensors"))
  }

  @Test func aSecondInterruptEndsAtOnce() throws {
    let run = try run(
      #"hold "$@" >answer; signal INT; signal INT; wait $held; s=$?; release >/dev/null; exit $s"#,
      "--keep-best")
    #expect(run.status == 130, "\(run.errors)")
    #expect(try folder.bytes("answer").isEmpty)
    #expect(try folder.names() == ["answer"] + Self.before)
  }

  @Test func aHangUpIsNotAwaited() throws {
    let run = try run(
      #"hold "$@" >answer; signal HUP; wait $held; s=$?; release >/dev/null; exit $s"#,
      "--keep-best")
    #expect(run.status == 129, "\(run.errors)")
    #expect(try folder.names() == ["answer"] + Self.before)
  }

  /// Nobody asked for the best so far, or nothing has passed yet.
  @Test(arguments: [[], ["--keep-best", "--limits", "strict,similarity-drift-max=0"]])
  func anInterruptLeavesNothing(_ flags: [String]) throws {
    // The recipe has a hidden file from the start, before anything is judged.
    try folder.writeSearchPairs(count: 3000)
    let run = try Program.interrupt(
      [
        "shrink", "model", "--references", "pairs.jsonl", "-o", "S.mlpackage", "--write-recipe",
        "r.yaml",
      ] + flags, by: SIGTERM, atFile: 1, in: folder.path)
    #expect(run.status == 143, "\(run.errors)")
    #expect(run.output.isEmpty)
    #expect(run.errors == "error: interrupted; unfinished output was removed\n")
    #expect(try folder.names() == ["model", "pairs.jsonl"])
  }

  /// A signal between the two names: each call that gives one takes long to come back.
  @Test(.enabled(if: Tracer.works, "strace cannot trace here"))
  func aModelAndItsRecipeGetTheirNamesTogether() throws {
    let run = try Program.shell(
      #"""
      strace --seccomp-bpf -f -qq -o /dev/null -e trace=rename,renameat,renameat2 \
        -e inject=rename,renameat,renameat2:delay_exit=400000 "$@" & tracer=$!
      until [ -e s.safetensors ]; do kill -0 $tracer || exit 99; done
      kill -TERM $(cat /proc/$tracer/task/$tracer/children) || exit 98
      wait $tracer
      """#,
      [
        Program.path, "shrink", "model", "--references", "pairs.jsonl", "-o", "s.safetensors",
        "--write-recipe", "r.yaml", "--quiet",
      ], in: folder.path)
    // The signal may come in as the command ends.
    #expect([0, 143].contains(run.status), "\(run.status) \(run.errors)")
    #expect(try folder.names() == ["model", "pairs.jsonl", "r.yaml", "s.safetensors"])
  }

  /// Of a budget, whose first candidate is judged before others are made.
  @Test func theBestOfABudgetSoFarIsKept() throws {
    try folder.writeSearchInputs()
    let run = try run(
      #"hold "$@" >answer; signal INT; release >words; wait $held"#, "--keep-best", "--json",
      "--budget", "60kB", "--calibration", "inputs.jsonl")
    #expect(run.status == 130, "\(run.errors)")
    let answer = try #require(
      try JSONSerialization.jsonObject(with: try folder.bytes("answer")) as? [String: Any])
    let search = try #require(answer["search"] as? [String: Any])
    #expect(search["interrupted"] as? Bool == true)
    let trials = try #require(search["trials"] as? [[String: Any]])
    #expect(trials.compactMap { $0["share"] as? String } == ["search", "verdict"])
    #expect(answer["sizeBytes"] as? Int == (try folder.bytes("s.safetensors").count))
  }
}
