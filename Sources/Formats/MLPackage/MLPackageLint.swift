import Graph

/// The rules of Core ML that no loader off Apple's systems checks, held before a package gets its
/// name.
///
/// Source: the rules of Apple's open validator of interfaces and what is known of its compiler; see
/// `specs/formats/coreml-package.md`.
enum MLPackageLint {
  /// Largest number of axes of a computed value.
  private static let maxAxes = 5

  /// - Parameter origin: the model that the package is made of.
  /// - Throws: `CoreMLError.unwritable` naming the first rule that is broken.
  static func check(_ model: SpecModel, of origin: String) throws {
    let faults =
      versionFaults(model) + interfaceFaults(model) + nameFaults(model) + operationFaults(model)
    if let fault = faults.first { throw CoreMLError.unwritable(origin: origin, fault: fault) }
  }

  private static func main(of model: SpecModel) -> (MILFunction, MILBlock)? {
    guard let function = model.mlProgram.functions["main"],
      let block = function.blockSpecializations[function.opset]
    else { return nil }
    return (function, block)
  }

  // A system knows an opset by its specification version; types of outputs and inputs need one too.
  static func versionFaults(_ model: SpecModel) -> [String] {
    guard let (function, _) = main(of: model) else { return ["the program has no main function"] }
    let version = Int(model.specificationVersion)
    var faults: [String] = []
    if !(6...10).contains(version) || function.opset != "CoreML\(version - 1)" {
      faults.append("the opset '\(function.opset)' is not that of specification version \(version)")
    }
    let features = model.description_p.input + model.description_p.output
    for feature in features where feature.type.multiArrayType.dataType == .float16 && version < 7 {
      faults.append("'\(feature.name)' is float16, which needs specification version 7")
    }
    return faults
  }

  // Inputs and outputs of the description that differ from the program's.
  static func interfaceFaults(_ model: SpecModel) -> [String] {
    guard let (function, block) = main(of: model) else { return [] }
    let description = model.description_p
    var faults: [String] = []
    if description.input.map(\.name) != function.inputs.map(\.name) {
      faults.append(
        "the inputs are described as \(description.input.map(\.name)), the program takes "
          + "\(function.inputs.map(\.name))")
    }
    if description.output.map(\.name) != block.outputs {
      faults.append(
        "the outputs are described as \(description.output.map(\.name)), the program gives "
          + "\(block.outputs)")
    }
    for (feature, input) in zip(description.input, function.inputs) {
      faults += inputFaults(feature, input.type.tensorType)
    }
    for feature in description.output { faults += outputFaults(feature, block) }
    let predicted = description.predictedFeatureName
    if block.operations.last?.type == "classify" {
      faults += classifierFaults(description)
    } else if !predicted.isEmpty && !description.output.contains(where: { $0.name == predicted }) {
      faults.append("the predicted feature '\(predicted)' is no output")
    }
    return faults
  }

  // A classifier puts out a label and a dictionary, and says so.
  private static func classifierFaults(_ description: SpecModelDescription) -> [String] {
    guard description.output.count == 2 else { return [] }
    let label = description.output[0], probabilities = description.output[1]
    var faults: [String] = []
    switch (label.type.type, probabilities.type.dictionaryType.keyType) {
    case (.stringType, .stringKeyType), (.int64Type, .int64KeyType): break
    case (.stringType, _):
      faults.append(
        "'\(probabilities.name)' is described as another type than a dictionary of texts")
    case (.int64Type, _):
      faults.append(
        "'\(probabilities.name)' is described as another type than a dictionary of integers")
    default:
      faults.append(
        "the label '\(label.name)' is described as another type than text or an integer")
    }
    if description.predictedFeatureName != label.name {
      faults.append(
        "the predicted feature is '\(description.predictedFeatureName)', the label '\(label.name)'")
    }
    if description.predictedProbabilitiesName != probabilities.name {
      faults.append(
        "the predicted probabilities are '\(description.predictedProbabilitiesName)', "
          + "the program's '\(probabilities.name)'")
    }
    return faults
  }

