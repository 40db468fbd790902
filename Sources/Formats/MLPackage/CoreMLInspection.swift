package import Graph
import StrictJSON
import Weights

extension CoreMLPackage {
  /// The contents of the package at a path.
  package static func inspect(_ path: String, files: ModelFiles) throws -> FolderInspection {
    if let tables = try TabularPackage(try MLPackageFolder(path: path), origin: path) {
      return tables.inspection
    }
    let opened = try open(path, origin: path, files: files)
    let description = opened.message.description_p
    let function = opened.message.mlProgram.functions["main"] ?? MILFunction()
    return FolderInspection(
      format: ModelFormat(Self.self), model: opened.model,
      facts: facts(of: opened.message, function),
      factLine: factLine(of: opened.message, function),
      inputs: description.input.map(FolderInspection.Feature.init),
      outputs: description.output.map(FolderInspection.Feature.init),
      metadata: description.metadata.texts, recipeKey: recipeKey, sourceKey: sourceKey,
      constants: try constants(of: opened), mendedMasks: opened.program.mendedMasks.sorted(),
      hiddenValue: MaskMending.hidden, oddNumbers: opened.program.faults.map(\.oddNumber),
      operations: operations(of: function))
  }

  private static func facts(
    of message: SpecModel, _ function: MILFunction
  ) -> [FolderInspection.Fact] {
    let version = Int(message.specificationVersion)
    return [
      FolderInspection.Fact(
        name: "specificationVersion", value: .integer(version), words: "\(version)"),
      FolderInspection.Fact(
        name: "opset", value: .string(function.opset), words: function.opset),
    ]
  }

  private static func factLine(of message: SpecModel, _ function: MILFunction) -> String {
    let target = DeploymentTarget.allCases.first {
      $0.specificationVersion == Int(message.specificationVersion)
    }
    let system = target.map { "\($0.rawValue) and later" } ?? "a system this version does not know"
    return "specification version \(message.specificationVersion), opset \(function.opset): "
      + system
  }

  private static func constants(of opened: Opened) throws -> [FolderInspection.Constant] {
    let roles = Dictionary(try opened.model.usedWeights().map { ($0.name.text, $0.role.label) }) {
      first, _ in first
    }
    return opened.program.constants.values.sorted { $0.name < $1.name }.map { constant in
      FolderInspection.Constant(
        name: TensorName(constant.name), storage: constant.label, shape: constant.shape,
        bits: constant.bits, byteCount: constant.byteCount,
        role: roles[constant.name]
          ?? (opened.program.mendedMasks.contains(constant.name) ? "mask" : "part of another"))
    }
  }

  /// How often a program holds each operation, constants left out.
  private static func operations(of function: MILFunction) -> [String: Int] {
    let block = function.blockSpecializations[function.opset] ?? MILBlock()
    return Dictionary(
      block.operations.filter { !ConstantReader.makesConstant($0) }.map { ($0.type, 1) },
      uniquingKeysWith: +)
  }
}

extension ConstantFault {
  fileprivate var oddNumber: FolderInspection.OddNumber {
    FolderInspection.OddNumber(name: name, number: number, place: place)
  }
}

extension FolderInspection.Feature {
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
