import Graph
import StrictJSON
import WeightCompression
import Weights

@testable import Formats

/// A graph written as a program, with uncompressed float16 weights, and read back.
struct RoundTrip {
  let operations: [MILOperation]
  let read: ProgramReader.Result

  init(_ graph: ModelGraph, target: DeploymentTarget = .iOS16) throws {
    let weights = try WeightCompressor.compress(
      weights: graph.weights, from: heldWeights(for: graph.weights),
      options: try CompressionOptions(scheme: nil, floats: .float16), jobs: 1)
    let shapes = FlexibleShapes(graph, comparedWith: nil)
    var block = MILBlock()
    let rows = graph.leadingRows(shapes)
    let folder = try ConstantFolder { blob in
      var numbers: [TensorName: WrittenWeight] = [:]
      var writer = NumberWriter(target: target, to: blob)
      try weights.forEach {
        numbers[$0.name] = try writer.write($0, rows: rows[$0.name])
      }
      try writer.finish()
      var program = ProgramWriter(
        graph, shapes: shapes, target: target, reserved: ["output"],
        constants: ConstantWriter(weights.planned, numbers, target: target))
      try program.writeAll()
      let value = try program.value(.value(graph.output), in: .float32)
      program.rename(value, to: "output")
      block.operations = program.operations
    }
    block.outputs = ["output"]
    operations = block.operations
    var function = MILFunction()
    function.inputs = graph.inputs.map { input in
      var named = MILNamedValueType()
      named.name = input.name
      named.type = .tensor(input.type.scalar.milType(.float32), input.type.shape)
      return named
    }
    var reader = ProgramReader(function, block, blobs: try folder.blobs(of: operations))
    read = try reader.read(length: 1)
  }
}