  private static func inputFaults(
    _ feature: SpecFeatureDescription, _ type: MILTensorType
  ) -> [String] {
    if case .imageType(let image) = feature.type.type {
      return imageFaults(feature, image, type)
    }
    let array = feature.type.multiArrayType
    guard feature.type.type != nil, !array.shape.isEmpty else {
      return ["the input '\(feature.name)' has no shape"]
    }
    var faults: [String] = []
    if array.dataType.type != type.dataType {
      faults.append(
        "the input '\(feature.name)' is described as \(array.dataType), the program takes "
          + type.dataType.word)
    }
    var shapes = [array.shape]
    if case .shapeRange = array.flexibility, !type.dimensions.contains(where: \.isOpen) {
      faults.append("the input '\(feature.name)' has a range of shapes, the program \(type.words)")
    }
    if case .enumeratedShapes(let enumerated) = array.flexibility {
      shapes += enumerated.shapes.map(\.shape)
      if !enumerated.shapes.contains(where: { $0.shape == array.shape }) {
        faults.append("the default shape of '\(feature.name)' is none of its shapes")
      }
    }
    for shape in shapes where !type.takes(shape) {
      faults.append("the input '\(feature.name)' has the shape \(shape), the program \(type.words)")
    }
    if feature.type.isOptional { faults.append("the input '\(feature.name)' is optional") }
    return faults
  }

  // An image is planes of floats to the program, of the size that is described.
  private static func imageFaults(
    _ feature: SpecFeatureDescription, _ image: SpecImageFeatureType, _ type: MILTensorType
  ) -> [String] {
    var faults: [String] = []
    let planes: Int64 = image.colorSpace == .grayscale ? 1 : 3
    if type.dataType != .float32 || !type.takes([1, planes, image.height, image.width]) {
      faults.append(
        "the input '\(feature.name)' is described as an image of \(image.width) × \(image.height), "
          + "the program takes \(type.words)")
    }
    if feature.type.isOptional { faults.append("the input '\(feature.name)' is optional") }
    return faults
  }

  private static func outputFaults(_ feature: SpecFeatureDescription, _ block: MILBlock) -> [String]
  {
    let made = block.operations.lazy.flatMap(\.outputs).first { $0.name == feature.name }
    guard let made, let type = feature.type.type else {
      return ["the output '\(feature.name)' is not made or has no type"]
    }
    if case .multiArrayType(let array) = type {
      guard array.dataType.type == made.type.tensorType.dataType,
        array.shape.isEmpty || made.type.tensorType.takes(array.shape)
      else {
        return [
          "the output '\(feature.name)' is described as \(array.dataType) \(array.shape), "
            + "the program gives \(made.type.tensorType.words)"
        ]
      }
    }
    return []
  }

  // Names are identifiers, and no two are alike.
  static func nameFaults(_ model: SpecModel) -> [String] {
    guard let (function, block) = main(of: model) else { return [] }
    var known: Set<String> = []
    var faults: [String] = []
    for name in function.inputs.map(\.name) + block.operations.flatMap({ $0.outputs.map(\.name) }) {
      if !Identifier.isValid(name) { faults.append("'\(name)' is no valid name") }
      if !known.insert(name).inserted { faults.append("two values are called '\(name)'") }
    }
    return faults
  }

  static func operationFaults(_ model: SpecModel) -> [String] {
    guard let (_, block) = main(of: model) else { return [] }
    var faults: [String] = []
    for operation in block.operations {
      let name = operation.outputs.first?.name ?? operation.type
      if operation.type == "const" {
        if operation.attributes["val"]?.type != operation.outputs.first?.type {
          faults.append("the constant '\(name)' is declared as another type than its value has")
        }
      } else if !ConstantReader.makesConstant(operation) {
        for output in operation.outputs where output.type.tensorType.dimensions.count > maxAxes {
          faults.append("'\(output.name)' has more than \(maxAxes) axes")
        }
      } else if block.outputs.contains(name) {
        faults.append("the output '\(name)' is a compressed constant")
      }
      for value in operation.values {
        if let number = value.immediateNumbers.first(where: { !$0.isFinite }) {
          faults.append("'\(name)' holds \(number)")
        }
        if case .blobFileValue(let blob) = value.value, blob.fileName != MILValue.blobFileName {
          faults.append("'\(name)' names the weight file '\(blob.fileName)'")
        }
      }
    }
    return faults
  }

  /// Masks and weights are finite.
  static func numberFault(_ name: String, _ values: [Float]) -> String? {
    guard let place = values.firstIndex(where: { !$0.isFinite }) else { return nil }
    // NaNs differ in bits that say nothing.
    let value = values[place].isNaN ? Float.nan : values[place]
    return "the constant '\(name)' holds \(value) at flat index \(place)"
  }
}
