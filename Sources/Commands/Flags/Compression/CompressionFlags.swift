import ArgumentParser
import Graph
import Project
import StrictJSON
import WeightCompression

/// How to compress, as users say it.
struct CompressionFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Rules for every kind of weight: a built-in recipe or a file of one; instead of --scheme.",
      discussion: """
        \(BuiltInRecipe.allCases.map { "\($0.rawValue): \($0.summary)" }.joined(separator: "; ")). \
        All fit any encoder; 'ingot plan MODEL --recipe NAME' shows what one does. A file is YAML, \
        and its path has a '/' or a '.': ours.yaml.
        """,
      valueName: "name|file"))
  var recipe: String?

  @Option(
    help: ArgumentHelp(
      "One scheme for all weights: \(SchemeSpelling.list(usual: .int8)).",
      discussion: """
        Integers have scales; palettize (k-means palettes, always the exact optimum) has indices \
        into tables of --bits; unique keeps every value of weights that have few.

        Measured on all-MiniLM-L6-v2 (22.7 M weights, 90.9 MB): int8 per channel keeps a mean \
        cosine of 0.9996 at 24 MB; 4-bit palettes per tensor 0.953 at 13 MB; 3-bit palettes do not \
        pass any profile of the gate.
        """,
      valueName: "scheme"))
  var scheme: String?

  @Option(help: ArgumentHelp("Bits of a palette index: 1, 2, 3, 4, 6 or 8.", valueName: "n"))
  var bits: Int?

  @Option(
    help: ArgumentHelp(
      "What has a scale or palette of its own.",
      discussion: """
        Integers: per-tensor, per-channel (the default of 8 bits), or per-block (of 4 bits): runs of \
        a channel's inputs. Palettes: per-tensor (the default), or per-group of channels.
        """,
      valueName: "granularity"))
  var granularity: String?

  @Option(
    help: ArgumentHelp(
      "Channels that share a palette (16), or inputs that share a scale (32).", valueName: "n"))
  var groupSize: Int?

  @Option(
    help: ArgumentHelp(
      "Integers: symmetric around zero (the default), or asymmetric, with a zero point for each scale.",
      valueName: "mode"))
  var mode: String?

  @Option(
    help: ArgumentHelp(
      """
      Integers: a scale by the largest value (the default of 8 bits) or of least-squares error (of 4).
      """,
      valueName: "range"))
  var range: String?

  @Option(
    help: ArgumentHelp(
      "Palettes: channels that one index stands for, 1 (the default), 2 or 4.", valueName: "n"))
  var width: Int?

  @Option(
    help: ArgumentHelp(
      "Palettes: entries as floats (the default), or as int8 with one scale.", valueName: "type"))
  var entries: String?

  @OptionGroup var fitting: CalibrationFlags

  /// The requested compression.
  ///
  /// - Throws: `Failure` with every fault of the recipe's file.
  func options(floats: FloatType = .float32) throws -> CompressionOptions {
    guard let recipe else { return try CompressionOptions(words: words, floats: floats) }
    do {
      return try CompressionOptions(
        recipe: try CompressionRecipes.recipe(recipe), floats: floats)
    } catch let faults as ProjectFaults {
      throw Failure(
        message: "\(recipe): \(Figures.count(faults.errorCount, "fault")) in the recipe",
        details: faults.faults.map { fault in
          fault.description + (fault.hint.map { " (\($0))" } ?? "")
        })
    }
  }

  private var words: SchemeSpelling {
    SchemeSpelling(
      scheme: scheme ?? "int8", bits: bits, mode: mode, granularity: granularity,
      groupSize: groupSize, range: range, width: width, entries: entries)
  }

  func validate() throws {
    if let recipe { return try validate(recipe: recipe) }
    do {
      _ = try words.meaning()
    } catch {
      throw ValidationError("\(error)")
    }
  }

  private func validate(recipe: String) throws {
    let flags = [
      ("--scheme", scheme != nil), ("--bits", bits != nil), ("--granularity", granularity != nil),
      ("--group-size", groupSize != nil), ("--mode", mode != nil), ("--range", range != nil),
      ("--width", width != nil), ("--entries", entries != nil),
    ]
    if let given = flags.first(where: \.1) {
      throw ValidationError(
        "--recipe and \(given.0) exclude each other: a recipe's rules say how each weight is stored"
      )
    }
    guard CompressionRecipes.isPath(recipe) || BuiltInRecipe(rawValue: recipe) != nil else {
      let (message, hint) = CompressionRecipes.unknownName(recipe)
      throw ValidationError("--recipe: \(message); \(hint)")
    }
  }
}
