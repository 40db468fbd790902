import Files
import Graph
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Formats

/// Whole models written as packages and read back.
struct MLPackageRoundTripTests {
  let folder: TemporaryFolder
  var path: String { folder.path("X.mlpackage") }

  init() throws { folder = try TemporaryFolder() }

  func open() throws -> CoreMLPackage.Opened {
    try CoreMLPackage.open(path, origin: path, files: MLPackageParts.noFiles)
  }

  /// Attention as it is written; all else stays as it is.
  private static func expected(_ graph: ModelGraph) -> [String] {
    graph.nodes.flatMap { node -> [String] in
      switch node.operation {
      case is ScaledDotProductAttention:
        let name = node.name
        return [
          "\(name)_query mul", "\(name)_scores matmul", "\(name)_masked add",
          "\(name)_shares softmax", "\(name) matmul",
        ]
      // The first rows of an uncompressed table are a constant of their own.
      case is SliceByIndex where ["segment", "position"].contains(node.name): return []
      // The output has this name.
      case _ where node.name == "embedding": return ["embedding_1 \(node.operation.milName)"]
      default: return ["\(node.name) \(node.operation.milName)"]
      }
    }
  }

  static func names(_ graph: ModelGraph) -> [String] {
    graph.nodes.map { "\($0.name) \($0.operation.milName)" }
  }

