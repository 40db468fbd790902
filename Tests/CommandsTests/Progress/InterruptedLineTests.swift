import TestSupport
import Testing

/// What an interrupt leaves on the terminal.
struct InterruptedLineTests {
  let folder: TemporaryFolder

  /// A `doctor` stays where its line is drawn: the ssh that it asks for a version waits.
  init() throws {
    folder = try TemporaryFolder()
    try folder.write("bin/ssh-keygen", "#!/bin/sh\n", mode: 0o755)
    try folder.write(
      "bin/ssh", "#!/bin/sh\n: >there\necho >started\nread line <held\n", mode: 0o755)
  }

  /// The user presses Ctrl-C, and the terminal adds `^C` to what it shows, sooner or later.
  @Test(.enabled(if: Program.has("script"), "needs script, of bsdutils"))
  func theLineIsRemovedBeforeTheProcessEnds() throws {
    let run = try Program.shell(
      #"""
      mkfifo held started; exec 3<>held 4<>started
      { read line <&4; printf '\003'; } |
        { script -qec "stty cols 40 echo
            exec env --default-signal 'PATH=$PWD/bin:$PATH' '$0' doctor" /dev/null
          status=$?; echo >&4; echo >&3; exit $status; }
      """#, in: folder.path, environment: ["TERM": "xterm"])
    #expect(run.status == 130, "\(run.errors)")
    #expect(folder.exists("there"))
    let text = run.output.replacing("^C", with: "")
    #expect(
      text.hasSuffix("\r\u{1B}[Kerror: interrupted; unfinished output was removed\r\n"), "\(text)")
  }
}
