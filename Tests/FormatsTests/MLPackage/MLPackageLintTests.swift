import Files
import Graph
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Formats

/// Every rule of the lint, broken once.
struct MLPackageLintTests {
  let folder: TemporaryFolder
  var path: String { folder.path("X.mlpackage") }

  init() throws { folder = try TemporaryFolder() }

  struct Rule: CustomTestStringConvertible, Sendable {
    let name: String
    var sample = MLPackageDamageTests.Sample.embedding(nil)
    let fault: String
    let breaks: @Sendable (inout MLPackageParts) -> Void
    var testDescription: String { name }
  }

  private static let shared = MLPackageDamageTests.Sample.embedding(.int8(.perChannel))

  static let rules: [Rule] = [
    Rule(name: "main", fault: "the program has no main function") {
      $0.message.mlProgram.functions = ["other": $0.function]
    },
    Rule(name: "opset", fault: "the opset 'CoreML6' is not that of specification version 8") {
      $0.message.specificationVersion = 8
    },
    Rule(
      name: "unknown version", fault: "the opset 'CoreML6' is not that of specification version 0"
    ) {
      $0.message.specificationVersion = 0
    },
    Rule(
      name: "inputs",
      fault: "the inputs are described as [\"features\", \"features\"], "
        + "the program takes [\"features\"]"
    ) { parts in
      parts.message.description_p.input.append(parts.message.description_p.input[0])
    },
    Rule(
      name: "outputs",
      fault: "the outputs are described as [], the program gives [\"vector\"]"
    ) { $0.message.description_p.output = [] },
    Rule(name: "input without a type", fault: "the input 'features' has no shape") {
      $0.message.description_p.input[0].type = SpecFeatureType()
    },
    Rule(
      name: "type of an input",
      fault: "the input 'features' is described as int32, the program takes fp32"
    ) { $0.message.description_p.input[0].type.multiArrayType.dataType = .int32 },
    Rule(
      name: "shape of an input",
      fault: "the input 'features' has the shape [1, 4], the program fp32 [1, 3]"
    ) { $0.message.description_p.input[0].type.multiArrayType.shape = [1, 4] },
    Rule(name: "optional input", fault: "the input 'features' is optional") {
      $0.message.description_p.input[0].type.isOptional = true
    },
    Rule(
      name: "default shape", sample: .lengths,
      fault: "the default shape of 'attention_mask' is none of its shapes"
    ) { $0.message.description_p.input[1].type.multiArrayType.shape = [1, 5] },
    Rule(
      name: "one of several shapes", sample: .lengths,
      fault: "the input 'input_ids' has the shape [2, 3], the program int32 [1, ?]"
    ) {
      $0.message.description_p.input[0].type.multiArrayType.enumeratedShapes.shapes[1].shape = [
        2, 3,
      ]
    },
    Rule(
      name: "output without a type", fault: "the output 'vector' is not made or has no type"
    ) { $0.message.description_p.output[0].type = SpecFeatureType() },
    Rule(
      name: "type of an output",
      fault: "the output 'vector' is described as float16 [1, 4], the program gives fp32 [1, 4]"
    ) { $0.message.description_p.output[0].type.multiArrayType.dataType = .float16 },
    Rule(
      name: "shape of an output",
      fault: "the output 'vector' is described as float32 [4], the program gives fp32 [1, 4]"
    ) { $0.message.description_p.output[0].type.multiArrayType.shape = [4] },
    Rule(
      name: "predicted feature", fault: "the predicted feature 'kind_2' is no output"
    ) { $0.message.description_p.predictedFeatureName = "kind_2" },
    Rule(
      name: "predicted label", sample: .classifier,
      fault: "the predicted feature is 'kind_2', the label 'kind'"
    ) { $0.message.description_p.predictedFeatureName = "kind_2" },
    Rule(
      name: "predicted probabilities", sample: .classifier,
      fault: "the predicted probabilities are 'x', the program's 'kind_probability'"
    ) { $0.message.description_p.predictedProbabilitiesName = "x" },
    Rule(
      name: "label that is no text", sample: .classifier,
      fault: "the label 'kind' is described as another type than text or an integer"
    ) { $0.message.description_p.output[0].type.doubleType = SpecDoubleFeatureType() },
    Rule(
      name: "probabilities by number", sample: .classifier,
      fault: "'kind_probability' is described as another type than a dictionary of texts"
    ) {
      $0.message.description_p.output[1].type.dictionaryType.int64KeyType = SpecInt64FeatureType()
    },
    Rule(
      name: "a range of shapes", sample: .bert,
      fault: "the input 'input_ids' has a range of shapes, the program int32 [1, 10]"
    ) {
      var range = SpecSizeRange()
      range.lowerBound = 1
      range.upperBound = 9
      $0.message.description_p.input[0].type.multiArrayType.shapeRange.sizeRanges = [range, range]
    },
    Rule(name: "an infinite number", sample: .bert, fault: "'number' holds -inf") {
      $0.block.operations.append(
        MILOperation(
          "const", attributes: [("val", .bytes([0, 0xfc], .float16, []))],
          outputs: [("number", .tensor(.float16))]))
    },
    Rule(name: "identifier", fault: "'layer0.linear' is no valid name") {
      $0["layer0_linear"].outputs[0].name = "layer0.linear"
    },
    Rule(name: "one name twice", fault: "two values are called 'w'") {
      $0["b"].outputs[0].name = "w"
    },
    Rule(
      name: "type of a constant",
      fault: "the constant 'b' is declared as another type than its value has"
    ) { $0["b"].outputs[0].type = .tensor(.float16, [1, 4]) },
    Rule(name: "rank", fault: "'layer0_linear' has more than 5 axes") {
      $0["layer0_linear"].outputs[0].type = .tensor(.float16, [1, 1, 1, 1, 1, 4])
    },
    Rule(
      name: "compressed output", sample: shared, fault: "the output 'w' is a compressed constant"
    ) {
      parts in
      parts.block.outputs = ["w"]
      parts.message.description_p.output[0].name = "w"
      parts.message.description_p.output[0].type.multiArrayType.dataType = .float16
      parts.message.description_p.output[0].type.multiArrayType.shape = [4, 3]
    },
    Rule(name: "weight file", fault: "'w' names the weight file 'weights/weight.bin'") {
      $0["w"].attributes["val"]?.blobFileValue.fileName = "weights/weight.bin"
    },
    Rule(
      name: "weight file of an input", sample: .embedding(.palette(bits: 3, .perTensor)),
      fault: "'w' names the weight file 'weight.bin'"
    ) { $0["w"].inputs["indices"] = .value(.blob(named: "weight.bin")) },
  ]

