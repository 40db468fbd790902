import Graph
import TestSupport
import Testing
import Weights

@testable import Formats

/// Programs that Ingot writes are proven to give the same for a text without its padding.
struct ShortTextsOfPackagesTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("X.mlpackage")
  }

  @Test(arguments: PoolingMode.allCases)
  func bert(_ pooling: PoolingMode) throws {
    try SmallModels.bert(pooling: pooling).write(to: path)
    let model = try CoreMLPackage.open(path, origin: path, files: MLPackageParts.noFiles).model
    let graph = try model.graph(batch: 1, length: 10)
    let proof = try LengthProof(graph, weights: model.weights)
    #expect((proof != nil) == (pooling != .lastToken))
    guard let short = try proof?.graph(length: 4) else { return }
    #expect(short.outputType == graph.outputType)
    #expect(short.inputs.allSatisfy { $0.type.shape == [1, 4] })
    // Attention is written out.
    #expect(short.nodes.first { $0.name == "layer1_context_shares" }?.type.shape == [1, 2, 4, 4])
  }
}
