import ArgumentParser
import Files
import Formats
import Graph
import IngotFeatures
import Inputs
import Release
import StrictJSON
import Weights

struct EmbedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "embed",
    abstract: "Run a model, plain or compressed, on a file of inputs.",
    discussion: """
      Inputs are JSON lines, {"text": "…"}, {"image": "PATH"} (seen from the file) or \
      {"values": [0.5, 1]}, by names {"input": {"battery": 0.5, "network": "wifi"}}; CSV or TSV with \
      a header (text, or the model's features); or plain lines \
      of text; '.gz' of these, or '-' for stdin. The output is an npy file of float32 with one row per \
      line, in order; of a pair a row for each side, as 'check' takes them. Of a model with an image \
      and a text encoder the one runs that the lines are for; all of them are images, or all texts.

      A Core ML package runs as well, whoever wrote it; what prepares its inputs (tokenizer.json) \
      lies beside it, or is named with --tokenizer.

      Examples:
        ingot embed MODEL --inputs sentences.jsonl --output embeddings.npy
        ingot embed CLIP --inputs photos.jsonl --output photos.npy
        ingot embed X.mlpackage --tokenizer MODEL --inputs sentences.jsonl --output embeddings.npy
      """)

  @Argument(help: "A model folder, a weight file, or something Ingot wrote.")
  var model: String

  @Option(
    help: ArgumentHelp("Inputs, one on each line.", discussion: InputFiles.forms, valueName: "file")
  )
  var inputs: String

  @Option(
    help: ArgumentHelp(
      """
      A column of a table of features that is not a feature, and is left out; again for more, or \
      a,b,c.
      """,
      valueName: "column"))
  var ignore: [String] = []

  @Option(name: .shortAndLong, help: ArgumentHelp("The npy file to write.", valueName: "path"))
  var output: String

  @Option(
    help: ArgumentHelp(
      "The trained tokenizer of a model with fewer tokens, which finds texts that need the rest.",
      discussion: """
        The file that 'compress --keep-tokens' writes beside the model, which is found by itself; for \
        a model of a package the folder \(TrainedTokenizers.folder) in the output of 'build'.
        """,
      valueName: "path"))
  var allTokens: String?

  @OptionGroup var encoder: EncoderFlags
  @OptionGroup var tokenizer: TokenizerFlags
  @OptionGroup var jobs: JobOptions
  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      let models = try ModelLoader.encoders(
        of: model, files: try tokenizer.files(for: [model]), prompt: encoder.prompt.choice,
        pooling: encoder.pooling.choice, requested: encoder.kind)
      let path = OutputPath(path: output)
      try path.check(inputs: models.flatMap(\.inputFiles) + [inputs])
      try path.checkArray()
      try path.check(besides: model)
      let lines = try InputFiles.lines(
        inputs, columns: NamedColumns(ignoring: ignore), for: models.first, console)
      guard !lines.inputs.isEmpty else {
        throw Failure(
          message: "\(lines.origin): holds no inputs; nothing was written",
          hint: "give one input on each line, below the header of a table")
      }
      let kind = try encoder.kind ?? (models.count > 1 ? self.encoder(for: lines) : nil)
      let model = try ModelLoader.choose(kind, among: models, of: model)
      if let note = model.readingNote { console.note("\(self.model): \(note)") }
      try WholeTokenizerFile.warn(
        of: lines, for: model, at: self.model, by: allTokens, console)
      let runner = try ModelRunner(model: model, jobs: jobs.count)
      let progress = ProgressLine(console)
      defer { progress.clear() }
      let (rows, columns) = (lines.inputs.count, model.architecture.output.width)
      var file = try AtomicFile(path: output)
      let matrix = try NpyRows(rows: rows, columns: columns, in: &file)
      var broken = BrokenRows()
      try InputFiles.explainingInputs(for: model, canIgnore: true) {
        try runner.forEachBlock(
          of: lines, progress: { progress.show("running inputs", $0, of: $1) }
        ) {
          broken.look(at: $0)
          try $0.forEachRun { try matrix.write($1, from: $0, to: file) }
        }
      }
      progress.clear()
      try refuse(broken, lines, of: model)
      try file.commit()
      try shared.answer(
        console,
        text:
          "\(output): float32 [\(rows), \(columns)]\(EmbedCommand.words(of: model))\n",
        json: ["path": .string(output), "rows": .integer(rows), "columns": .integer(columns)])
    }
  }

  /// What a row of a classifier of tokens holds, which its width does not say; empty for other models.
  private static func words(of model: Model) -> String {
    guard case .tokenClasses(let labels, let tokens) = model.architecture.output else { return "" }
    return ", a row: \(labels.count) probabilities for each of \(tokens) tokens"
  }

  /// The encoder that every line is for; nil without lines, and for neither images nor texts.
  private func encoder(for lines: InputLines) throws -> EncoderKind? {
    let kinds = lines.inputs.map(\.encoder)
    guard let first = kinds.first else { return nil }
    if let other = kinds.firstIndex(where: { $0 != first }) {
      throw Failure(
        message:
          "\(inputs):\(lines.lines[other]): is for another encoder than line 1; images and texts are "
          + "embedded one after another",
        hint: "put the images into one file and the texts into another")
    }
    return first
  }

  /// NaN and infinities mean a broken model; rows of them must not pass for embeddings.
  private func refuse(_ broken: BrokenRows, _ lines: InputLines, of model: Model) throws {
    guard let first = broken.first else { return }
    let others =
      broken.count > 1
      ? ", as are those of \(Figures.count(broken.count - 1, "further line"))" : ""
    throw Failure(
      message: "\(inputs):\(lines.lines[first]): the model's output is not finite\(others); "
        + "nothing was written",
      hint: EmbedCommand.size(of: lines.inputs[first], for: model)
        ?? "look for NaN, infinities and huge values with: ingot inspect \(self.model)")
  }

  /// That a row has a size which numbers of 32 bits do not hold, with its largest value; nil where the model does not
  /// divide rows by it, of a row of zeros, and where the largest value is neither huge nor tiny.
  private static func size(of input: Input, for model: Model) -> String? {
    guard model.architecture.dividesRows, case .values(let values) = input,
      let place = values.indices.max(by: { abs(values[$0]) < abs(values[$1]) }),
      values[place] != 0, !(1e-14...1e18).contains(abs(values[place]))
    else { return nil }
    var name = "value \(place + 1)"
    if case .features(let features) = model.architecture.input, place < features.names.count {
      name = "'\(features.names[place])'"
    }
    return "the model divides a row by its size, which 32 bits do not hold: "
      + "\(name) is \(values[place]); give values between 1e-14 and 1e18, or leave the line out"
  }
}

/// Outputs that are not finite.
private struct BrokenRows {
  private(set) var count = 0
  /// The first of them in the order of the inputs.
  private(set) var first: Int?

  mutating func look(at block: OutputBlock) {
    for (place, row) in block.rows.enumerated() {
      let values = block.values[place * block.width..<(place + 1) * block.width]
      guard !values.allSatisfy(\.isFinite) else { continue }
      count += 1
      first = min(first ?? row, row)
    }
  }
}

extension Input {
  /// The encoder that takes the input; nil if no model has several for its like.
  fileprivate var encoder: EncoderKind? {
    switch self {
    case .text: .text
    case .image: .image
    case .textPair, .values, .named: nil
    }
  }
}