  private func faults(of message: SpecModel) -> [String] {
    MLPackageLint.versionFaults(message) + MLPackageLint.interfaceFaults(message)
      + MLPackageLint.nameFaults(message) + MLPackageLint.operationFaults(message)
  }

  @Test(arguments: rules) func isBroken(_ rule: Rule) throws {
    try rule.sample.write(to: path)
    var parts = try MLPackageParts(of: path)
    #expect(faults(of: parts.message) == [])
    #expect(message { try MLPackageLint.check(parts.message, of: "P") } == nil)
    rule.breaks(&parts)
    #expect(faults(of: parts.message) == [rule.fault])
    #expect(
      message { try MLPackageLint.check(parts.message, of: "P") }
        == "P: cannot be written as a Core ML package: \(rule.fault)")
  }

  /// Float16 outputs came with iOS 16.
  @Test func float16OnAnOldSystem() throws {
    try SmallModels.embedding().write(nil, CoreMLOptions(outputType: .float16), to: path)
    var message = try MLPackageParts(of: path).message
    message.specificationVersion = 6
    #expect(
      faults(of: message) == [
        "the opset 'CoreML6' is not that of specification version 6",
        "'vector' is float16, which needs specification version 7",
      ])
  }

  /// Values of float16 of infinity and of no number in `w` and in the table of a palette.
  @Test(arguments: [(0x7c00, "inf"), (0xfc00, "-inf"), (0x7e00, "nan")] as [(UInt16, String)])
  func numbers(_ bits: UInt16, _ word: String) throws {
    try MLPackageDamageTests.Sample.embedding(nil).write(to: path)
    var parts = try MLPackageParts(of: path)
    parts.weights?[128 + 10] = UInt8(truncatingIfNeeded: bits)
    parts.weights?[128 + 11] = UInt8(bits >> 8)
    try parts.write(to: path)
    let opened = try CoreMLPackage.open(path, origin: path, files: MLPackageParts.noFiles)
    #expect(
      MLPackageLint.numberFault("w", try opened.model.weights.floats(of: "w"))
        == "the constant 'w' holds \(word) at flat index 5")
  }

  @Test(arguments: [
    MLPackageDamageTests.Sample.embedding(nil), shared, .embedding(.palette(bits: 3, .perTensor)),
    .classifier, .bert, .lengths,
  ])
  func aSoundPackageHasNoFaults(_ sample: MLPackageDamageTests.Sample) throws {
    try sample.write(to: path)
    #expect(faults(of: try MLPackageParts(of: path).message) == [])
  }
}

extension MILValue {
  /// A reference to a file of another name.
  fileprivate static func blob(named name: String) -> MILValue {
    var value = MILValue.blob(at: 64, .uint3, [4, 3])
    value.blobFileValue.fileName = name
    return value
  }
}
