import ArgumentParser
import Formats
import Graph
import WeightCompression
import Weights

/// The format to write, and what there is to choose about it.
struct FormatFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "safetensors, or mlpackage: a Core ML package.",
      discussion: """
        The name of --output says it, too: '….safetensors', '….mlpackage'. Safetensors where neither \
        says anything.
        """,
      valueName: "format"))
  var format: String?

  @Option(
    help: ArgumentHelp(
      "mlpackage: the oldest system to load it, iOS16, iOS17 or iOS18.",
      discussion: """
        The lowest that fits is taken: iOS16, but iOS18 for palettes of 3 bits or in groups and for \
        several sequence lengths. macOS 13, 14 and 15 go with them.
        """,
      valueName: "target"))
  var minimumDeploymentTarget: String?

  @Option(
    name: [.long, .customLong("lengths")],
    help: ArgumentHelp(
      "mlpackage: tokens of an input, several lengths with commas, or a range 1...128.",
      discussion: """
        The model's own length by default: every shorter text is filled up to it. Of several lengths \
        an app takes the least that holds the text; in a range no text is filled up.
        """,
      valueName: "n[,n…]"))
  var sequenceLength: String?

  @Option(
    help: ArgumentHelp(
      "mlpackage: float32 (the default) or float16, the type of an embedding.", valueName: "type"))
  var outputType: String?

  @Option(
    help: ArgumentHelp(
      "mlpackage: float16 (the default) or float32, what the program computes in.",
      discussion: """
        float32 stores scales, palettes and weights that are not compressed as float32 too. It is \
        for numbers that float16 rounds too coarsely, such as scores far from 0, and slower on \
        devices.
        """,
      valueName: "type"))
  var floatType: String?

  /// The format to write, once it is settled.
  var chosen: OutputFormat { format.flatMap(OutputFormat.init) ?? .safetensors }

  var isPackage: Bool { chosen == .mlpackage }

  /// The float type the format stores.
  var floats: FloatWidth {
    isPackage ? floatType.flatMap(CoreMLOptions.OutputType.init)?.floats ?? .float16 : .float32
  }

  /// Writes a model in the format that was chosen.
  ///
  /// - Parameters:
  ///   - description: what a package says about itself.
  ///   - prove: as for the formats; gives the digest of the receipt.
  func write(
    _ weights: some CompressedTensors, of model: Model, recipe: String,
    description: CoreMLDescription, to path: String,
    proving prove: (Model) throws -> ContentDigest?
  ) throws -> EmittedModel {
    guard isPackage else {
      return try CompressedSafetensors.write(weights, of: model, recipe: recipe, to: path) {
        _ = try prove($0)
      }
    }
    return try CoreMLPackage.write(
      weights, of: model, recipe: recipe, options: try options(),
      description: description, to: path, proving: prove)
  }

  func options() throws -> CoreMLOptions {
    CoreMLOptions(
      target: try choice("--minimum-deployment-target", minimumDeploymentTarget),
      sequenceLengths: try lengths(), isRange: range != nil,
      outputType: try choice("--output-type", outputType) ?? .float32,
      floats: (try choice("--float-type", floatType) ?? CoreMLOptions.OutputType.float16).floats)
  }

  private func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ flag: String, _ word: String?
  ) throws -> Choice? {
    guard let word else { return nil }
    guard let choice = Choice(rawValue: word) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("\(flag) '\(word)' is none of \(known)")
    }
    return choice
  }

  private var range: ClosedRange<Int>? {
    sequenceLength.flatMap(LengthRange.init)?.bounds
  }

  private func lengths() throws -> [Int] {
    guard let sequenceLength else { return [] }
    if let range { return [range.lowerBound, range.upperBound] }
    return try sequenceLength.split(separator: ",", omittingEmptySubsequences: false).map { word in
      guard let length = Int(word), length > 0 else {
        throw ValidationError(
          "--sequence-length '\(sequenceLength)' is no list of numbers from 1 on, and no range like 1...128"
        )
      }
      return length
    }
  }

  /// Settles the format by what was said and by the name of the output; part of validation, before
  /// anything else is asked of the flags.
  mutating func settle(for output: String?) throws {
    format = try OutputFormat.chosen(format, for: output).rawValue
    let given = [
      ("--minimum-deployment-target", minimumDeploymentTarget),
      ("--sequence-length", sequenceLength), ("--output-type", outputType),
      ("--float-type", floatType),
    ].first { $0.1 != nil }
    if let given, !isPackage { throw ValidationError("\(given.0) needs --format mlpackage") }
  }

  func validate() throws {
    _ = try OutputFormat.chosen(format, for: nil)
    _ = try options()
  }
}
