import Foundation
import TestSupport
import Testing

/// Builds that meet each other, their readers, and disks that take nothing.
struct ConcurrentBuildTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A shell in which a build was stopped while it works; its process is `$held`. Everything in the
  /// folder is as it was when that happened.
  private static let slowly =
    HeldBuild.functions + #"""
      finish() { kill -CONT $held; release >slow.errors; wait $held; }
      hold "$0" build project --output out >slow.answer
      kill -STOP $held

      """#

  @Test func theSecondBuildNamesTheFirstAndEnds() throws {
    try folder.writeProject()
    let run = try Program.shell(
      Self.slowly + #"""
        find out project | sort >before
        "$0" build project --output out >second.answer; status=$?
        find out project | sort >after
        finish; echo "$held $status $?"
        """#, in: folder.path)
    #expect(run.status == 0)
    let numbers = run.output.split(whereSeparator: \.isWhitespace).map(String.init)
    try #require(numbers.count == 3, "\(run.output) \(run.errors)")
    #expect(numbers[1] == "1")
    let words = run.errors.firstMatch(
      of: /^error: out: .*\b([0-9]+)\b.* since .* is building here;/)
    #expect(words.map { String($0.1) } == numbers[0], "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(try folder.bytes("second.answer").isEmpty)
    #expect(try folder.bytes("before") == folder.bytes("after"))
    // The first one never noticed: one customer of three is refused, as always.
    #expect(numbers[2] == "3")
    #expect(try folder.archives(in: "out").keys.filter { $0.hasSuffix(".tar.zst") }.count == 2)
  }

  @Test func anotherOutputFolderIsFree() throws {
    try folder.writeProject()
    try folder.writeFaultProject("other")
    let run = try Program.shell(
      Self.slowly + #"""
        "$0" build other --output elsewhere --quiet >/dev/null; status=$?
        finish; echo "$status $?"
        """#, in: folder.path)
    #expect(run.output == "0 3\n", "\(run.errors)")
  }

  @Test func aBuildThatWasKilledHoldsNothing() throws {
    try folder.writeProject()
    let run = try Program.shell(
      Self.slowly + #"""
        kill -KILL $held; wait $held
        "$0" build project --output out --quiet >/dev/null 2>&1; echo $?
        """#, in: folder.path)
    #expect(run.output == "3\n", "\(run.errors)")
    #expect(try OutputTree("out", in: folder).unfinished == [])
  }

  /// One reader verifies whatever has a name while version after version is built. The builder waits
  /// for it after each version, so that it looks at all of them, and often while one is made.
  @Test func readersNeverSeeAPartOfAnArchive() throws {
    try folder.writeFaultProject()
    let run = try Program.shell(
      #"""
      : >looked
      (for version in 1.{0..9}.0; do
        sed -i "s/version: [0-9.]*/version: $version/" project/ingot.yaml
        "$0" build project --output out --quiet >/dev/null || exit 9
        looks=$(wc -l <looked)
        until [ "$(wc -l <looked)" -gt "$looks" ]; do
          kill -0 $$ 2>/dev/null || exit 8
          sleep 0.005
        done
      done) & builder=$!
      count=0
      while kill -0 $builder 2>/dev/null; do
        for archive in out/*/*.tar.zst; do
          [ -e "$archive" ] || continue
          "$0" verify "$archive" --quiet >/dev/null || exit 1
          count=$((count + 1))
        done
        [ -e out/SHA256SUMS ] && { (cd out && sha256sum --quiet -c SHA256SUMS) || exit 2; }
        echo x >>looked
      done
      wait $builder || exit
      echo $count
      """#, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(Int(run.output.trimmingCharacters(in: .newlines)) ?? 0 >= 20, "\(run.output)")
    #expect(
      try folder.files().filter { $0.hasPrefix("out/") && $0.hasSuffix(".tar.zst") }.count == 20)
  }

  /// A build that reads the store another one fills at that moment gets the same bytes.
  @Test func buildsShareOneStore() throws {
    try folder.writeProject()
    let run = try Program.shell(
      #"""
      for number in {1..6}; do "$0" build project --output out$number --quiet >/dev/null 2>&1 & done
      for job in $(jobs -p); do wait $job; echo -n "$? "; done
      """#, in: folder.path)
    #expect(run.output.split(separator: " ").filter { $0 == "3" }.count == 6, "\(run.output)")
    let first = try OutputTree("out1", in: folder)
    #expect(first.files.keys.contains(TemporaryFolder.archive(TemporaryFolder.apps[0])))
    for number in 2...6 {
      #expect(try OutputTree("out\(number)", in: folder).differences(from: first) == [])
    }
  }
}
