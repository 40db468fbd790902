import Files
import Graph
import IngotFeatures
import Inputs
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Formats

/// Programs whose messages are sound and whose content is not: names, shapes, types and parameters
/// are exchanged, so that what lies behind the bytes is reached.
extension FuzzTests {
  private static let errors: [any Error.Type] = [
    CoreMLError.self, JSONError.self, FileError.self, ModelError.self,
  ]

  private static let bert = [
    "config.json": """
    {"model_type": "bert", "hidden_size": 4, "num_attention_heads": 2, "num_hidden_layers": 1,
     "intermediate_size": 6, "vocab_size": 9, "max_position_embeddings": 8,
     "hidden_act": "gelu"}
    """,
    "modules.json": """
    [{"path": "", "type": "sentence_transformers.models.Transformer"}, 
     {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
     {"path": "2", "type": "sentence_transformers.models.Normalize"}]
    """,
    "1_Pooling/config.json": #"{"pooling_mode": "max"}"#,
  ]

  private static let dense = [
    "model.json": """
    {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}, {"name": "c"}],
     "layers": [{"weight": "w", "layout": "in,out", "activation": "gelu"},
                {"weight": "v", "activation": "sigmoid"}],
     "output": {"kind": "classifier", "labels": ["no", "yes"]}}
    """
  ]

  @Test(arguments: [nil, .int8(.perChannel), .palette(bits: 2, .perGroup(size: 1))] as [Scheme?])
  func programsOfFeatures(_ scheme: Scheme?) throws {
    try fuzzPrograms(
      FuzzTests.dense, try CompressionOptions(scheme: scheme, floats: .float16), CoreMLOptions(),
      count: 3000)
  }

  @Test(arguments: [[], [3, 7]]) func programsOfTokens(_ lengths: [Int]) throws {
    try fuzzPrograms(
      FuzzTests.bert,
      try CompressionOptions(scheme: .palette(bits: 4, .perTensor), floats: .float16),
      CoreMLOptions(sequenceLengths: lengths), count: 3000)
  }

  /// A lookup in two parts, which is one only where nothing differs.
  @Test func programsOfSplitTables() throws {
    let scheme = SplitScheme(
      rows: 4, first: .palette(bits: 2, .perTensor), rest: .palette(bits: 1, .perTensor))
    let recipe = Recipe(
      rules: [RecipeRule(RecipeRule.Match(roles: [.tokenTable]), .split(scheme))],
      keepsOthers: true)
    try fuzzPrograms(
      FuzzTests.bert, try CompressionOptions(recipe: recipe, floats: .float16), CoreMLOptions(),
      count: 3000)
  }

  private func fuzzPrograms(
    _ texts: [String: String], _ compression: CompressionOptions, _ options: CoreMLOptions,
    count: Int
  ) throws {
    let memory = "/dev/shm"
    let folder = try Folder.createTemporary(
      in: Folder.kind(of: memory) == .folder ? memory : "/tmp", prefix: "ingot-fuzz-")
    defer { try? Folder.remove(folder) }
    let path = Folder.join(folder, "X.mlpackage")
    let files = ModelFiles(carriedBy: "m", texts: texts.mapValues { Array($0.utf8) })
    let architecture = try Architectures.recognise(
      files, weights: ShapesOnly(shapes: ["w": [3, 4], "v": [1, 4]]))
    let weights = MemoryWeights(for: try architecture.graph(batch: 1, length: 1).weights) {
      (0..<$0.elementCount).map { Float($0 % 7) / 8 - 0.25 }
    }
    let model = try Model(
      origin: "m", architecture: architecture, files: files, weights: weights)
    _ = try CoreMLPackage(options: options).writeUnproven(
      try WeightCompressor.compress(
        weights: try model.usedWeights(), from: weights, options: compression, jobs: 1), of: model,
      recipe: "", to: path)
    let place = Folder.join(path, MLPackageLayout.model)
    let sound = try CoreMLPackage.open(
      path, origin: path, files: ModelFiles(carriedBy: "n", texts: [:])
    ).message
    var mutator = MessageMutator(seed: 11)
    var accepted = 0
    for iteration in 0..<count {
      let mutated = mutator.mutated(sound)
      try AtomicFile.write(try mutated.deterministicBytes(), to: place)
      guard let isSound = parsing(FuzzTests.errors, { try runs(path) }) else { continue }
      accepted += 1
      #expect(isSound, "program \(iteration)")
    }
    print("fuzz messages: \(count) programs, \(accepted) accepted")
    #expect(accepted > 0 && accepted < count)
  }

