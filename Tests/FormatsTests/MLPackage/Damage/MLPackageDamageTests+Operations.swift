import Graph
import Testing
import WeightCompression

@testable import Formats

/// Operations and plain constants that are not sound.
extension MLPackageDamageTests {
  static let operations: [Case] = [
    Case(
      "an unknown value",
      program + "add 'layer0_linear': 'x' names 'nothing', which is not there yet"
    ) { $0["layer0_linear"].inputs["x"] = .named("nothing") },
    Case("bound to nothing", program + "add 'layer0_linear': 'x' is bound to nothing") {
      $0["layer0_linear"].inputs["x"]?.arguments = [MILBinding()]
    },
    Case(
      "bound twice", program + "add 'layer0_linear': 'x' has 2 values, expected one"
    ) { $0["layer0_linear"].inputs["x"] = .names(["w", "w"]) },
    Case("a missing parameter", program + "matmul 'layer0_linear_product': 'y' is missing") {
      $0["layer0_linear_product"].inputs["y"] = nil
    },
    Case(
      "a parameter of another kind",
      program + "add 'layer0_linear': 'x' is a text, expected a tensor"
    ) { $0["layer0_linear"].inputs["x"] = .value(.string("x")) },
    Case(
      "an unknown operation",
      program + "linear_2 'layer0_linear': is not known; known: "
        + CoreMLOperations.byName.keys.sorted().joined(separator: ", ")
    ) { $0["layer0_linear"].type = "linear_2" },
    Case(
      "an unknown operation of two results",
      program + "split 'layer0_linear': is not known; known: "
        + CoreMLOperations.byName.keys.sorted().joined(separator: ", ")
    ) { parts in
      parts["layer0_linear"].type = "split"
      parts["layer0_linear"].outputs.append(parts["layer0_linear"].outputs[0])
    },
    Case("an unknown constant", program + "constexpr_magic 'w': is not known") {
      $0["w"].type = "constexpr_magic"
    },
    Case("no result", program + "add '': makes no value") {
      $0["layer0_linear"].outputs = []
    },
    Case("two results", program + "add 'layer0_linear': makes several values") {
      $0["layer0_linear"].outputs.append($0["layer0_linear"].outputs[0])
    },
    Case("two constants at once", program + "const 'w': makes several values") {
      $0["w"].outputs.append($0["w"].outputs[0])
    },
    Case("blocks in an operation", program + "add 'layer0_linear': holds blocks of its own") {
      $0["layer0_linear"].blocks = [MILBlock()]
    },
    Case(
      "another shape declared",
      program + "add 'layer0_linear': is declared as fp16 [1, 5], it gives fp32 [1, 4]"
    ) { $0["layer0_linear"].outputs[0].type = .tensor(.float16, [1, 5]) },
    Case(
      "another rank declared",
      program + "add 'layer0_linear': is declared as fp16 [4], it gives fp32 [1, 4]"
    ) { $0["layer0_linear"].outputs[0].type = .tensor(.float16, [4]) },
    Case(
      "another type declared",
      program + "add 'layer0_linear': is declared as int32 [1, 4], it gives fp32 [1, 4]"
    ) { $0["layer0_linear"].outputs[0].type = .tensor(.int32, [1, 4]) },
    Case(
      "no type declared",
      program + "add 'layer0_linear': is declared as no type [], it gives fp32 [1, 4]"
    ) { $0["layer0_linear"].outputs[0].type = MILValueType() },
    Case(
      "shapes that do not fit",
      program + "cast 'b_fp32': is declared as fp32 [4], it gives fp32 [3]"
    ) { parts in
      parts["b"].attributes["val"] = .bytes([0, 0, 0, 0, 0, 0], .float16, [3])
      parts["b"].outputs[0].type = .tensor(.float16, [3])
    },
    Case(
      "a product that has no end",
      program + "tile 'layer0_linear': has the shape [1, 1610612736], "
        + "at most 268435456 elements are computed"
    ) { $0.makeTile([1, 1 << 29]) },
    Case(
      "a product that does not fit",
      program + "tile 'layer0_linear': has the shape [2147483647, 6442450941], "
        + "at most 268435456 elements are computed"
    ) { $0.makeTile([.max, .max]) },
    Case(
      "a cast to nothing known",
      program + "cast 'b_fp32': casts to 'fp8', which is not known"
    ) { $0["b_fp32"].inputs["dtype"] = .value(.string("fp8")) },
  ]

  static let constants: [Case] = [
    Case("no value", program + "const 'w': 'val' is missing") { $0["w"].attributes["val"] = nil },
    Case(
      "declared as another type",
      program + "const 'w': is declared as another type than its value has"
    ) {
      $0["w"].outputs[0].type = .tensor(.float32, [4, 3])
    },
    Case(
      "a rank that is none",
      program + "const 'w': a constant has the rank 3 and 2 axes"
    ) { parts in
      parts["w"].attributes["val"]?.type.tensorType.rank = 3
      parts["w"].outputs[0].type.tensorType.rank = 3
    },
    Case("an open axis", program + "const 'w': a constant has an axis whose length is not known") {
      parts in parts.declare("w", [nil, 3])
    },
    Case(
      "a huge axis", program + "const 'w': a constant has an axis of length 4611686018427387904"
    ) { $0.declare("w", [1 << 62, 3]) },
    Case(
      "huge axes",
      program + "const 'w': a constant of shape [1099511627776, 1099511627776] "
        + "has more elements than fit"
    ) { $0.declare("w", [1 << 40, 1 << 40]) },
    Case(
      "a type no file holds",
      program + "const 'w': a constant of int64 cannot lie in a weight file"
    ) { parts in
      parts["w"].attributes["val"]?.type = .tensor(.int64, [4, 3])
      parts["w"].outputs[0].type = .tensor(.int64, [4, 3])
    },
    Case(
      "too few numbers",
      program + "const 'b': a constant of fp16 and shape [4] needs 4 elements, it has 3"
    ) { $0["b"].attributes["val"]?.immediateValue.tensor.bytes.values.removeLast(2) },
    Case(
      "half a number",
      program + "const 'b': a constant of fp16 and shape [4] needs 4 elements, "
        + "it has another kind of"
    ) { $0["b"].attributes["val"]?.immediateValue.tensor.bytes.values.removeLast() },
    Case(
      "numbers of another kind",
      program + "const 'b': a constant of fp16 and shape [4] needs 4 elements, "
        + "it has another kind of"
    ) { $0["b"].attributes["val"]?.immediateValue.tensor.floats.values = [1, 2, 3, 4] },
    Case("nothing in it", program + "const 'b': a constant has no value") {
      $0["b"].attributes["val"]?.value = nil
    },
  ]
}
