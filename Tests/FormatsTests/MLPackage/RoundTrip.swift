import Graph
import StrictJSON
import WeightCompression
import Weights

@testable import Formats

/// A graph written as a program, with uncompressed float16 weights if nothing else is said, and read
/// back.
struct RoundTrip {
  let weights: CompressedWeights
  let operations: [MILOperation]
  let read: ProgramReader.Result
  private let function: MILFunction
  private let folder: ConstantFolder

  init(
    _ graph: ModelGraph, target: DeploymentTarget = .iOS16, options: CompressionOptions? = nil
  ) throws {
    let options = try options ?? CompressionOptions(scheme: nil, floats: .float16)
    let weights = try WeightCompressor.compress(
      weights: graph.weights, from: heldWeights(for: graph.weights), options: options, jobs: 1)
    let shapes = FlexibleShapes(graph, comparedWith: nil)
    var operations: [MILOperation] = []
    let rows = graph.leadingRows(shapes)
    folder = try ConstantFolder { blob in
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
      operations = program.operations
    }
    var function = MILFunction()
    function.inputs = graph.inputs.map { input in
      var named = MILNamedValueType()
      named.name = input.name
      named.type = .tensor(input.type.scalar.milType(.float32), input.type.shape)
      return named
    }
    self.weights = weights
    self.operations = operations
    self.function = function
    read = try RoundTrip.read(operations, function, folder)
  }

  /// What other operations read as, with the same inputs and weight file.
  func reading(_ operations: [MILOperation]) throws -> ProgramReader.Result {
    try RoundTrip.read(operations, function, folder)
  }

  private static func read(
    _ operations: [MILOperation], _ function: MILFunction, _ folder: ConstantFolder
  ) throws -> ProgramReader.Result {
    var block = MILBlock()
    block.operations = operations
    block.outputs = ["output"]
    var reader = ProgramReader(function, block, blobs: try folder.blobs(of: operations))
    return try reader.read(length: 1)
  }
}
