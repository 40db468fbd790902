import Gate
import Testing

@testable import Reports

struct ReportedWeightTests {
  private func weight(_ name: String, _ bytes: Int = 1, shape: [Int] = [2]) -> ReportedWeight {
    ReportedWeight(name: name, shape: shape, scheme: "kept", byteCount: bytes, error: nil)
  }

  @Test(arguments: [
    ("encoder.layer.5.attention.self.query.weight", "encoder.layer.5"),
    ("embeddings.word_embeddings.weight", "embeddings"), ("blocks.0.1.weight", "blocks.0"),
    ("weight", "weight"), ("pooler.dense.bias", "pooler"), ("model.0", "model"), ("", ""),
    (".weight", ""),
  ])
  func aLayerGoesToTheFirstNumber(_ name: String, _ layer: String) {
    #expect(weight(name).layer == layer)
  }

  @Test func layersKeepTheirOrderAndAddUp() {
    let layers = WeightLayer.all([
      weight("b.1.x", 3), weight("a.y", 4, shape: []), weight("b.1.z", 5), weight("b.2.x", 0),
    ])
    #expect(layers.map(\.name) == ["b.1", "a", "b.2"])
    #expect(layers.map(\.byteCount) == [8, 4, 0])
    #expect(layers.map(\.bits) == [16, 32, 0])
    #expect(WeightLayer.all([weight("a.b", 0, shape: [0, 4])]).map(\.bits) == [nil])
  }

  @Test func barsAreAsLongAsTheirBytes() throws {
    let bars = try #require(
      LayerBars([weight("a.0.x", 75, shape: [25]), weight("a.1.x", 300, shape: [75])]))
    #expect(bars.layers.map { $0.pieces.map(\.width) } == [["25%"], ["100%"]])
    #expect(bars.layers.map(\.share) == ["20.0 %", "80.0 %"])
    #expect(bars.keys.map(\.style) == ["w16"])
    #expect(LayerBars([]).map(\.total) == nil)
  }

  /// Every input is in one bar.
  @Test func aHistogramCountsEveryValue() throws {
    let judgement = Judgement(
      limits: try Limits(profile: .strict), metrics: Samples.metrics(mean: 0.995, min: 0.99))
    guard case .embeddings(let details) = Samples.details([]) else {
      Issue.record("the sample is not of embeddings")
      return
    }
    let plot = try #require(HistogramPlot.cosines(details, judgement))
    #expect(plot.rows.compactMap { Int($0.count) }.reduce(0, +) == 40)
    #expect(plot.bars.count == plot.rows.count)
    #expect(plot.marks.map(\.isLimit) == [false, true, true])
    let same = DriftDetails.Embeddings(
      cosines: [1, 1, 1], pairs: [], inputs: [], neighbours: [])
    #expect(try #require(HistogramPlot.cosines(same, judgement)).rows.map(\.count) == ["3"])
    let broken = DriftDetails.Embeddings(
      cosines: [.nan], pairs: [], inputs: [], neighbours: [])
    #expect(HistogramPlot.cosines(broken, judgement).map(\.label) == nil)
  }
}
