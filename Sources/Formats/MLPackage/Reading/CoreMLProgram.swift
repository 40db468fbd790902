import Graph
import IngotFeatures
import Files
import Tokenization

/// The program found in a Core ML package, as something Ingot runs.
///
/// Its inputs and outputs follow only from the program and its interface.
struct CoreMLProgram: Architecture {
  static let name = "mlprogram"

  let input: ModelInput
  let output: ModelOutput
  let outputName: String
  let shapes: GraphShapes
  let describingFiles: [String]
  let preparation: TextPreparation
  let float16Values: Set<String>
  let notes: [String: String]
  /// As the table of tokens alone, which makes zeros of a text without tokens.
  var minTokens: Int { [.specialTokens, .twoTexts].contains(preparation.framing) ? 1 : 0 }
  private let reader: ProgramReader
  private let graphs: GraphCache

  /// Reads the program for the shortest and the longest input, so that its faults are found here.
  ///
  /// - Parameters:
  ///   - model: the package's message; its interface was compared with the function.
  ///   - describingFiles: files beside the package that the model needs.
  ///   - preparation: changes to texts before the tokenizer sees them.
  init(
    _ model: SpecModel, _ function: MILFunction, _ block: MILBlock, blobs: BlobFiles,
    describingFiles: [String], preparation: TextPreparation
  ) throws {
    let interface = try ProgramInterface(model)
    shapes = .single(lengths: interface.lengths)
    statement = CoreMLStatement(model, lengths: interface.lengths)
    outputName = interface.outputName
    notes = model.description_p.metadata.userDefined
    self.describingFiles = describingFiles
    self.preparation = preparation
    reader = ProgramReader(function, block, blobs: blobs)
    var last: ProgramReader.Result?
    var known: [Int: ModelGraph] = [:]
    for length in Set([interface.lengths.first ?? 1, interface.lengths.last ?? 1]).sorted() {
      var reader = reader
      let result = try reader.read(length: length)
      known[length] = result.graph
      last = result
    }
    guard let last else {
      throw GraphError(value: "", operation: "program", reason: "has no input length")
    }
    constants = last.constants
    float16Values = last.float16Values
    mendedMasks = last.mendedMasks
    faults = last.faults
    graphs = GraphCache(known)
    input = try interface.modelInput(last.graph, integerLimit: last.integerLimit)
    output = try interface.modelOutput(last)
  }

  /// Every constant of floats with at least one axis, by name.
  let constants: [String: WeightConstant]
  /// Names of constants that hid keys by −∞, and now do so by a finite number.
  let mendedMasks: Set<String>
  /// Numbers of the program that are not finite; nothing is made of it.
  let faults: [ConstantFault]
  /// Its package's statements to apps.
  let statement: CoreMLStatement

  func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    guard case .single(let lengths) = shapes, batch == 1, lengths.contains(length) else {
      throw GraphError(
        value: "\(batch) inputs of \(length)", operation: "program", reason: "has no such shape")
    }
    return try graphs.graph(length: length) { () throws(GraphError) in
      var reader = reader
      do {
        return try reader.read(length: length).graph
      } catch let error as GraphError {
        throw error
      } catch {
        throw GraphError(value: "length \(length)", operation: "program", reason: "\(error)")
      }
    }
  }
}

/// Graphs by length, each read once.
private final class GraphCache: Sendable {
  private let graphs: Mutex<[Int: ModelGraph]>

  init(_ known: [Int: ModelGraph]) { graphs = Mutex(known) }

  func graph(
    length: Int, _ read: () throws(GraphError) -> ModelGraph
  ) throws(GraphError) -> ModelGraph {
    try graphs.withLock { (graphs) throws(GraphError) in
      if let known = graphs[length] { return known }
      let graph = try read()
      graphs[length] = graph
      return graph
    }
  }
}

/// The inputs and outputs in a package's interface.
struct ProgramInterface {
  /// Lengths of token inputs, ascending; [1] for features.
  let lengths: [Int]
  let outputName: String
  let description: SpecModelDescription

  /// Longest input that is read where any length in a range is allowed.
  private static let longest = 1 << 16
  /// Most features that are read.
  private static let maxFeatures = 1 << 20

