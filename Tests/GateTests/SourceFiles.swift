import Files
import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Gate
@testable import Inputs

/// Vectors and inputs in files, for the time of a test.
final class SourceFiles {
  let folder: String
  let inputs: [[Float]]

  init(_ inputs: [[Float]] = SourceFiles.features(12)) throws {
    folder = try Folder.createTemporary(in: "/tmp", prefix: "ingot-test-")
    self.inputs = inputs
    try write(inputs.map { #"{"values": \#($0)}"# }.joined(separator: "\n"), "inputs.jsonl")
  }

  deinit { try? Folder.remove(folder) }

  var vectors: String { "\(folder)/vectors.npy" }
  var lines: String { "\(folder)/inputs.jsonl" }

  static func features(_ count: Int) -> [[Float]] {
    var generator = SeededGenerator(seed: 7)
    return generator.matrix(count, 3)
  }

  func write(_ text: String, _ name: String) throws {
    var file = try AtomicFile(path: "\(folder)/\(name)")
    try file.write(Array(text.utf8))
    try file.commit()
  }

  func write(_ rows: [[Float]], width: Int? = nil) throws {
    var file = try AtomicFile(path: vectors)
    try NpyWriter.write(
      rows.flatMap { $0 }, rows: rows.count, columns: width ?? rows[0].count, to: &file)
    try file.commit()
  }

  /// An npy of any type and shape.
  func write(npy descr: String, shape: String, _ bytes: [UInt8]) throws {
    var header = "{'descr': '\(descr)', 'fortran_order': False, 'shape': \(shape), }"
    header += String(repeating: " ", count: 64 - (10 + header.utf8.count + 1) % 64) + "\n"
    let count = header.utf8.count
    var file = try AtomicFile(path: vectors)
    try file.write(
      [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(count & 255), UInt8(count >> 8)]
        + Array(header.utf8) + bytes)
    try file.commit()
  }

  func check() throws -> SourceCheck { try SourceCheck(vectors: vectors, inputs: lines) }

  func outputs(of model: Model) throws -> [[Float]] {
    let outputs = try ModelRunner(model: model, jobs: 1).outputs(
      for: inputs.map { .values($0.map(Double.init)) })
    return (0..<outputs.rowCount).map { Array(outputs[$0]) }
  }
}
