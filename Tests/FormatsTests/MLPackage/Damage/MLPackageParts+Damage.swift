@testable import Formats

extension MLPackageParts {
  /// File and place of the weight `w`.
  var weightReference: (file: String, offset: UInt64) {
    get {
      let value = self["w"].attributes["val"]?.blobFileValue ?? MILBlobFileValue()
      return (value.fileName, value.offset)
    }
    set {
      self["w"].attributes["val"]?.blobFileValue.fileName = newValue.file
      self["w"].attributes["val"]?.blobFileValue.offset = newValue.offset
    }
  }

  /// Says that a constant has another shape, in its value and its result.
  mutating func declare(_ name: String, _ shape: [Int?]) {
    self[name].attributes["val"]?.type = .tensor(.float16, shape)
    self[name].outputs[0].type = .tensor(.float16, shape)
  }

  /// Says that the program takes features of another shape.
  mutating func takeFeatures(_ shape: [Int]) {
    function.inputs[0].type = .tensor(.float32, shape)
    message.description_p.input[0].type.multiArrayType.shape = shape.map(Int64.init)
  }

  /// Makes `tile` of the linear layer.
  mutating func makeTile(_ repetitions: [Int32]) {
    self["layer0_linear"].type = "tile"
    self["layer0_linear"].inputs = [
      "x": .named("features"), "reps": .value(.ints(repetitions, [2])),
    ]
  }

  /// Looks words up by ids that were cast to another type.
  mutating func castIDs(_ word: String, _ type: MILDataType) {
    block.operations.insert(
      MILOperation(
        "cast", inputs: [("x", .named("input_ids")), ("dtype", .value(.string(word)))],
        outputs: [("narrow", .tensor(type, [1, 10]))]), at: 0)
    self["words"].inputs["indices"] = .named("narrow")
  }

  /// Makes `w` a constant of four codes in blocks.
  mutating func makeBlocks(scale: MILValue, offset: MILValue? = nil) {
    self["w"] = MILOperation(
      "constexpr_blockwise_shift_scale",
      inputs: [("data", .value(.bytes([1, 2, 3, 4], .int8, [4]))), ("scale", .value(scale))]
        + (offset.map { [("offset", .value($0))] } ?? []),
      outputs: [("w", .tensor(.float16, [4]))])
  }

  /// The lengths that inputs can have; the first is the default.
  mutating func setLengths(_ lengths: [Int64], of inputs: [Int]) {
    for input in inputs {
      message.description_p.input[input].type.multiArrayType.enumeratedShapes.shapes =
        lengths.map { length in
          var shape = SpecShape()
          shape.shape = [1, length]
          return shape
        }
    }
  }
}
