import Graph
import IngotFeatures
import StrictJSON
import WeightCompression
import Weights

/// Writes a model's graph with its compressed weights as a package's message.
struct ModelWriter {
  let model: Model
  private let weights: any CompressedTensors
  let options: CoreMLOptions
  private let target: DeploymentTarget
  let graphs: GraphsOfLengths
  /// Of a classifier the label's name and that of the probabilities or scores.
  let outputNames: [String]

  /// - Throws: when the options do not suit the model.
  init(_ model: Model, _ weights: any CompressedTensors, _ options: CoreMLOptions) throws {
    self.model = model
    self.weights = weights
    self.options = options
    graphs = try options.graphs(of: model)
    target = try options.target(
      of: model.origin, weights.planned.map { ($0.name, $0.scheme) }, lengths: graphs.lengths)
    try graphs.longest.requireLookups(of: weights.planned, origin: model.origin)
    outputNames = CoreMLPackage.outputNames(of: model.architecture)
  }

  /// Writes numbers into a weight file and gives the message, without metadata, and what was
  /// written of each weight.
  func write(to blob: consuming BlobWriter) throws -> (SpecModel, [TensorRecord]) {
    let graph = graphs.longest, shapes = graphs.shapes
    if let name = graph.inputs.map(\.name).first(where: outputNames.contains) {
      throw CoreMLError.outputName(origin: model.origin, name: name)
    }
    if let clash = clash(graph) {
      throw EmissionError.reservedName(origin: model.origin, name: clash)
    }
    let (numbers, records) = try writeNumbers(to: blob)
    var writer = ProgramWriter(
      graph, shapes: shapes, target: target, floats: options.floats, reserved: outputNames,
      constants: ConstantWriter(weights.planned, numbers, target: target))
    try writer.writeAll()
    let outputs = try writeOutput(graph, to: &writer)
    var block = MILBlock()
    block.operations = writer.operations
    block.outputs = outputs.map(\.name)
    return (message(graph, shapes, block, outputs), records)
  }

  private func writeNumbers(
    to blob: consuming BlobWriter
  ) throws -> ([TensorName: WrittenWeight], [TensorRecord]) {
    let rows = graphs.leadingRows
    var writer = NumberWriter(target: target, floats: options.floats, to: blob)
    var numbers: [TensorName: WrittenWeight] = [:]
    var records: [TensorRecord] = []
    let planned = weights.planned
    try weights.forEach { tensor in
      let plan = planned[records.count]
      let rows = rows[tensor.name]
      let first = plan.sharedWith.flatMap { numbers[$0] }
      numbers[tensor.name] = try first ?? writer.write(tensor, rows: rows)
      records.append(TensorRecord(tensor, plan, rows: rows))
    }
    try writer.finish()
    return (numbers, records)
  }

  /// The name of the program's output; of a classifier the label's.
  var outputName: String { outputNames[0] }

  // A weight that is called like an input or output.
  private func clash(_ graph: ModelGraph) -> TensorName? {
    let needed = Set(graph.inputs.map(\.name) + outputNames)
    return weights.planned.identified.first { needed.contains($0.identifier) }?.tensor.name
  }

  private func message(
    _ graph: ModelGraph, _ shapes: FlexibleShapes, _ block: MILBlock,
    _ outputs: [SpecFeatureDescription]
  ) -> SpecModel {
    var function = MILFunction()
    function.opset = target.opset
    function.blockSpecializations = [target.opset: block]
    function.inputs = graph.inputs.map { input in
      var named = MILNamedValueType()
      named.name = input.name
      named.type = .tensor(input.type.scalar.milType(.float32), shapes.shape(of: input.name))
      return named
    }
    var model = SpecModel()
    model.specificationVersion = Int32(target.specificationVersion)
    model.mlProgram.version = 1
    model.mlProgram.functions = ["main": function]
    model.description_p.input = graph.inputs.map { inputFeature($0) }
    model.description_p.output = outputs
    switch self.model.architecture.output {
    case .embedding, .tokenClasses: break
    case .numbers: model.description_p.predictedFeatureName = outputName
    case .classes:
      model.description_p.predictedFeatureName = outputs[0].name
      model.description_p.predictedProbabilitiesName = outputs[1].name
    }
    return model
  }

  private func inputFeature(_ input: ModelGraph.Input) -> SpecFeatureDescription {
    var feature = SpecFeatureDescription()
    feature.name = input.name
    feature.shortDescription = words(for: input)
    if case .image(let width, let height) = model.architecture.input {
      feature.type.imageType.width = Int64(width)
      feature.type.imageType.height = Int64(height)
      feature.type.imageType.colorSpace = .rgb
      return feature
    }
    feature.type.multiArrayType.dataType = input.type.scalar == .int32 ? .int32 : .float32
    // The default is the first of an input's shapes.
    feature.type.multiArrayType.shape = input.type.shape.map(Int64.init)
    guard graphs.lengths.count > 1 else { return feature }
    guard !options.isRange else {
      feature.type.multiArrayType.shapeRange.sizeRanges = [
        .bounds(1, 1), .bounds(graphs.lengths[0], graphs.lengths[graphs.lengths.count - 1]),
      ]
      return feature
    }
    feature.type.multiArrayType.enumeratedShapes.shapes = graphs.lengths.reversed().map { length in
      var shape = SpecShape()
      shape.shape = [1, Int64(length)]
      return shape
    }
    return feature
  }

  private var texts: String {
    model.architecture.readsTwoTexts ? "two texts" : "one text"
  }

  private func words(for input: ModelGraph.Input) -> String {
    switch model.architecture.input {
    case .features(let schema):
      return CoreMLStatement.words(for: schema.columnNames)
    case .image(let width, let height):
      return "The image, \(width) × \(height) pixels, RGB; scaled and normalised inside"
    case .tokens:
      let length = graphs.lengths.map(String.init).joined(separator: ", ")
      if options.isRange, graphs.lengths.count > 1, input.name == "input_ids" {
        return "Token ids of \(texts) by tokenizer.json, \(graphs.lengths[0]) to "
          + "\(graphs.lengths[graphs.lengths.count - 1]) of them"
      }
      switch input.name {
      case "input_ids": return "Token ids of \(texts) by tokenizer.json, padded to \(length)"
      case "token_type_ids":
        return "The type of each token by tokenizer.json, 0 where ids are padding"
      default: return "1 where a token stands, 0 where ids are padding"
      }
    }
  }
}

extension SpecSizeRange {
  /// From a length to another.
  fileprivate static func bounds(_ lower: Int, _ upper: Int) -> SpecSizeRange {
    var range = SpecSizeRange()
    range.lowerBound = UInt64(lower)
    range.upperBound = Int64(upper)
    return range
  }
}
