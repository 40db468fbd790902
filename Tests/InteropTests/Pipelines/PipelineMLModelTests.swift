import Formats
import Foundation
import Graph
import IngotFeatures
import Inputs
import TestSupport
import Testing
import WeightCompression
import Weights

/// Pipelines as converters write them, made files and packages of Core ML's: coremltools loads them, numpy computes
/// what is in them, and ONNX Runtime gave the numbers.
@Suite(
  .enabled(
    if: PipelineFolder.root != nil && Oracle.isAvailable,
    "no models of tables or no oracle environment: run scripts/test"))
struct PipelineMLModelTests {
  /// What no file holds, with what the message says.
  static let refusedAsFiles = refusedAsPackages.merging([
    "linear-pairs": "gives 2 numbers, and a regressor of Core ML's gives one",
    "logistic-raw": "has 3 outputs with the activation 'identity'",
    "network-2-11": "is a network of 2 layers",
    "network-2-21": "is a network of 2 layers",
    "network-3-11": "is a network of 3 layers",
    "network-3-21": "is a network of 3 layers",
    "network-values-11": "is a network of 3 layers",
    "network-values-21": "is a network of 3 layers",
    "perceptron": "has 3 outputs with the activation 'identity'",
  ]) { $1 }
  /// What no package holds either.
  static let refusedAsPackages = [
    "ada": "step 'place_4' (place, made of operator 4, ArgMax) takes the place",
    "bagging": "step 'mean_17' (mean, made of operator 9, ReduceMean) takes the mean",
    "bins": "step 'less_1' (less, made of operator 16, Less) compares numbers of a row",
    "columns-ordinal": "step 'sum_3' (sum, made of operator 1, LabelEncoder) adds up columns",
    "hand-average-2": "gives 2 numbers",
    "hand-five-3-0-float32": "gives 3 numbers",
    "hand-five-3-0-float64": "gives 3 numbers",
    "hand-sum-2": "gives 2 numbers",
    "hand-two-both-mixed": "gives one score that decides at 0",
    "hand-two-both-one-base": "gives one score that decides at 0",
    "hand-two-both-share": "gives one score that decides at 0",
    "hand-two-turns": "gives one score that decides at 0",
    "lightgbm-forest": "step 'divide_5' (divide, made of operator 2, Div) divides",
    "lightgbm-poisson": "gives exp of a sum",
    "lightgbm-split": "step 'add_4' (add, made of Sum 'sumtree4') adds up",
    "poisson": "step 'exponential_2' (exponential, made of Exp 'Ex_Exp') takes exp",
    "polynomial": "step 'multiply_2' (multiply, made of ReduceProd 'ReduceProd10') multiplies",
    "ridge-scaled": "step 'larger_2' (larger, made of Clip 'Cl_Clip') takes the larger",
    "tree-pairs": "gives 2 numbers",
    "xgboost-poisson": "step 'multiply_2' (multiply, made of operator 2, Mul) multiplies",
  ]

  /// Models that are opened.
  private static func names() throws -> [String] {
    try PipelineFolder.names().filter { TableModelInteropTests.refused[$0] == nil }
  }

  private struct Written {
    let name: String
    let folder: PipelineFolder
    /// The message of Core ML's classic kind.
    let path: String
    let model: Model
  }

  /// Writes all that can be, and notes why others cannot.
  private func write(
    _ scratch: TemporaryFolder, _ format: some Format, _ ending: String
  ) throws -> (written: [Written], refused: [String: String]) {
    var written: [Written] = []
    var refused: [String: String] = [:]
    for name in try Self.names() {
      let folder = try PipelineFolder(name)
      let model = try ModelLoader.open(folder.model)
      let path = scratch.path("\(name).\(ending)")
      do {
        try format.check(model)
        let weights = try WeightCompressor.compress(
          weights: try model.usedWeights(), from: model.weights,
          options: try CompressionOptions(scheme: nil), jobs: 1)
        _ = try format.writeUnproven(weights, of: model, recipe: "none", to: path)
        written.append(Written(name: name, folder: folder, path: path, model: model))
      } catch { refused[name] = "\(error)" }
    }
    return (written, refused)
  }

