import Files
import Graph
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Formats

/// Packages that compute in float32.
struct FloatProgramTests {
  static let schemes: [Scheme?] = [
    nil, .int8(.perChannel), .palette(bits: 4, .perTensor), .palette(bits: 3, .perTensor),
  ]

  private func write(_ model: Model, _ scheme: Scheme?, to path: String) throws -> MLPackageParts {
    let weights = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights,
      options: try CompressionOptions(scheme: scheme, floats: .float32), jobs: 1)
    _ = try CoreMLPackage(options: CoreMLOptions(floats: .float32)).writeUnproven(
      weights, of: model, recipe: scheme.label, to: path)
    return try MLPackageParts(of: path)
  }

  /// No value and no constant is a half, and no cast is needed.
  @Test(arguments: schemes) func holdsNoHalves(_ scheme: Scheme?) throws {
    let folder = try TemporaryFolder()
    for (index, model) in try [SmallModels.bert(), SmallModels.classifier()].enumerated() {
      let parts = try write(model, scheme, to: folder.path("\(index).mlpackage"))
      let types = parts.block.operations.flatMap(\.outputs).map(\.type.tensorType.dataType)
      #expect(types.contains(.float32) && !types.contains(.float16))
      let stored = parts.block.operations.flatMap(\.values).map(\.type.tensorType.dataType)
      #expect(!stored.contains(.float16))
      let words = parts.block.operations.filter { $0.type == "cast" }.flatMap(\.words)
      #expect(!words.contains { $0.contains("fp16") })
    }
  }

  /// Uncompressed weights stay bit for bit, and so does an epsilon that float16 cannot hold.
  @Test func keepsEveryDigit() throws {
    let folder = try TemporaryFolder()
    let model = try SmallModels.bert()
    _ = try write(model, nil, to: folder.path("x.mlpackage"))
    let read = try CoreMLPackage.model(
      of: folder.path("x.mlpackage"), files: MLPackageParts.noFiles)
    for weight in try model.usedWeights() where weight.role != .positionTable {
      let name = TensorName(Identifier.make(from: weight.name.text))
      #expect(try read.weights.floats(of: name) == model.weights.floats(of: weight.name))
    }
    let norms = try read.architecture.graph(batch: 1, length: 10).nodes.compactMap {
      $0.operation as? LayerNorm
    }
    #expect(!norms.isEmpty && norms.allSatisfy { $0.epsilon == 1e-12 })
    #expect(read.architecture.float16Values.isEmpty)
  }
}
