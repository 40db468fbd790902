import Foundation
import Testing
import Trees

@testable import Formats

/// A model that a library trained, what coremltools makes of it, rows, and the library's numbers:
/// a folder that `scripts/oracles/make_tabular_coreml.py` wrote.
struct TabularCase: CustomTestStringConvertible {
  struct About: Decodable {
    let library: String
    let rows: Int
    /// What the probabilities that coremltools' conversion gives are too large by.
    let theirScale: Double
    let tolerance: Double
  }

  let folder: String
  let about: About
  private let description: Description

  var testDescription: String { name }
  var name: String { folder.split(separator: "/").last.map(String.init) ?? folder }

  /// The models, by name; none where no environment made them.
  static func all() throws -> [TabularCase] {
    guard let root = ProcessInfo.processInfo.environment["INGOT_COREML_TABLES"]
    else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: root).sorted()
      .map { try TabularCase(folder: "\(root)/\($0)") }
  }

  private init(folder: String) throws {
    self.folder = folder
    about = try Self.decoded("\(folder)/about.json")
    description = try Self.decoded("\(folder)/model.json")
  }

  private static func decoded<Value: Decodable>(_ path: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// The file of rows, for the reference interpreter.
  var rowsPath: String {
    description.dictionary == nil ? "\(folder)/rows.f64" : "\(folder)/rows.json"
  }

  /// coremltools' conversion.
  func theirs() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/theirs.mlmodel")))
  }

  func expected() throws -> [Double] { try Doubles.read("\(folder)/expected.f64") }

  /// Inputs of a program, a row after another.
  func rows(for program: TabularProgram) throws -> [[String: TabularValue]] {
    if let name = description.dictionary {
      let rows: [[String: [String: Double]]] = try Self.decoded(rowsPath)
      return rows.map { [name: .textDictionary($0[name] ?? [:])] }
    }
    let numbers = try Doubles.read(rowsPath), width = program.inputs.count
    return (0..<about.rows).map { row in
      var values: [String: TabularValue] = [:]
      for (place, input) in program.inputs.enumerated() {
        let number = numbers[row * width + place]
        values[input.name] = input.kind == .int64 ? .int64(Int(number)) : .double(number)
      }
      return values
    }
  }

  /// Ingot's Core ML model of the same estimator.
  func ours() throws -> TabularProgram {
    let options = TabularOptions(output: "target")
    if description.isTreesAlone, let trees = description.predictor.model(description.names) {
      return try TabularProgram(trees(), path: name, options: options)
    }
    return try description.chain().program(path: name, options: options)
  }
}

/// Raw doubles, the lowest byte first.
enum Doubles {
  static func read(_ path: String) throws -> [Double] {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    return stride(from: 0, to: bytes.count - 7, by: 8).map { start in
      Double(bitPattern: (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) })
    }
  }

  static func write(_ values: [Double], _ path: String) throws {
    let bytes = values.flatMap { value in
      (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(8 * $0)) }
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }
}