  init(_ model: SpecModel) throws(GraphError) {
    description = model.description_p
    outputName = model.description_p.output.first?.name ?? ""
    let names = model.description_p.input.map(\.name)
    if names.count == 1, case .imageType(let image) = description.input[0].type.type {
      guard image.colorSpace == .rgb else {
        throw ProgramInterface.fault(names[0], "is an image of other colours than RGB")
      }
      lengths = [1]
    } else if names == ["input_ids"] {
      lengths = try ProgramInterface.lengths(of: description.input[0])
    } else if names.contains("input_ids"), names.contains("attention_mask"),
      Set(names).isSubset(of: Self.textInputs), Set(names).count == names.count
    {
      let all = try model.description_p.input.map { (feature) throws(GraphError) in
        try ProgramInterface.lengths(of: feature)
      }
      if let other = all.firstIndex(where: { $0 != all[0] }) {
        throw ProgramInterface.fault(
          names[other], "takes the lengths \(all[other]), '\(names[0])' takes \(all[0])")
      }
      lengths = all[0]
    } else if names.count == 1, [1, 2].contains(ProgramInterface.shape(description.input[0]).count)
    {
      lengths = [1]
    } else {
      throw ProgramInterface.fault(
        names.joined(separator: "', '"),
        "are not known as inputs; known are 'input_ids', alone or with 'attention_mask' (and "
          + "'token_type_ids'), one image, or one list of features")
    }
  }

  /// Inputs of a program that reads texts.
  private static let textInputs: Set<String> = ["input_ids", "attention_mask", "token_type_ids"]

  static func fault(_ name: String, _ reason: String) -> GraphError {
    GraphError(value: name, operation: "input", reason: reason)
  }

  private static func shape(_ feature: SpecFeatureDescription) -> [Int64] {
    feature.type.multiArrayType.shape
  }

  private static func lengths(of feature: SpecFeatureDescription) throws(GraphError) -> [Int] {
    let array = feature.type.multiArrayType
    var shapes = [array.shape]
    switch array.flexibility {
    case .enumeratedShapes(let enumerated): shapes = enumerated.shapes.map(\.shape)
    case .shapeRange(let range):
      guard range.sizeRanges.count == 2, range.sizeRanges[1].upperBound <= longest,
        range.sizeRanges[1].upperBound >= 1
      else { throw fault(feature.name, "has a range of shapes that is not known") }
      let lower = max(1, Int64(clamping: range.sizeRanges[1].lowerBound))
      let upper = range.sizeRanges[1].upperBound
      guard lower <= upper else { throw fault(feature.name, "has an empty range of shapes") }
      shapes = (lower...upper).map { [1, $0] }
    case nil: break
    }
    var lengths: Set<Int> = []
    for shape in shapes {
      guard shape.count == 2, shape[0] == 1, (1...Int64(longest)).contains(shape[1]) else {
        throw fault(feature.name, "has the shape \(shape), expected one text: [1, length]")
      }
      lengths.insert(Int(shape[1]))
    }
    guard !lengths.isEmpty else { throw fault(feature.name, "has an empty list of shapes") }
    return lengths.sorted()
  }

  /// Describes one input, in part from the graph.
  ///
  /// - Parameter integerLimit: ids from here on do not fit the program's integers.
  func modelInput(
    _ graph: ModelGraph, integerLimit: Int
  ) throws(GraphError) -> ModelInput {
    if case .imageType(let image) = description.input[0].type.type {
      return .image(width: Int(clamping: image.width), height: Int(clamping: image.height))
    }
    guard description.input.contains(where: { $0.name == "input_ids" }) else {
      let count = graph.inputs.first?.type.elementCount ?? 0
      guard graph.inputs.first?.type.scalar == .float32, count > 0 else {
        throw ProgramInterface.fault(description.input[0].name, "is no list of floats")
      }
      guard count <= ProgramInterface.maxFeatures else {
        throw ProgramInterface.fault(
          description.input[0].name,
          "has \(count) features, at most \(ProgramInterface.maxFeatures) are read")
      }
      return try schema(count).map(ModelInput.features)
        ?? .features(names: (1...count).map { "feature \($0)" })
    }
    guard let vocabulary = graph.rowsOfTables(of: "input_ids").min() else {
      throw ProgramInterface.fault("input_ids", "is not looked up in any table")
    }
    guard vocabulary <= integerLimit else {
      throw ProgramInterface.fault(
        "input_ids", "are cast to integers below \(integerLimit), the table has \(vocabulary) rows")
    }
    return .tokens(maximumLength: lengths.last ?? 1, vocabulary: vocabulary)
  }
}
