import Foundation
import Graph

// Short ways to make and look through the messages of a program.

extension MILValueType {
  /// A tensor; a nil length is one that the caller chooses.
  static func tensor(_ type: MILDataType, _ shape: [Int?] = []) -> MILValueType {
    var tensor = MILTensorType()
    tensor.dataType = type
    tensor.rank = Int64(shape.count)
    tensor.dimensions = shape.map { length in
      var dimension = MILDimension()
      if let length {
        dimension.constant.size = UInt64(length)
      } else {
        dimension.unknown = MILUnknownDimension()
      }
      return dimension
    }
    var value = MILValueType()
    value.tensorType = tensor
    return value
  }

  /// A dictionary from labels to doubles.
  static func dictionary(from label: MILDataType) -> MILValueType {
    var value = MILValueType()
    value.dictionaryType.keyType = .tensor(label)
    value.dictionaryType.valueType = .tensor(.float64)
    return value
  }
}

extension MILValue {
  static func string(_ text: String) -> MILValue {
    immediate(.string) { $0.strings.values = [text] }
  }

  static func int64(_ value: Int) -> MILValue {
    immediate(.int64) { $0.longInts.values = [Int64(value)] }
  }

  static func bool(_ value: Bool) -> MILValue { immediate(.bool) { $0.bools.values = [value] } }

  static func bools(_ values: [Bool]) -> MILValue {
    immediate(.bool, [values.count]) { $0.bools.values = values }
  }

  static func int(_ value: Int) -> MILValue {
    immediate(.int32) { $0.ints.values = [Int32(truncatingIfNeeded: value)] }
  }

  static func ints(_ values: [Int]) -> MILValue {
    ints(values.map { Int32(truncatingIfNeeded: $0) }, [values.count])
  }

  static func ints(_ values: [Int32], _ shape: [Int]) -> MILValue {
    immediate(.int32, shape) { $0.ints.values = values }
  }

  static func floats(_ values: [Float], _ shape: [Int]) -> MILValue {
    immediate(.float32, shape) { $0.floats.values = values }
  }

  /// Types stored in the message as little-endian bytes: float16 and the small integers.
  static func bytes(_ bytes: [UInt8], _ type: MILDataType, _ shape: [Int]) -> MILValue {
    immediate(type, shape) { $0.bytes.values = .init(bytes) }
  }

  /// A reference to a record of the package's weight file.
  static func blob(at offset: UInt64, _ type: MILDataType, _ shape: [Int]) -> MILValue {
    var value = MILValue()
    value.type = .tensor(type, shape)
    value.blobFileValue.fileName = blobFileName
    value.blobFileValue.offset = offset
    return value
  }

  /// The labels of a classifier.
  static func list(_ labels: ClassLabels) -> MILValue {
    var value = MILValue()
    value.type.listType.type = .tensor(labels.milType)
    value.type.listType.length.constant.size = UInt64(labels.count)
    switch labels {
    case .texts(let texts): value.immediateValue.list.values = texts.map(MILValue.string)
    case .integers(let integers): value.immediateValue.list.values = integers.map(MILValue.int64)
    }
    return value
  }

  /// The weight file's name in programs.
  static let blobFileName = "@model_path/weights/weight.bin"

  private static func immediate(
    _ type: MILDataType, _ shape: [Int] = [], _ fill: (inout MILTensorValue) -> Void
  ) -> MILValue {
    var tensor = MILTensorValue()
    fill(&tensor)
    var value = MILValue()
    value.type = .tensor(type, shape)
    value.immediateValue.tensor = tensor
    return value
  }
}

extension MILArgument {
  static func named(_ name: String) -> MILArgument { .names([name]) }

  /// A list argument.
  static func names(_ names: [String]) -> MILArgument {
    var argument = MILArgument()
    argument.arguments = names.map { name in
      var binding = MILBinding()
      binding.name = name
      return binding
    }
    return argument
  }

  static func value(_ value: MILValue) -> MILArgument {
    var binding = MILBinding()
    binding.value = value
    var argument = MILArgument()
    argument.arguments = [binding]
    return argument
  }
}

extension MILOperation {
  /// Every value in it, in attributes and bound to parameters.
  var values: [MILValue] {
    attributes.values + inputs.values.flatMap { $0.arguments.map(\.value) }
  }

  /// An operation with its name as attribute, as every writer puts it.
  init(
    _ type: String, inputs: [(String, MILArgument)] = [], attributes: [(String, MILValue)] = [],
    outputs: [(name: String, type: MILValueType)]
  ) {
    self.init()
    self.type = type
    self.inputs = Dictionary(inputs) { first, _ in first }
    self.attributes = Dictionary(attributes) { first, _ in first }
    self.attributes["name"] = .string(outputs.first?.name ?? type)
    self.outputs = outputs.map { output in
      var named = MILNamedValueType()
      named.name = output.name
      named.type = output.type
      return named
    }
  }
}