  @Test(arguments: PoolingMode.allCases, ["gelu", "gelu_new", "quick_gelu", "relu"])
  func bert(_ pooling: PoolingMode, _ activation: String) throws {
    let normalises = activation == "gelu"
    let model = try SmallModels.bert(
      pooling: pooling, activation: activation, normalises: normalises)
    try model.write(to: path)
    let read = try open().model
    #expect(read.architecture.input == .tokens(maximumLength: 10, vocabulary: 20))
    #expect(read.architecture.output == .embedding(width: 8))
    #expect(read.architecture.outputName == "embedding")
    #expect(read.architecture.shapes == .single(lengths: [10]))
    let original = try model.architecture.graph(batch: 1, length: 10)
    let graph = try read.architecture.graph(batch: 1, length: 10)
    #expect(Self.names(graph) == Self.expected(original))
    #expect(graph.inputs == original.inputs)
    #expect(graph.outputType == original.outputType)
    let types = Dictionary(uniqueKeysWithValues: original.nodes.map { ($0.name, $0.type) })
    for node in graph.nodes { #expect(types[node.name].map { $0 == node.type } ?? true) }
    // Numbers of the graph itself are constants of the program.
    #expect(
      graph.weights.map(\.name.text).filter { $0 != "numbers" }
        == Identifier.distinct(for: original.weights.map(\.name.text)))
    #expect(
      graph.weights.filter { $0.role.isCompressible }.map(\.shape)
        == original.weights.filter { $0.role.isCompressible }.map(\.shape))
  }

  @Test func lengthsAndDescriptionOfBert() throws {
    let model = try SmallModels.bert()
    try model.write(
      .palette(bits: 4, .perTensor), CoreMLOptions(outputType: .float16),
      description: CoreMLDescription(
        summary: "Sentences", author: "A. Uthor", license: "MIT", version: "1.2"), to: path)
    let message = try open().message
    #expect(message.specificationVersion == 7)
    #expect(message.mlProgram.functions["main"]?.opset == "CoreML6")
    let description = message.description_p
    #expect(description.input.map(\.name) == ["input_ids", "attention_mask"])
    #expect(
      description.input.map(\.shortDescription) == [
        "Token ids of one text by tokenizer.json, padded to 10",
        "1 where a token stands, 0 where ids are padding",
      ])
    for input in description.input {
      #expect(input.type.multiArrayType.shape == [1, 10])
      #expect(input.type.multiArrayType.dataType == .int32)
      #expect(input.type.multiArrayType.flexibility == nil)
    }
    #expect(description.output.map(\.name) == ["embedding"])
    #expect(
      description.output[0].shortDescription
        == "The embedding, 8 numbers; compare by cosine similarity")
    #expect(description.output[0].type.multiArrayType.shape == [1, 8])
    #expect(description.output[0].type.multiArrayType.dataType == .float16)
    #expect(description.predictedFeatureName.isEmpty)
    let metadata = description.metadata
    #expect(metadata.shortDescription == "Sentences")
    #expect(metadata.author == "A. Uthor")
    #expect(metadata.license == "MIT")
    #expect(metadata.versionString == "1.2")
    #expect(
      metadata.userDefined == [
        "dev.ingot.weights": model.digest.hex, "dev.ingot.recipe": "palette 4 bits per tensor",
        "dev.ingot.tokenizer": #"{"model_type":"bert"}"#,
      ])
  }

  @Test func enumeratedLengths() throws {
    let model = try SmallModels.bert()
    try model.write(nil, CoreMLOptions(sequenceLengths: [7, 3, 7, 10]), to: path)
    let opened = try open()
    #expect(opened.message.specificationVersion == 9)
    #expect(opened.message.mlProgram.functions["main"]?.opset == "CoreML8")
    #expect(opened.model.architecture.shapes == .single(lengths: [3, 7, 10]))
    #expect(opened.model.architecture.input == .tokens(maximumLength: 10, vocabulary: 20))
    for input in opened.message.description_p.input {
      #expect(input.type.multiArrayType.shape == [1, 10])
      #expect(
        input.type.multiArrayType.enumeratedShapes.shapes.map(\.shape) == [
          [1, 10], [1, 7], [1, 3],
        ])
    }
    for length in [3, 7, 10] {
      let original = try model.architecture.graph(batch: 1, length: length)
      let graph = try opened.model.architecture.graph(batch: 1, length: length)
      #expect(graph.inputs == original.inputs)
      #expect(graph.outputType == original.outputType)
      // Rows of the table of positions are cut by the input's length when it runs.
      let slice = try #require(
        graph.nodes.first { $0.name == "position" }?.operation as? SliceByIndex)
      #expect(slice.begin == [0, 0] && slice.end == [length, 8])
    }
    #expect(
      message { _ = try opened.model.architecture.graph(batch: 1, length: 4) }
        == "program '1 inputs of 4': has no such shape")
    #expect(
      message { _ = try opened.model.architecture.graph(batch: 2, length: 3) }
        == "program '2 inputs of 3': has no such shape")
  }

  /// One length that is not the model's own: the table of positions is cut to it.
  @Test func aShorterLength() throws {
    try SmallModels.bert().write(nil, CoreMLOptions(sequenceLengths: [4]), to: path)
    let opened = try open()
    #expect(opened.message.specificationVersion == 7)
    #expect(opened.model.architecture.shapes == .single(lengths: [4]))
    #expect(opened.model.weights.shape(of: "embeddings_position_embeddings_weight") == [4, 8])
    #expect(opened.model.weights.shape(of: "embeddings_token_type_embeddings_weight") == [1, 8])
  }

  struct Wrong: CustomTestStringConvertible, Sendable {
    let name: String
    let isBert: Bool
    var scheme: Scheme?
    let options: CoreMLOptions
    let fault: String
    var testDescription: String { name }
  }

  static let wrong: [Wrong] = [
    Wrong(
      name: "too long", isBert: true, options: CoreMLOptions(sequenceLengths: [3, 11]),
      fault: "small: sequence length: 11 is outside 1...10, the tokens the model takes"),
    Wrong(
      name: "none", isBert: true, options: CoreMLOptions(sequenceLengths: [0]),
      fault: "small: sequence length: 0 is outside 1...10, the tokens the model takes"),
    Wrong(
      name: "of features", isBert: false, options: CoreMLOptions(sequenceLengths: [4]),
      fault: "small: sequence length: the model takes no text; leave it out"),
    Wrong(
      name: "several lengths on iOS 17", isBert: true,
      options: CoreMLOptions(target: .iOS17, sequenceLengths: [3, 4]),
      fault:
        "small: a choice of sequence lengths needs iOS18, the minimum deployment target is iOS17"),
    Wrong(
      name: "3 bits on iOS 16", isBert: false, scheme: .palette(bits: 3, .perTensor),
      options: CoreMLOptions(target: .iOS16),
      fault: "small: tensor 'w': palette 3 bits per tensor needs iOS18, "
        + "the minimum deployment target is iOS16"),
    Wrong(
      name: "groups on iOS 17", isBert: false, scheme: .palette(bits: 2, .perGroup(size: 2)),
      options: CoreMLOptions(target: .iOS17),
      fault: "small: tensor 'w': palette 2 bits in groups of 2 needs iOS18, "
        + "the minimum deployment target is iOS17"),
  ]

  @Test(arguments: wrong) func optionsThatDoNotSuit(_ test: Wrong) throws {
    let model = try test.isBert ? SmallModels.bert() : SmallModels.embedding()
    #expect(message { try model.write(test.scheme, test.options, to: path) } == test.fault)
    #expect(try Folder.names(in: folder.path).isEmpty)
  }

  @Test(arguments: [DeploymentTarget.iOS16, .iOS17, .iOS18])
  func theTargetIsTheOneAskedFor(_ target: DeploymentTarget) throws {
    try SmallModels.bert().write(.int8(.perChannel), CoreMLOptions(target: target), to: path)
    let message = try open().message
    #expect(Int(message.specificationVersion) == target.specificationVersion)
    #expect(message.mlProgram.functions["main"]?.opset == target.opset)
  }

  @Test(
    arguments: [
      (Scheme.palette(bits: 3, .perTensor), 9), (.palette(bits: 4, .perGroup(size: 2)), 9),
      (.palette(bits: 4, .perTensor), 7), (.int8(.perTensor), 7),
    ] as [(Scheme, Int32)])
  func theLowestTargetThatFits(_ scheme: Scheme, _ version: Int32) throws {
    try SmallModels.embedding().write(scheme, to: path)
    #expect(try open().message.specificationVersion == version)
  }
}
