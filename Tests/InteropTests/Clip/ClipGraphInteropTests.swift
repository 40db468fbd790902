import Execution
import Formats
import Graph
import Testing
import Weights

/// The graphs of both encoders against PyTorch, from its own pixels and ids.
@Suite(.enabled(if: ClipModels.isAvailable, "no oracle environment: run scripts/test"))
struct ClipGraphInteropTests {
  // Runs rows of pixels or ids, several at a time.
  private func run(_ model: Model, _ rows: [[Float]], length: Int) throws -> [[Float]] {
    let executor = Executor(weights: model.weights, jobs: 2)
    let width = model.architecture.output.width, batch = 4
    return try stride(from: 0, to: rows.count, by: batch).flatMap { (first) -> [[Float]] in
      let part = rows[first..<min(first + batch, rows.count)]
      let graph = try model.architecture.graph(batch: part.count, length: length)
      let values = Array(part.joined())
      let input: InputValues =
        graph.inputs[0].type.scalar == .int32
        ? .integers(values.map { Int32($0) }) : .floats(values)
      let result = try executor.run(graph, inputs: [graph.inputs[0].name: input])
      return stride(from: 0, to: result.count, by: width).map { Array(result[$0..<$0 + width]) }
    }
  }

  @Test(arguments: ClipModels.names)
  func imagesEqualPyTorch(name: String) throws {
    let model = try ModelLoader.open(ClipModels.path(name), encoder: .image)
    let expected = try ClipExpectation(name)
    let pixels = try expected.rows("pixels")
    let ours = try run(model, pixels, length: 1)
    let theirs = try expected.rows("image_embedding")
    #expect(ours.count >= 20)
    expectEqual(ours, theirs)
  }

  @Test(arguments: ClipModels.names)
  func textsEqualPyTorch(name: String) throws {
    let model = try ModelLoader.open(ClipModels.path(name), encoder: .text)
    let expected = try ClipExpectation(name)
    let ids = try expected.rows("input_ids")
    let ours = try run(model, ids, length: ids[0].count)
    let theirs = try expected.rows("text_embedding")
    #expect(ours.count >= 12)
    expectEqual(ours, theirs)
  }

  /// The model never sees tokens behind the first end token.
  @Test(arguments: ["hf-quick", "openclip-gelu"])
  func textsNeedNoPadding(name: String) throws {
    let model = try ModelLoader.open(ClipModels.path(name), encoder: .text)
    let end = try #require(model.architecture.endToken)
    let expected = try ClipExpectation(name)
    let theirs = try expected.rows("text_embedding")
    for (row, ids) in try expected.rows("input_ids").prefix(16).enumerated() {
      let last = try #require(ids.firstIndex(of: Float(end)))
      let short = Array(ids[...last])
      let ours = try run(model, [short], length: short.count)
      expectEqual(ours, [theirs[row]])
    }
  }

  private func expectEqual(_ ours: [[Float]], _ theirs: [[Float]]) {
    #expect(ours.count == theirs.count)
    for (row, (left, right)) in zip(ours, theirs).enumerated() {
      let difference = zip(left, right).map { ($0 - $1).magnitude }.max() ?? .infinity
      #expect(difference <= 2e-5, "row \(row)")
      #expect(cosine(left[...], right[...]) >= 0.999999, "row \(row)")
    }
  }
}
