import Graph
import Testing
import WeightCompression

@testable import Formats

/// Inputs and outputs that are not sound.
extension MLPackageDamageTests {
  static let interface: [Case] = [
    Case(
      "an input of another name",
      unsound + "the inputs are described as [\"x\"], the program takes [\"features\"]"
    ) { $0.message.description_p.input[0].name = "x" },
    Case(
      "inputs of unknown names", .bert,
      program + "input 'input_ids', 'mask': are not known as inputs; known are 'input_ids', "
        + "alone or with 'attention_mask' (and 'token_type_ids'), one image, or one list of features"
    ) { parts in
      parts.message.description_p.input[1].name = "mask"
      parts.function.inputs[1].name = "mask"
    },
    Case("no shape", unsound + "the input 'features' has no shape") {
      $0.message.description_p.input[0].type.multiArrayType.shape = []
    },
    Case(
      "a negative shape",
      unsound + "the input 'features' has the shape [1, -3], the program fp32 [1, 3]"
    ) { $0.message.description_p.input[0].type.multiArrayType.shape = [1, -3] },
    Case(
      "a huge shape",
      unsound + "the input 'features' has the shape [1, 4611686018427387904], "
        + "the program fp32 [1, 3]"
    ) { $0.message.description_p.input[0].type.multiArrayType.shape = [1, 1 << 62] },
    Case("a huge input", program + "input 'features': has an axis of 4611686018427387904") {
      $0.takeFeatures([1, 1 << 62])
    },
    Case(
      "an input that does not fit",
      program + "input 'features': has the shape [1073741824, 1073741824], "
        + "at most 268435456 elements are computed"
    ) { $0.takeFeatures([1 << 30, 1 << 30]) },
    Case(
      "an input of texts",
      unsound + "the input 'features' is described as invalid, the program takes string"
    ) { parts in
      parts.function.inputs[0].type = .tensor(.string, [1, 3])
      parts.message.description_p.input[0].type.multiArrayType.dataType = .invalid
    },
    Case(
      "a text that is no row", .bert,
      program + "input 'input_ids': has the shape [2, 5], expected one text: [1, length]"
    ) { parts in
      for place in 0..<2 {
        parts.function.inputs[place].type = .tensor(.int32, [2, 5])
        parts.message.description_p.input[place].type.multiArrayType.shape = [2, 5]
      }
    },
    Case(
      "a predicted feature that is none", .classifier,
      unsound + "the predicted feature is 'nothing', the label 'kind'"
    ) { $0.message.description_p.predictedFeatureName = "nothing" },
    Case(
      "outputs behind the classifier's back", .classifier,
      program + "classify 'kind': makes [\"kind\", \"kind_probability\"], "
        + "the program puts out [\"layer0_active\"]"
    ) { parts in
      let made = parts["layer0_active"].outputs[0]
      parts.block.outputs = [made.name]
      parts.message.description_p.output.removeLast()
      parts.message.description_p.output[0].name = made.name
      parts.message.description_p.output[0].type.multiArrayType.dataType = .float32
      parts.message.description_p.output[0].type.multiArrayType.shape = [1, 3]
    },
    Case(
      "ids cast to bytes", .bert,
      program + "cast 'narrow': casts to 'uint8', which is not known"
    ) { $0.castIDs("uint8", .uint8) },
    Case(
      "a number that float16 cannot hold",
      program + "cast 'small': makes 131072.0 a float16, which ends at 65504"
    ) { parts in
      parts.block.operations.insert(
        contentsOf: [
          MILOperation(
            "const", attributes: [("val", .floats([131072], []))],
            outputs: [("large", .tensor(.float32))]),
          MILOperation(
            "cast", inputs: [("x", .named("large")), ("dtype", .value(.string("fp16")))],
            outputs: [("small", .tensor(.float16))]),
        ], at: 0)
    },
    Case(
      "labels of another count", .classifier,
      program + "classify 'kind': has 2 classes and 3 probabilities"
    ) { $0["kind"].inputs["classes"] = .value(.list(["x", "y"])) },
    Case(
      "labels that are no texts", .classifier,
      program + "classify 'kind': has classes that are neither texts nor integers of 64 bits"
    ) { $0["kind"].inputs["classes"] = .value(.ints([1, 2, 3])) },
    Case(
      "classify is not last", .classifier,
      program + "const 'late': comes behind 'classify', which must come last"
    ) {
      $0.block.operations.append(
        MILOperation("const", attributes: [("val", .int(1))], outputs: [("late", .tensor(.int32))]))
    },
    Case(
      "classify makes one value", .classifier,
      unsound + "the output 'kind_probability' is not made or has no type"
    ) { $0["kind"].outputs.removeLast() },
    Case(
      "an empty list of lengths", .lengths,
      unsound + "the default shape of 'input_ids' is none of its shapes"
    ) { $0.setLengths([], of: [0, 1]) },
    Case(
      "lengths that disagree", .lengths,
      program + "input 'attention_mask': takes the lengths [4, 7], 'input_ids' takes [3, 7]"
    ) { $0.setLengths([7, 4], of: [1]) },
    Case(
      "a huge length", .lengths,
      program + "input 'input_ids': has the shape [1, 4611686018427387904], "
        + "expected one text: [1, length]"
    ) { $0.setLengths([7, 1 << 62], of: [0, 1]) },
    Case(
      "a length beyond the table", .lengths,
      program + "slice_by_index 'position': 0..<13 is outside axis 0 of [12, 8]"
    ) { $0.setLengths([7, 13], of: [0, 1]) },
  ]
}
