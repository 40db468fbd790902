import Files
import Foundation
import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Formats
@testable import Trees

/// Files of ensembles of trees: those of each library, plain arrays, and Core ML's.
extension FuzzTests {
  private static let errors: [any Error.Type] = [
    TreeError.self, ScanError.self, JSONError.self, FileError.self, NoSuchArray.self,
  ]

  private struct NoSuchArray: Error {}

  @Test func xgboostTexts() throws {
    let seeds = [
      XGBoostSample.text, XGBoostSample.vectors,
      XGBoostSample.text.replacingOccurrences(of: "[NaN,Infinity]", with: "[0,0]"),
    ]
    try trees("XGBoost's JSON", bytes(seeds), XGBoostModel.self)
  }

  @Test func xgboostBinaries() throws {
    let whole = XGBoostSample.text.replacingOccurrences(of: "[NaN,Infinity]", with: "[0,0]")
    try trees(
      "XGBoost's UBJSON", [whole, XGBoostSample.vectors].map(ubjson), XGBoostModel.self)
  }

  @Test func lightGBM() throws {
    try trees(
      "LightGBM's files", bytes([LightGBMSample.text, LightGBMSample.json]), LightGBMModel.self)
  }

  @Test func catBoost() throws {
    try trees(
      "CatBoost's JSON", bytes([CatBoostSample.oblivious, CatBoostSample.nested]),
      CatBoostModel.self)
  }

  /// Runs what is read on a row of ones and on one of missing values.
  private func trees(
    _ name: String, _ seeds: [[UInt8]], _ library: any TreeLibrary.Type
  ) throws {
    let scratch = try ScratchFile("model")
    run(name, seeds) { bytes in
      parsing(FuzzTests.errors) {
        try scratch.write(bytes)
        return isSound(try library.read(MappedFile(path: scratch.path)))
      }
    }
  }

  private func isSound(_ model: TreeModel) -> Bool {
    let ensemble = model.ensemble
    return model.features.count == ensemble.featureCount
      && [1, .nan].allSatisfy { value in
        ensemble.outputs(of: [Double](repeating: value, count: ensemble.featureCount)).count
          == ensemble.outputCount
      }
  }

  @Test func onnx() throws {
    let seeds = try [TreeSeeds.onnxTree, TreeSeeds.onnxLinear, TreeSeeds.onnxTreeOfFive].map(binary)
    run("ONNX files of tables", seeds) { bytes in
      parsing(FuzzTests.errors) {
        let graph = try ONNXModel.read(bytes, path: "m")
        return graph.trees.map(isSound) ?? true
      }
    }
  }

  @Test func treesOfArrays() {
    run("model.json of trees", bytes([TreeSeeds.arrayModel])) { bytes in
      parsing(FuzzTests.errors) {
        let object = try JSONParser.parseObject(bytes, origin: "model.json")
        return isSound(
          try ArrayTrees.read(object) { name throws(NoSuchArray) in
            guard let array = TreeSeeds.arrays[name] else { throw NoSuchArray() }
            return TreeArray(shape: array.shape) { array.values }
          })
      }
    }
  }

  /// The description that a compressed ensemble carries, beside sound arrays.
  @Test func storedTrees() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("model.json")
    try Data(XGBoostSample.text.utf8).write(to: URL(fileURLWithPath: path))
    let weights = try #require(try TreeFiles.open(path))
    let files = TreeFiles.describing(weights, ModelFiles(carriedBy: path, texts: [:]))
    let seed = try #require(try files.bytes(of: "model.json"))
    let shapes = ShapesOnly(
      shapes: Dictionary(
        TreeArrays.allCases.map { array in
          let name = TensorName(array.tensorName)
          return (name, weights.shape(of: name) ?? [])
        }
      ) { first, _ in first })
    run("model.json of a compressed ensemble", [seed]) { bytes in
      check(["model.json": bytes], shapes)
    }
  }

  @Test func classicCoreML() throws {
    let seeds = try [TreeSeeds.coreMLTrees, TreeSeeds.coreMLLinear].map(binary)
    run(".mlmodel files", seeds) { bytes in
      parsing([TabularError.self]) {
        !(try TabularProgram(reading: bytes, path: "m")).inputs.isEmpty
      }
    }
  }

  private func binary(_ base64: String) throws -> [UInt8] {
    [UInt8](try #require(Data(base64Encoded: base64)))
  }
}