  /// Reads a package and runs it where it takes features.
  private func runs(_ path: String) throws -> Bool {
    let model = try CoreMLPackage.model(of: path, files: ModelFiles(carriedBy: "n", texts: [:]))
    for name in model.weights.names {
      guard let shape = model.weights.shape(of: name), shape.reduce(1, *) < 1 << 20,
        try model.weights.floats(of: name).count == shape.reduce(1, *)
      else { return false }
    }
    guard case .features(let schema) = model.architecture.input else { return true }
    let graph = try model.architecture.graph(batch: 1, length: 1)
    guard graph.nodes.allSatisfy({ $0.type.elementCount < 1 << 16 }) else { return true }
    do {
      _ = try ModelRunner(model: model, jobs: 1).outputs(for: [
        .values(schema.names.map { _ in 0.5 })
      ])
    } catch {
      // What cannot be run is refused with a message too.
      return !"\(error)".isEmpty
    }
    return true
  }
}

/// Exchanges parts of a program's message.
private struct MessageMutator {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private static let lengths: [Int] = [0, 1, 2, 3, 4, 7, 9, 1 << 20, 1 << 31, 1 << 40, 1 << 62]
  private static let integers: [Int32] = [0, 1, -1, 2, -2, 3, 7, 100, .max, .min]
  private static let types: [MILDataType] = [
    .bool, .string, .float16, .float32, .float64, .bfloat16, .int4, .int8, .uint8, .int32, .int64,
    .uint1, .uint3, .uint4, .unused,
  ]

  private mutating func below(_ bound: Int) -> Int {
    bound <= 1 ? 0 : Int(generator.next() % UInt64(bound))
  }

  private mutating func one<Element>(of elements: [Element]) -> Element {
    elements[below(elements.count)]
  }

  mutating func mutated(_ model: SpecModel) -> SpecModel {
    var model = model
    for _ in 0...below(2) { mutate(&model) }
    return model
  }

  private mutating func mutate(_ model: inout SpecModel) {
    guard var function = model.mlProgram.functions["main"],
      var block = function.blockSpecializations[function.opset], !block.operations.isEmpty
    else { return }
    let place = below(block.operations.count)
    let other = block.operations[below(block.operations.count)]
    switch below(10) {
    case 0: block.operations.remove(at: place)
    case 1: block.operations.swapAt(place, below(block.operations.count))
    case 2: block.operations[place].type = other.type
    case 3: block.operations[place].type = one(of: CoreMLOperations.byName.keys.sorted())
    case 4, 5: rebind(&block.operations[place], to: other)
    case 6:
      if !block.operations[place].outputs.isEmpty {
        change(&block.operations[place].outputs[0].type)
      }
    case 7, 8: changeValues(of: &block.operations[place])
    default:
      let input = below(function.inputs.count)
      change(&function.inputs[input].type)
      // The description goes along, so that the program is looked at.
      model.description_p.input[input].type.multiArrayType.shape =
        function.inputs[input].type.tensorType.dimensions.map {
          Int64(clamping: $0.constant.size)
        }
    }
    function.blockSpecializations[function.opset] = block
    model.mlProgram.functions["main"] = function
  }

  private mutating func rebind(_ operation: inout MILOperation, to other: MILOperation) {
    guard !operation.inputs.isEmpty else { return }
    let parameter = one(of: operation.inputs.keys.sorted())
    switch below(4) {
    case 0: operation.inputs[parameter] = nil
    case 1:
      operation.inputs[parameter] = .value(
        .ints((0..<below(4)).map { _ in Int(MessageMutator.integers[below(10)]) }))
    default: operation.inputs[parameter] = .named(other.outputs.first?.name ?? "")
    }
  }

  private mutating func change(_ type: inout MILValueType) {
    if below(3) == 0 { type.tensorType.dataType = one(of: MessageMutator.types) }
    let shape = (0..<below(5)).map { _ in one(of: MessageMutator.lengths) }
    if below(2) == 0 {
      type = .tensor(type.tensorType.dataType, shape)
    } else if !type.tensorType.dimensions.isEmpty {
      let axis = below(type.tensorType.dimensions.count)
      type.tensorType.dimensions[axis].constant.size = UInt64(one(of: MessageMutator.lengths))
    }
  }

  private mutating func changeValues(of operation: inout MILOperation) {
    let names = operation.attributes.keys.filter { $0 != "name" }.sorted()
    guard !names.isEmpty, var value = operation.attributes[one(of: names)] else { return }
    let name = one(of: names)
    value = operation.attributes[name] ?? value
    switch below(3) {
    case 0: change(&value.type)
    case 1:
      value = .ints((0..<below(4)).map { _ in Int(one(of: MessageMutator.integers)) })
    default:
      let count = value.immediateValue.tensor.ints.values.count
      if count > 0 {
        value.immediateValue.tensor.ints.values[below(count)] = one(of: MessageMutator.integers)
      }
    }
    operation.attributes[name] = value
    if operation.type == "const", !operation.outputs.isEmpty {
      operation.outputs[0].type = value.type
    }
  }
}
