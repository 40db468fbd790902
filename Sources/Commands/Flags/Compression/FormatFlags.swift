import ArgumentParser
import Formats
import Graph
import WeightCompression
import Weights

/// The format to write, and its options.
struct FormatFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      FormatFlags.list,
      discussion: """
        The name of --output says it, too: \(ModelFormat.endings.joined(separator: ", ")). \
        \(FormatFlags.usualName) where neither says anything.
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

  @Flag(
    help: ArgumentHelp(
      "mlpackage, mlmodel: a linear model of tables that devices train further.",
      discussion: """
        It is written as a network of one layer with numbers of 32 bits, with all that training needs. \
        Trees and deeper networks are refused.
        """))
  var updatable = false

  /// The format to write, once it is settled.
  ///
  /// - Throws: `ValidationError` for a name that no format has.
  var chosen: ModelFormat { get throws { try ModelFormat.chosen(format, for: nil) } }

  /// Every format with what it is, the usual one by its name alone.
  private static var list: String {
    let words = ModelFormat.allCases.map {
      $0 == .usual ? $0.name : "\($0.name): a \($0.type.noun)"
    }
    return words.dropLast().joined(separator: ", ") + ", or \(words[words.count - 1])."
  }

  /// The usual one's name at the beginning of a sentence.
  private static var usualName: String {
    let name = ModelFormat.usual.name
    return name.prefix(1).uppercased() + name.dropFirst()
  }

  /// Refuses a flag that the format knows nothing of.
  func require(_ flag: String) throws {
    guard try chosen.type.section != CoreMLOptions.section else { return }
    let suiting = ModelFormat.withSection(CoreMLOptions.section).map(\.name)
    throw ValidationError("\(flag) needs --format \(suiting.joined(separator: " or "))")
  }

  /// Refuses a flag for words that the format has no place for.
  func requireDescribing(_ flag: String) throws {
    guard try !chosen.type.describesItself else { return }
    let suiting = ModelFormat.allCases.filter { $0.type.describesItself }.map(\.name)
    throw ValidationError("\(flag) needs --format \(suiting.joined(separator: " or "))")
  }

  /// The format with its options, without a description.
  var plain: any Format { get throws { try value { _ in CoreMLDescription() } } }

  /// The format with everything that was chosen about it.
  ///
  /// - Parameter describe: says what a model says about itself; asked only for a format that has a
  ///   place for it.
  func value(
    describing describe: (CoreMLOptions) throws -> CoreMLDescription
  ) throws -> any Format {
    let options = try options()
    let chosen = try chosen
    return chosen.with(
      FormatChoices(
        coreML: options,
        description: chosen.type.describesItself ? try describe(options) : CoreMLDescription()))
  }

  /// The choices of the flags that are about Core ML packages.
  func options() throws -> CoreMLOptions {
    CoreMLOptions(
      target: try choice("--minimum-deployment-target", minimumDeploymentTarget),
      sequenceLengths: try lengths(), isRange: range != nil,
      outputType: try choice("--output-type", outputType) ?? .float32,
      floats: (try choice("--float-type", floatType) ?? CoreMLOptions.OutputType.float16).floats,
      isUpdatable: updatable)
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
    if let given { try require(given.0) }
    if updatable, try !chosen.type.holdsTablesAlone { try require("--updatable") }
  }

  func validate() throws {
    _ = try ModelFormat.chosen(format, for: nil)
    _ = try options()
  }
}
