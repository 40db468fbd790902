import ProjectFixtures

/// The formats that a model is written in.
extension ProjectReaderTests {
  /// The sound contract with a Core ML section.
  private static func coreML(_ name: String, _ section: String, _ faults: String...) -> Case {
    let text = SmallProject.contract
    let old = "formats: [safetensors]"
    let new = "formats: [mlpackage]\n    description: Ranks\n    coreml: \(section)"
    let range = text.firstRange(of: old)
    let edited = range.map { text[..<$0.lowerBound] + new + text[$0.upperBound...] }
    return Case("Core ML: \(name)", bytes: Array((edited.map(String.init) ?? "").utf8), faults)
  }

  static let formats = [
    Case(
      "unknown format", "formats: [safetensors]", "formats: [onnx]",
      faults: "7:15: 'onnx' is not a format [use 'safetensors' or 'mlpackage' or 'mlmodel']"),
    Case(
      "two formats", "formats: [safetensors]", "formats: [safetensors, mlpackage]",
      faults: "7:28: a model has one format, here are 2 "
        + "[choose one of 'safetensors' and 'mlpackage' and 'mlmodel']"),
    Case(
      "a format twice", "formats: [safetensors]", "formats: [mlpackage, mlpackage]",
      faults: "7:26: the format appears twice"),
    Case(
      "a list as format", "formats: [safetensors]", "formats: [[mlpackage]]",
      faults: "7:15: a list is not a format [use 'safetensors' or 'mlpackage' or 'mlmodel']"),
    Case(
      "no format", "formats: [safetensors]", "formats: []",
      faults: "7:14: 'formats' is a list, expected a list: [safetensors]"),
    Case(
      "Core ML for safetensors", "formats: [safetensors]", "coreml: {outputType: float16}",
      faults: "7:13: 'coreml' is for the format mlpackage, this model has safetensors "
        + "[add 'formats: [mlpackage]', or remove 'coreml']"),
    Case(
      "Core ML as a word", "formats: [safetensors]", "coreml: yes",
      faults: "7:13: 'coreml' is 'yes', expected a group of keys"),
    Case(
      "description as a list", "formats: [safetensors]", "description: [a]",
      faults: "7:18: 'description' is a list, expected a text"),
    coreML(
      "unknown key", "{target: iOS16}",
      "9:14: unknown key 'target' "
        + "[known here: minimumDeploymentTarget, sequenceLength, outputType, floatType, updatable]"),
    coreML(
      "misspelt key", "{sequenceLengths: 128}",
      "9:14: unknown key 'sequenceLengths' [did you mean 'sequenceLength'?]"),
    coreML(
      "another target", "{minimumDeploymentTarget: iOS15}",
      "9:39: 'minimumDeploymentTarget' is 'iOS15', expected iOS16, iOS17 or iOS18"),
    coreML(
      "another output type", "{outputType: int8}",
      "9:26: 'outputType' is 'int8', expected float16 or float32"),
    coreML(
      "length in words", "{sequenceLength: long}",
      "9:30: 'sequenceLength' is 'long', expected a whole number from 1 on, or a list of them"),
    coreML(
      "length 0", "{sequenceLength: 0}",
      "9:30: 'sequenceLength' is '0', expected a whole number from 1 on, or a list of them"),
    coreML(
      "a negative length among others", "{sequenceLength: [32, -64]}",
      "9:35: 'sequenceLength' is '-64', expected a whole number from 1 on, or a list of them"),
    coreML("no lengths", "{sequenceLength: []}", "9:30: 'sequenceLength' is an empty list"),
    coreML(
      "lengths in another order", "{sequenceLength: [64, 32]}",
      "9:35: 'sequenceLength' has 32 after 64 [list each length once, the shortest first]"),
    coreML(
      "a length twice", "{sequenceLength: [64, 64]}",
      "9:35: 'sequenceLength' has 64 after 64 [list each length once, the shortest first]"),
    coreML("everything", "{minimumDeploymentTarget: iOS18, sequenceLength: [32, 64]}"),
    Case(
      "format as a word", "formats: [safetensors]", "formats: safetensors",
      faults: "7:14: 'formats' is 'safetensors', expected a list: [safetensors]"),
  ]
}
