import Foundation
import TestSupport
import Testing

/// Indexes of output folders that claim more than they say, or say more than there is memory for.
/// Each is read by a process of its own.
struct LargeIndexTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes an output folder by Python's own means: an index of sound lines of 3.5 MB each, and after
  /// them zeros that take no space.
  private func writeOutput(lines: Int, zeros: Int) throws {
    let script = """
      import hashlib, os, sys
      os.chdir(sys.argv[1])
      os.mkdir("out")
      app, digest = "3f6f0c1e-8a52-4d0b-9c57-6e1b2a94d7f3", "ab" * 32
      models = ",".join(f'"m{number}":"{digest}"' for number in range(50000))
      previous = hashlib.sha256().hexdigest()
      with open("out/index.jsonl", "w") as file:
          for number in range(int(sys.argv[2])):
              version = f"1.{number}.0"
              line = (f'{{"app":"{app}","bytes":7,"inputs":"{digest}","models":{{{models}}},'
                      f'"path":"{app}/{app}-{version}.zip","previous":"{previous}",'
                      f'"sha256":"{digest}","terms":"{digest}","version":"{version}"}}')
              previous = hashlib.sha256(line.encode()).hexdigest()
              file.write(line + "\\n")
      os.truncate("out/index.jsonl", os.path.getsize("out/index.jsonl") + int(sys.argv[3]))
      with open("out/SHA256SUMS", "w") as file:
          file.write(f"{digest}  {app}/{app}-1.0.0.zip\\n")
      """
    _ = try Oracle.run(
      program: "/usr/bin/env",
      [Oracle.python ?? "python3", "-c", script, folder.path, "\(lines)", "\(zeros)"])
  }

  @Test func aHoleCostsNoMemory() throws {
    try writeOutput(lines: 0, zeros: 1 << 30)
    let measured = try Oracle.measure([Program.path, "verify", folder.path("out")])
    #expect(measured["status"] as? Int == 4)
    #expect(
      measured["errors"] as? String
        == "error: \(folder.path("out/index.jsonl")):1:1: the line goes on beyond 12582912 bytes, "
        + "the limit of a line; bring the file back from a backup, or remove it to have it made "
        + "anew\n")
    #expect(measured["peakMB"] as? Double ?? .infinity < 100)
  }

  /// The memory for sound lines is asked for before it is taken.
  @Test func linesForWhichThereIsNoMemoryAreNoTrap() throws {
    try writeOutput(lines: 26, zeros: 0)
    let measured = try Oracle.measure([
      "sh", "-c", #"ulimit -v 500000; exec "$0" "$@""#, Program.path, "verify", folder.path("out"),
    ])
    let errors = measured["errors"] as? String ?? ""
    #expect(measured["status"] as? Int == 1)
    #expect(
      errors.contains("out/index.jsonl: reading its lines needs 134217728 bytes of memory, there"),
      "\(errors)")
  }
}
