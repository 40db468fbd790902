import ArgumentParser
import Formats
import Graph
import WeightCompression
import Weights

/// The format to write, and its options.
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
  var chosen: ModelFormat { format.flatMap(ModelFormat.init) ?? .safetensors }

  /// Whether the format is the one that all the other flags are about.
  var isMLPackage: Bool { chosen == .mlpackage }

  /// The float type the format stores.
  var floats: FloatType {
    get throws { try value { _ in CoreMLDescription() }.floats }
  }

  /// The format with everything that was chosen about it.
  ///
  /// - Parameter describe: says what a package says about itself; asked for a package only.
  func value(
    describing describe: (CoreMLOptions) throws -> CoreMLDescription
  ) throws -> any Format {
    let options = try options()
    return chosen.with(
      FormatChoices(
        coreML: options, description: isMLPackage ? try describe(options) : CoreMLDescription()))
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
    format = try ModelFormat.chosen(format, for: output).name
    let given = [
      ("--minimum-deployment-target", minimumDeploymentTarget),
      ("--sequence-length", sequenceLength), ("--output-type", outputType),
      ("--float-type", floatType),
    ].first { $0.1 != nil }
    if let given, !isMLPackage { throw ValidationError("\(given.0) needs --format mlpackage") }
  }

  func validate() throws {
    _ = try ModelFormat.chosen(format, for: nil)
    _ = try options()
  }
}
