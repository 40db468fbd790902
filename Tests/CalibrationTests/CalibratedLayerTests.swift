import Foundation
import Graph
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Calibration

@Suite struct CalibratedLayerTests {
  private func described(_ layers: [CalibratedLayer]) -> [String] {
    layers.map { layer in
      "\(layer.input) → \(layer.output)" + (layer.residual.map { " + \($0)" } ?? "")
        + (layer.isFirstRowTaken ? ", first row" : "") + (layer.bias == nil ? ", no bias" : "")
        + (layer.sharesInput ? ", shared" : "")
    }
  }

  @Test func findsTheLayersOfBert() throws {
    let graph = try TinyBert.model().architecture.smallestGraph()
    let layers = CalibratedLayer.all(in: graph) { _ in .int8(.perChannel) }
    #expect(
      described(layers) == [
        "embeddings_norm → layer0_query, shared", "embeddings_norm → layer0_key, shared",
        "embeddings_norm → layer0_value, shared",
        "layer0_context_joined → layer0_projection + embeddings_norm",
        "layer0_middle → layer0_wide", "layer0_active → layer0_narrow + layer0_middle",
        "layer0_output → layer1_query, shared", "layer0_output → layer1_key, shared",
        "layer0_output → layer1_value, shared",
        "layer1_context_joined → layer1_projection + layer0_output",
        "layer1_middle → layer1_wide", "layer1_active → layer1_narrow + layer1_middle",
      ])
  }

  @Test func leavesOutWhatIsKeptOrLosesNothing() throws {
    let graph = try TinyBert.model().architecture.smallestGraph()
    #expect(CalibratedLayer.all(in: graph) { _ in nil }.isEmpty)
    #expect(CalibratedLayer.all(in: graph) { _ in .unique }.isEmpty)
    let first = CalibratedLayer.all(in: graph) {
      $0.name.text.hasPrefix("encoder.layer.0.output") ? .int8(.perTensor) : nil
    }
    #expect(described(first) == ["layer0_active → layer0_narrow + layer0_middle"])
  }

  @Test func findsTheLayersOfBothEncodersOfClip() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "clip-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try TinyClip.write(to: folder)
    let found = try clipModels(folder).map { model in
      described(
        CalibratedLayer.all(in: try model.architecture.smallestGraph()) { _ in .int8(.perChannel) })
    }
    // The image encoder asks for its first token alone.
    let queries = [
      "layer0_first → layer0_query, first row, shared", "layer0_first → layer0_query, shared",
    ]
    let block = [
      "layer0_first → layer0_key, shared", "layer0_first → layer0_value, shared",
    ]
    let end = [
      "layer0_second → layer0_wide", "layer0_active → layer0_narrow + layer0_middle",
      "pooled_norm → projected, no bias",
    ]
    let attention = "layer0_context_joined → layer0_projection + layer0_input_pooled"
    let patches = [["image_normalised → patches, no bias"], []]
    #expect(found == zip(patches, queries).map { $0 + [$1] + block + [attention] + end })
  }

  @Test func knowsOfWhichLayersOnlyTheFirstRowIsTaken() throws {
    func names(_ pooling: String) throws -> [String] {
      let graph = try TinyBert.model(pooling: pooling).architecture.graph(batch: 2, length: 3)
      return CalibratedLayer.all(in: graph) { _ in .int8(.perChannel) }
        .filter(\.isFirstRowTaken).map(\.output)
    }
    #expect(try names("cls") == ["layer1_projection", "layer1_wide", "layer1_narrow"])
    #expect(try names("mean") == [])
    #expect(try names("max") == [])
  }
}
