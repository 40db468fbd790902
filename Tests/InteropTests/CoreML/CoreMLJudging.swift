import Formats
import Foundation
import Graph
import Inputs
import TestSupport
import Testing
import Tokenization
import WeightCompression
import Weights

/// How far numpy's run of a package is from Ingot's own.
struct PackageFigures {
  /// Least cosine of a row to Ingot's.
  let cosine: Double
  /// Greatest difference of a number, relative to it where it is above 1.
  let difference: Double
}

/// A package on disk as Ingot reads it, run by Ingot and by numpy, and compared.
struct RunPackage {
  let model: Model
  let inputs: [Input]
  let job: PackageJob

  /// - Parameters:
  ///   - files: where the tokenizer is.
  ///   - folder: gets what numpy computes.
  init(
    _ path: String, files: ModelFiles, inputs: [Input], roundings: [String],
    in folder: TemporaryFolder
  ) throws {
    model = try ModelLoader.open(path, files: files)
    self.inputs = inputs
    job = PackageJob(
      package: path, samples: try RunPackage.samples(of: model, inputs),
      roundings: roundings,
      outputs: folder.path(URL(filePath: path).lastPathComponent + ".npz"))
  }

  /// Rows of a table of positions that an input can use; all where lengths are a choice.
  var positions: Int {
    guard case .single(let lengths) = model.architecture.shapes, lengths.count == 1 else {
      return .max
    }
    return lengths[0]
  }

  /// Inputs as an app hands them over: ids and mask of the least length that fits, or the features.
  static func samples(of model: Model, _ inputs: [Input]) throws -> [[String: [Float]]] {
    guard case .tokens(let maximum, _) = model.architecture.input,
      case .single(let lengths) = model.architecture.shapes
    else {
      let name = try model.architecture.smallestGraph().inputs[0].name
      return inputs.map { input in
        guard case .values(let values) = input else { return [:] }
        return [name: values.map { Float($0) }]
      }
    }
    let json = try #require(try model.files.bytes(of: "tokenizer.json"))
    let tokenizer = try WordPieceTokenizer(json: json, origin: "tokenizer.json")
    return inputs.map { input in
      guard case .text(let text) = input else { return [:] }
      let ids = tokenizer.ids(of: text, maximumLength: maximum)
      let missing = (lengths.first { $0 >= ids.count } ?? maximum) - ids.count
      return [
        "input_ids": ids.map(Float.init)
          + Array(repeating: Float(tokenizer.paddingID), count: missing),
        "attention_mask": Array(repeating: 1, count: ids.count)
          + Array(repeating: 0, count: missing),
      ]
    }
  }

  /// Compares every dequantised constant bit for bit with what Ingot's executor gets.
  func compareConstants(with report: PackageReport) throws {
    #expect(report.weights.count > 0)
    let listed = Set(report.weights.map { TensorName($0.name) })
    for name in model.weights.names where !listed.contains(name) {
      // Python lists constants of one element only when they are compressed.
      #expect(model.weights.shape(of: name)?.reduce(1, *) == 1, "\(report.package): \(name)")
    }
    for weight in report.weights {
      let name = TensorName(weight.name)
      guard model.weights.shape(of: name) != nil else {
        // A table of integers is part of the palette that names it, and called after it.
        let whole = listed.first { weight.name.hasPrefix("\($0)_") }
        #expect(whole != nil, "\(report.package): \(weight.name)")
        continue
      }
      let values = try model.weights.floats(of: name)
      let digest = ContentDigest(of: values.withUnsafeBytes { Array($0) })
      #expect(model.weights.shape(of: name) == weight.shape)
      #expect(digest.hex == weight.sha256, "\(report.package): \(weight.name)")
    }
  }

  /// Outputs that Ingot computes.
  func outputs() throws -> OutputMatrix {
    let ours = try ModelRunner(model: model, jobs: 2).outputs(for: inputs)
    #expect(ours.rowCount == inputs.count)
    #expect(ours.values.allSatisfy { $0.isFinite }, "\(job.package)")
    return ours
  }

  /// Compares what Ingot computes with numpy's outputs in one rounding.
  func figures(_ ours: OutputMatrix, _ rounding: String) throws -> PackageFigures {
    let theirs = try #require(try WeightCollection.open(job.outputs)[TensorName(rounding)])
    var values = try theirs.floats()
    // Of two labels Ingot gives the second's number alone.
    if theirs.shape == [ours.rowCount, 2], ours.width == 1 {
      values = stride(from: 1, to: values.count, by: 2).map { values[$0] }
    }
    #expect(values.count == ours.values.count)
    let differences = zip(ours.values, values).map { ours, theirs in
      Double((ours - theirs).magnitude / max(1, ours.magnitude))
    }
    let rows = OutputMatrix(rowCount: ours.rowCount, width: ours.width, values: values)
    let cosines = (0..<ours.rowCount).map { cosine(ours[$0], rows[$0]) }
    // NaN is as far away as can be.
    return PackageFigures(
      cosine: cosines.reduce(1) { $1.isNaN ? -.infinity : min($0, $1) },
      difference: differences.reduce(0) { $1.isNaN ? .infinity : max($0, $1) })
  }

  /// The label of each input, from Ingot's scores.
  func labels(_ ours: OutputMatrix) -> [String] {
    guard case .classes(let labels, let width, let scale) = model.architecture.output else {
      return []
    }
    let whole: Float = scale == .probabilities ? 1 : 0
    return (0..<ours.rowCount).map { row in
      let scores = width == 1 ? [whole - (ours[row].first ?? 0)] + ours[row] : Array(ours[row])
      return labels.plain[scores.indices.max { scores[$0] < scores[$1] } ?? 0]
    }
  }
}

/// The cosine of two vectors.
func cosine(_ left: ArraySlice<Float>, _ right: ArraySlice<Float>) -> Double {
  func dot(_ a: ArraySlice<Float>, _ b: ArraySlice<Float>) -> Double {
    zip(a, b).reduce(0) { $0 + Double($1.0) * Double($1.1) }
  }
  return dot(left, right) / (dot(left, left) * dot(right, right)).squareRoot()
}
