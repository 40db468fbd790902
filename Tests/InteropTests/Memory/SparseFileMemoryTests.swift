import Foundation
import TestSupport
import Testing

/// Files that hold a gigabyte of zeros and take next to no space: what looks at them stays small. Each
/// is looked at by a process of its own.
@Suite(.serialized) struct SparseFileMemoryTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "inspect safetensors", arguments: ["inspect", "w.safetensors"]),
    Case(name: "inspect an archive", arguments: ["inspect", "w.npz"]),
    Case(name: "inspect a model of many channels", arguments: ["inspect", "model"]),
    Case(name: "plan int8", arguments: ["plan", "model"]),
    Case(
      name: "plan palettes", arguments: ["plan", "model", "--scheme", "palettize", "--bits", "4"]),
  ]

  private static let ingot = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "ingot").path

  /// Writes the files, by Python's own means.
  private static let script = """
    import json, os, struct, sys, zipfile
    os.chdir(sys.argv[1])

    def hole(path, start, count):
        with open(path, "wb") as file:
            file.write(start)
        os.truncate(path, len(start) + count)

    def npy(shape):
        text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
        text += " " * (63 - (10 + len(text)) % 64) + "\\n"
        return b"\\x93NUMPY\\x01\\x00" + struct.pack("<H", len(text)) + text.encode()

    entry = {"dtype": "F32", "shape": [1 << 18, 1 << 10], "data_offsets": [0, 1 << 30]}
    header = json.dumps({"w": entry}).encode()
    hole("w.safetensors", struct.pack("<Q", len(header)) + header, 1 << 30)
    with zipfile.ZipFile("w.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("w.npy", "w") as member:
            member.write(npy((1 << 18, 1 << 10)))
            for _ in range(1 << 10):
                member.write(bytes(1 << 20))
    os.mkdir("model")
    hole("model/w.npy", npy((1 << 26, 4)), 1 << 30)
    model = {"architecture": "dense", "inputs": [{"name": name} for name in "abcd"],
             "layers": [{"weight": "w.npy"}], "output": {"name": "v", "kind": "embedding"}}
    with open("model/model.json", "w") as file:
        json.dump(model, file)
    """

  @Test(arguments: cases) func staysSmall(_ test: Case) throws {
    let folder = try TemporaryFolder()
    _ = try Oracle.run(
      program: "/usr/bin/env", [Oracle.python ?? "python3", "-c", Self.script, folder.path])
    let arguments = test.arguments.map { argument in
      ["w.safetensors", "w.npz", "model"].contains(argument) ? folder.path(argument) : argument
    }
    let measured = try Oracle.measure([Self.ingot] + arguments)
    #expect(measured["status"] as? Int == 0, "\(measured["errors"] ?? "")")
    #expect(measured["peakMB"] as? Double ?? .infinity < 100)
  }

  /// Two files whose last values alone differ.
  @Test func diffStaysSmall() throws {
    let folder = try TemporaryFolder()
    let script = """
      import json, os, struct, sys
      os.chdir(sys.argv[1])
      entry = {"dtype": "F32", "shape": [1 << 18, 1 << 10], "data_offsets": [0, 1 << 30]}
      header = json.dumps({"w": entry}).encode()
      start = struct.pack("<Q", len(header)) + header
      for name, last in (("a", 0), ("b", 1)):
          with open(f"{name}.safetensors", "wb") as file:
              file.write(start)
              file.seek(len(start) + (1 << 30) - 4)
              file.write(struct.pack("<f", last))
      """
    _ = try Oracle.run(
      program: "/usr/bin/env", [Oracle.python ?? "python3", "-c", script, folder.path])
    let files = ["a", "b"].map { folder.path("\($0).safetensors") }
    let measured = try Oracle.measure([Self.ingot, "diff"] + files)
    #expect(measured["status"] as? Int == 1)
    #expect(measured["peakMB"] as? Double ?? .infinity < 100)
  }
}
