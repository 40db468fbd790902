import Foundation
import TestSupport

/// Findings of coremltools and the numpy executor about a package: a line of `judge_packages.py`.
struct PackageReport: Decodable {
  struct Feature: Decodable {
    let name: String
    let type: String
    let description: String
    let shape: [Int]?
    let enumeratedShapes: [[Int]]?

    /// Type and shapes in short, such as `INT32 [1, 64]`.
    var words: String {
      let shapes = enumeratedShapes ?? shape.map { [$0] } ?? []
      return ([type] + shapes.map { "\($0)" }).joined(separator: " ")
    }
  }

  struct Weight: Decodable {
    let name: String
    let op: String
    let shape: [Int]
    let nbits: Int?
    /// Whether `get_weights_metadata` has it.
    let listed: Bool
    /// Of the dequantised values as little-endian float32.
    let sha256: String
  }

  /// Facts about the run that rounds every value to float16.
  struct Facts: Decodable {
    let nan: Int
    let overflows: [String: Int]
    let largest: Double
  }

  let package: String
  let bytes: Int
  let isValid: Bool
  let specificationVersion: Int
  let opset: String
  let inputs: [Feature]
  let outputs: [Feature]
  let predictedFeatureName: String
  let predictedProbabilitiesName: String
  /// How often the program holds each operation.
  let operations: [String: Int]
  let weights: [Weight]
  let nonFinite: [String]
  let decompresses: Bool
  let decompressError: String?
  let disagreements: [String]
  let badIdentifiers: [String]
  let facts: Facts
  /// Of a classifier, by rounding: the label of each sample.
  let labels: [String: [String]]
}

/// A package for Python to judge, and the inputs to run it on.
struct PackageJob: Encodable {
  let package: String
  /// Numbers by input, for each sample.
  let samples: [[String: [Float]]]
  /// How to run values that the program declares as float16: in float32, or rounded.
  let roundings: [String]
  /// The `.npz` that gets what the package puts out, by rounding: [samples, width].
  let outputs: String

  /// Judges all in one process.
  static func judge(_ jobs: [PackageJob], in folder: TemporaryFolder) throws -> [PackageReport] {
    let path = folder.path("jobs.json")
    try JSONEncoder().encode(jobs).write(to: URL(filePath: path))
    let text = try Oracle.run("judge_packages.py", [path])
    return try text.split(separator: "\n").map {
      try JSONDecoder().decode(PackageReport.self, from: Data($0.utf8))
    }
  }
}
