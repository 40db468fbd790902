import Graph
import StrictJSON

// Writes the program's outputs.
extension ModelWriter {
  /// Writes what the program puts out, and describes it.
  func writeOutput(
    _ graph: ModelGraph, to program: inout ProgramWriter
  ) throws -> [SpecFeatureDescription] {
    var type = MILDataType.float32
    if case .embedding = model.architecture.output, options.outputType == .float16 {
      type = .float16
    }
    let value = try program.value(.value(graph.output), in: type)
    switch model.architecture.output {
    case .classes(let labels, let width, let scale):
      let all = width == labels.count ? value : pair(value, scale, &program)
      return writeClasses(labels, scale, all, to: &program)
    case .embedding(let width):
      program.rename(value, to: outputName)
      return [
        vectorFeature(type, width, "The embedding, \(width) numbers; compare by cosine similarity")
      ]
    case .tokenClasses(let labels, _):
      program.rename(value, to: outputName)
      return [tokenFeature(labels, graph.outputType.shape)]
    case .numbers(let width):
      program.rename(value, to: outputName)
      return [vectorFeature(type, width, "The prediction")]
    }
  }

  private func vectorFeature(
    _ type: MILDataType, _ width: Int, _ words: String
  ) -> SpecFeatureDescription {
    var feature = SpecFeatureDescription()
    feature.name = outputName
    feature.shortDescription = words
    feature.type.multiArrayType.dataType = type == .float16 ? .float16 : .float32
    feature.type.multiArrayType.shape = [1, Int64(width)]
    return feature
  }

  /// - Parameter shape: [1, tokens, labels]; described where the input has one length.
  private func tokenFeature(_ labels: ClassLabels, _ shape: [Int]) -> SpecFeatureDescription {
    let words = "The probability of each label for each token, zeros for padding"
    var feature = vectorFeature(
      .float32, labels.count, "\(words): \(labels.plain.joined(separator: ", "))")
    feature.type.multiArrayType.shape = graphs.lengths.count == 1 ? shape.map(Int64.init) : []
    return feature
  }

  private func writeClasses(
    _ labels: ClassLabels, _ scale: ScoreScale, _ all: ProgramValue,
    to program: inout ProgramWriter
  ) -> [SpecFeatureDescription] {
    let scores = outputNames[1]
    program.append(
      MILOperation(
        "classify",
        inputs: [("probabilities", .named(all.name)), ("classes", .value(.list(labels)))],
        outputs: [
          (outputName, .tensor(labels.milType)), (scores, .dictionary(from: labels.milType)),
        ]))
    var label = SpecFeatureDescription()
    label.name = outputName
    let leading = scale == .probabilities ? "The most likely of" : "The one of the largest score of"
    label.shortDescription = "\(leading): \(labels.plain.joined(separator: ", "))"
    var dictionary = SpecFeatureDescription()
    dictionary.name = scores
    dictionary.shortDescription =
      scale == .probabilities ? "The probability of each" : "The score of each; the largest decides"
    switch labels {
    case .texts:
      label.type.stringType = SpecStringFeatureType()
      dictionary.type.dictionaryType.stringKeyType = SpecStringFeatureType()
    case .integers:
      label.type.int64Type = SpecInt64FeatureType()
      dictionary.type.dictionaryType.int64KeyType = SpecInt64FeatureType()
    }
    return [label, dictionary]
  }

  // A model of two classes may compute only the second's number: [1 − p, p] of a probability,
  // [−s, s] of a score, which decides at 0.
  private func pair(
    _ second: ProgramValue, _ scale: ScoreScale, _ program: inout ProgramWriter
  ) -> ProgramValue {
    let isProbability = scale == .probabilities
    let number = program.constant(
      OperationParameter(isProbability ? "one" : "minus", .float(isProbability ? 1 : -1)),
      outputName, .float32)
    let first = program.append(
      isProbability ? "sub" : "mul", "\(outputName)_first",
      [("x", .named(number)), ("y", .named(second.name))], [], .float32,
      result: (.float32, [1, 1]))
    return program.append(
      "concat", "\(outputName)_both", [("values", .names([first.name, second.name]))],
      [OperationParameter("axis", .int(1)), OperationParameter("interleave", .bool(false))],
      .float32, result: (.float32, [1, 2]))
  }
}

extension ClassLabels {
  /// The type of one label in programs.
  var milType: MILDataType {
    switch self {
    case .texts: .string
    case .integers: .int64
    }
  }
}
