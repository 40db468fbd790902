// What a device does with a delta, for measuring: nothing but the code that an app links for it.
//
//   ingot-device-bench DELTA OLD NEW      makes NEW of OLD
import Deltas
import Files

@main
enum Main {
  struct Usage: Error {}

  static func main() throws {
    let words = CommandLine.arguments.dropFirst()
    guard words.count == 3 else { throw Usage() }
    try apply(words[1], words[2], words[3])
  }

  private static func apply(_ path: String, _ oldPath: String, _ newPath: String) throws {
    let delta = try MappedFile(path: path)
    let expected = try DeltaHeader(delta.start(96), origin: path).new
    var file = try AtomicFile(path: newPath)
    try DeltaReader(delta, old: try MappedFile(path: oldPath), expected: expected)
      .apply { try file.write($0) }
    try file.commit()
  }
}