  private func requireReasons(_ refused: [String: String], _ expected: [String: String]) {
    #expect(refused.keys.sorted() == expected.keys.sorted())
    for (name, reason) in refused {
      #expect(
        reason.contains(expected[name] ?? "?") && reason.contains("write a safetensors file"),
        "\(name): \(reason)")
    }
  }

  @Test func filesComputeWhatTheRuntimeDoes() throws {
    let scratch = try TemporaryFolder()
    let (written, refused) = try write(scratch, MLModelFile(), "mlmodel")
    requireReasons(refused, Self.refusedAsFiles)
    #expect(written.count >= 55)
    try judge(written)
  }

  @Test func packagesComputeWhatTheRuntimeDoes() throws {
    let scratch = try TemporaryFolder()
    let package = CoreMLPackage(options: CoreMLOptions(floats: .float32))
    let (written, refused) = try write(scratch, package, "mlpackage")
    requireReasons(refused, Self.refusedAsPackages)
    #expect(written.count >= 60)
    let classic = written.filter {
      $0.model.architecture is ForestModel || $0.name == "stochastic"
    }
    #expect(classic.count >= 40 && classic.count < written.count)
    try judge(
      classic.map { item in
        Written(
          name: item.name, folder: item.folder,
          path: item.path + "/Data/com.apple.CoreML/model.mlmodel", model: item.model)
      })
    for item in written { try judgeAgain(item) }
  }

  /// Rows by names, as numpy gives them to the steps.
  private func judge(_ written: [Written]) throws {
    var arguments: [String] = []
    for item in written {
      let rows = item.path + ".json"
      let inputs = try item.folder.inputs(of: item.model)
      try JSONSerialization.data(withJSONObject: inputs).write(to: URL(filePath: rows))
      arguments += [item.path, rows, item.path + ".f64"]
    }
    _ = try Oracle.run("run_tabular_coreml.py", arguments)
    for item in written {
      let data = try Data(contentsOf: URL(filePath: item.path + ".f64"))
      let found = data.withUnsafeBytes { raw in
        (0..<raw.count / 8).map { raw.loadUnaligned(fromByteOffset: 8 * $0, as: Double.self) }
      }
      let expected = item.folder.expected
      try #require(found.count.isMultiple(of: expected.count) && expected.count >= 100)
      let width = found.count / expected.count
      var worst = 0.0
      for (number, wanted) in expected.enumerated() {
        // Of two classes by one number the file's first may be another.
        let wanted = wanted.suffix(item.model.architecture.output.width)
        let numbers = found[number * width..<(number + 1) * width].suffix(wanted.count)
        for ((value, other), size) in zip(zip(numbers, wanted), item.folder.sizes) {
          let difference = abs(value - other) / max(size, abs(other))
          worst = max(worst, difference.isNaN ? .infinity : difference)
        }
      }
      #expect(worst <= 1e-5, "\(item.name): numpy")
      if item.path.hasSuffix("\(item.name).mlmodel") { try judgeAgain(item) }
    }
  }

  /// What is opened again gives the numbers of the model that it was made of.
  private func judgeAgain(_ item: Written) throws {
    let path = item.path.components(separatedBy: "/Data/")[0]
    let again = try ModelLoader.open(path)
    #expect(again.architecture.output.canReplace(item.model.architecture.output), "\(item.name)")
    let rows = try item.folder.rows(of: item.model).map { Input.values($0) }
    let own = try ModelRunner(model: item.model, jobs: 2).outputs(for: rows)
    let found = try ModelRunner(model: again, jobs: 2).outputs(for: rows)
    var worst = 0.0
    for (number, _) in rows.enumerated() {
      try #require(own[number].count == found[number].count)
      for ((one, other), size) in zip(zip(own[number], found[number]), item.folder.sizes) {
        let difference = Double(abs(one - other)) / max(size, Double(abs(one)))
        worst = max(worst, difference.isNaN ? .infinity : difference)
      }
    }
    #expect(worst <= 1e-5, "\(item.name): read back")
  }
}

extension PipelineFolder {
  /// Rows as a classic model of Core ML's takes them: of linear models categories are texts.
  fileprivate func inputs(of model: Model) throws -> [[String: Any]] {
    guard case .features(let schema) = model.architecture.input else { return [] }
    let isForest = model.architecture is ForestModel
    return try rows(of: model).map { row in
      var values: [String: Any] = [:]
      for (number, feature) in zip(row, schema.features) {
        if case .category(let list) = feature.kind, !isForest {
          let code = Int(exactly: number).flatMap { list.names.indices.contains($0) ? $0 : nil }
          values[feature.name] = code.map { list.names[$0] } ?? "no such category"
        } else {
          values[feature.name] = number.isNaN ? NSNull() : number as Any
        }
      }
      return values
    }
  }
}
