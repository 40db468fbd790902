import TestSupport
import Testing

/// The example of a release from the first install to a key rotation.
struct UpdatesExampleTests {
  @Test func theWalkEndsWhereItSays() throws {
    let folder = try TemporaryFolder()
    let port = Int.random(in: 20_000..<60_000)
    let walk = try Program.shell(
      #"INGOT="$0" PORT="$1" "$2" "$3/walk" 2>&1"#,
      ["\(port)", "\(Program.repository)/specs/examples/updates/walk", folder.path])
    #expect(walk.status == 0, "\(walk.output.suffix(2_000))")
    for step in [
      "1.1.0, on trial: 7", "in use: 1.0.0; nothing newer is offered", "1.2.0, on trial: 11",
      "1.2.0 is withdrawn", "the next keys take over", "1.3.0, on trial: 16",
      "== the walk is over",
    ] { #expect(walk.output.contains(step), "\(step)") }
  }
}
