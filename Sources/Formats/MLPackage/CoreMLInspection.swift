package import Graph
package import Weights

/// The contents of a Core ML package for `inspect`.
package struct CoreMLInspection: Sendable {
  /// An input or output.
  package struct Feature: Sendable {
    package let name: String
    /// Element type and shape in words, such as `int32 [1, 128]`.
    package let type: String
    package let description: String
  }

  /// A constant of floats with at least one axis.
  package struct Constant: Sendable {
    package let name: TensorName
    /// How it is stored, such as `palette 4 bits, one table`.
    package let storage: String
    package let shape: [Int]
    package let bits: Int
    package let byteCount: Int
    /// Word for its role in the graph.
    package let role: String
  }

  package let model: Model
  package let specificationVersion: Int
  package let opset: String
  package let inputs: [Feature]
  package let outputs: [Feature]
  /// Author, license, version and description as far as they are given, and every key of a user's.
  package let metadata: [String: String]
  package let constants: [Constant]
  /// Names of constants whose −∞ is read as `hiddenValue`; those with no axes are not listed above.
  package let mendedMasks: [String]
  /// Numbers of the program that are not finite; no other package can be made of it.
  package let faults: [ConstantFault]
  /// The number that hides a key in a mask that Ingot runs and writes.
  package static let hiddenValue = MaskMending.hidden
  /// How often the program holds each operation, constants left out.
  package let operations: [String: Int]

  /// Opens a package.
  package init(_ path: String, files: ModelFiles) throws {
    let opened = try CoreMLPackage.open(path, origin: path, files: files)
    let message = opened.message
    model = opened.model
    specificationVersion = Int(message.specificationVersion)
    let function = message.mlProgram.functions["main"] ?? MILFunction()
    opset = function.opset
    inputs = message.description_p.input.map(Feature.init)
    outputs = message.description_p.output.map(Feature.init)
    metadata = message.description_p.metadata.texts
    let roles = Dictionary(try model.usedWeights().map { ($0.name.text, $0.role.label) }) {
      first, _ in first
    }
    let masks = opened.program.mendedMasks
    mendedMasks = masks.sorted()
    faults = opened.program.faults
    constants = opened.program.constants.values.sorted { $0.name < $1.name }.map { constant in
      Constant(
        name: TensorName(constant.name), storage: constant.label, shape: constant.shape,
        bits: constant.bits,
        byteCount: constant.byteCount,
        role: roles[constant.name]
          ?? (masks.contains(constant.name) ? "mask" : "part of another"))
    }
    let block = function.blockSpecializations[opset] ?? MILBlock()
    operations = Dictionary(
      block.operations.filter { !ConstantReader.makesConstant($0) }.map { ($0.type, 1) },
      uniquingKeysWith: +)
  }
}

extension CoreMLInspection.Feature {
  init(_ feature: SpecFeatureDescription) {
    name = feature.name
    description = feature.shortDescription
    switch feature.type.type {
    case .multiArrayType(let array):
      var shapes = [array.shape]
      if case .enumeratedShapes(let enumerated) = array.flexibility {
        shapes = enumerated.shapes.map(\.shape)
      }
      if case .shapeRange(let range) = array.flexibility {
        let bounds = range.sizeRanges.map { size in
          size.upperBound == Int64(size.lowerBound)
            ? "\(size.lowerBound)"
            : size.upperBound < 0
              ? "\(size.lowerBound) and more" : "\(size.lowerBound)...\(size.upperBound)"
        }
        let word = array.dataType.type?.word ?? "no type"
        type = "\(word) [\(bounds.joined(separator: ", "))]"
        return
      }
      let word = array.dataType.type?.word ?? "no type"
      type = "\(word) " + shapes.map { "\($0)" }.joined(separator: " or ")
    case .stringType: type = "string"
    case .int64Type: type = "int64"
    case .doubleType: type = "double"
    case .dictionaryType: type = "dictionary of doubles"
    case .imageType(let image): type = "image \(image.width) × \(image.height)"
    case nil: type = "no type"
    }
  }
}

extension SpecMetadata {
  /// All that is given, by key.
  var texts: [String: String] {
    let own = [
      "author": author, "license": license, "version": versionString,
      "shortDescription": shortDescription,
    ]
    return userDefined.merging(own.filter { !$0.value.isEmpty }) { _, own in own }
  }
}
