import Graph
import Testing
import WeightCompression

@testable import Formats

/// Damaged files, and programs that are none.
extension MLPackageDamageTests {
  static let files: [Case] = [
    Case(
      "wrong sentinel",
      blob + "the weights record at 64 begins with 0xdeadbe00, expected 0xdeadbeef"
    ) {
      $0.weights?[64] = 0
    },
    Case(
      "wrong type in a record",
      blob + "the weights record at 64 holds int8, the program says float16"
    ) {
      $0.weights?[68] = 4
    },
    Case(
      "a record of another size",
      blob + "the weights record at 64 holds 11 elements, the program says 12"
    ) { $0.weights?[72] = 22 },
    Case(
      "data beyond the end",
      blob + "the weights record at 64 has 24 bytes of data at 65664, the file has 152"
    ) { $0.weights?[82] = 1 },
    Case(
      "a record beyond the end",
      blob + "the weights record at 6400 needs 64 bytes, the file has 152"
    ) {
      $0.weightReference = ("@model_path/weights/weight.bin", 6400)
    },
    Case(
      "a record at the data", blob + "the weights record at 128 needs 64 bytes, the file has 152"
    ) {
      $0.weightReference = ("@model_path/weights/weight.bin", 128)
    },
    Case("a record out of line", blob + "the weights record at 65 is not at a multiple of 64") {
      $0.weightReference = ("@model_path/weights/weight.bin", 65)
    },
    Case(
      "weights cut in the data",
      blob + "the weights record at 64 has 24 bytes of data at 128, the file has 140"
    ) {
      $0.weights?.removeLast(12)
    },
    Case(
      "weights cut in the record",
      blob + "the weights file says it holds 1 records, its 100 bytes hold at most 0"
    ) {
      $0.weights?.removeLast(52)
    },
    Case("weights cut in the header", blob + "the weights file has 10 bytes, its header takes 64") {
      $0.weights?.removeLast(142)
    },
    Case("no weights", unsound + "the manifest names 'com.apple.CoreML/weights', which is missing")
    {
      $0.weights = nil
    },
    Case(
      "weights outside the package",
      unsound + "the program names the weights file '@model_path/../../../x', "
        + "whose path has the part '..'"
    ) { $0.weightReference = ("@model_path/../../../x", 64) },
    Case(
      "weights of another name",
      unsound + "the program names the weights file '@model_path/weights/no.bin', which is missing"
    ) { $0.weightReference = ("@model_path/weights/no.bin", 64) },
    Case(
      "manifest without a key", "P/Manifest.json:1:1: the key 'rootModelIdentifier' is missing"
    ) { parts in
      let text = String(decoding: parts.manifest, as: UTF8.self)
      parts.manifest = Array(
        text.split(separator: "\n").filter { !$0.contains("rootModelIdentifier") }
          .joined(separator: "\n").replacing("},\n}", with: "}\n}").utf8)
    },
    Case("empty manifest", "P/Manifest.json:1:1: the text ends where a value is expected") {
      $0.manifest = []
    },
    Case(
      "empty model",
      unsound + "'Data/com.apple.CoreML/model.mlmodel' is empty"
    ) {
      $0.model = []
    },
    Case(
      "another kind of model behind the program",
      program + "program 'model': holds more than an ML Program and its description"
    ) { parts in parts.model = try parts.message.deterministicBytes() + [0xa2, 0x19, 0] },
    Case(
      "an opset of another version",
      unsound + "the opset 'CoreML6' is not that of specification version 9"
    ) { $0.message.specificationVersion = 9 },
    Case(
      "operations for two opsets",
      program + "program 'main': has operations for more than its opset, or inputs of their own"
    ) { $0.function.blockSpecializations["CoreML7"] = MILBlock() },
    Case(
      "model cut short",
      unsound + "'Data/com.apple.CoreML/model.mlmodel' is no model message: truncated"
    ) { parts in parts.model = try Array(parts.message.deterministicBytes().dropLast(7)) },
    Case(
      "model of random bytes",
      unsound + "'Data/com.apple.CoreML/model.mlmodel' is no model message: malformedProtobuf"
    ) { $0.model = (0..<500).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) } },
    Case(
      "a huge model",
      "P/Data/com.apple.CoreML/model.mlmodel: has 16777217 bytes, "
        + "the limit for such a file is 16777216"
    ) { $0.model = [UInt8](repeating: 0, count: 16 << 20 + 1) },
  ]

  static let wholes: [Case] = [
    Case(
      "no ML Program",
      program + "program 'model': is no ML Program; older kinds of model are not read"
    ) {
      $0.message.type = nil
    },
    Case("another version", program + "program 'version': is 2, expected 1") {
      $0.message.mlProgram.version = 2
    },
    Case("no functions", program + "program 'functions': are [], expected 'main' alone") {
      $0.message.mlProgram.functions = [:]
    },
    Case(
      "two functions",
      program + "program 'functions': are [\"main\", \"other\"], expected 'main' alone"
    ) { $0.message.mlProgram.functions["other"] = MILFunction() },
    Case("no main", program + "program 'functions': are [\"other\"], expected 'main' alone") {
      $0.message.mlProgram.functions = ["other": $0.function]
    },
    Case("no block", program + "program 'main': has no operations for its opset 'CoreML7'") {
      $0.message.mlProgram.functions["main"]?.opset = "CoreML7"
    },
    Case(
      "unsorted",
      program + "identity 'vector': 'x' names 'layer0_linear', which is not there yet"
    ) { $0.block.operations.reverse() },
    Case("a name twice", program + "const 'w': a value of this name is there already") {
      $0.block.operations.insert($0["w"], at: 0)
    },
    Case("a name no identifier", program + "const 'a b': is not a valid name") {
      $0["w"].outputs[0].name = "a b"
    },
    Case("an input's name", program + "const 'features': a value of this name is there already") {
      $0["w"].outputs[0].name = "features"
    },
    Case("a reserved name", program + "const 'fp16': is not a valid name") {
      $0["w"].outputs[0].name = "fp16"
    },
    Case(
      "two outputs",
      unsound + "the outputs are described as [\"vector\"], the program gives [\"vector\", \"w\"]"
    ) { $0.block.outputs.append("w") },
    Case(
      "two described outputs",
      program + "program 'vector, w': has 2 outputs, expected one that is computed"
    ) { parts in
      parts.block.outputs.append("w")
      var feature = parts.message.description_p.output[0]
      feature.name = "w"
      feature.type.multiArrayType.dataType = .float16
      feature.type.multiArrayType.shape = [4, 3]
      parts.message.description_p.output.append(feature)
    },
    Case(
      "no outputs", program + "program '': has 0 outputs, expected one that is computed"
    ) { parts in
      parts.block.outputs = []
      parts.message.description_p.output = []
    },
    Case("a constant put out", program + "program 'w': puts out a constant") { parts in
      parts.block.outputs = ["w"]
      parts.message.description_p.output[0].name = "w"
      parts.message.description_p.output[0].type.multiArrayType.dataType = .float16
      parts.message.description_p.output[0].type.multiArrayType.shape = [4, 3]
    },
  ]
}
