import ArgumentParser
import Emission
import Evaluation
import Files
import StrictJSON
import Weights

struct EmbedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "embed",
    abstract: "Run a model, plain or compressed, on a file of inputs.",
    discussion: """
      Inputs are JSON lines, {"text": "…"} or {"values": [0.5, 1]}. The output is an npy file of \
      float32 with one row per input line, in order.

      A Core ML package runs as well, whoever wrote it; its tokenizer.json lies beside it, or is \
      named with --tokenizer.

      Examples:
        ingot embed MODEL --inputs sentences.jsonl --output embeddings.npy
        ingot embed X.mlpackage --tokenizer MODEL --inputs sentences.jsonl --output embeddings.npy
      """)

  @Argument(help: "A model folder, a weight file, or something Ingot wrote.")
  var model: String

  @Option(help: ArgumentHelp("JSON lines, one input each.", valueName: "file"))
  var inputs: String

  @Option(name: .shortAndLong, help: ArgumentHelp("The npy file to write.", valueName: "path"))
  var output: String

  @OptionGroup var tokenizer: TokenizerFlags
  @OptionGroup var jobs: JobOptions
  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      let model = try ModelLoader.open(model, files: try tokenizer.files(for: [model]))
      try OutputPath(path: output).check(inputs: model.inputFiles + [inputs])
      let lines = try InputLines.read(inputs)
      let encoder = try Encoder(model: model, jobs: jobs.count)
      let progress = ProgressLine(console)
      defer { progress.clear() }
      let rows = try encoder.outputs(for: lines) { progress.show("running", $0, of: $1) }
      progress.clear()
      try refuseNonFinite(rows)
      var file = try AtomicFile(path: output)
      try NpyWriter.write(rows.values, rows: rows.rowCount, columns: rows.width, to: &file)
      try file.commit()
      try shared.answer(
        console, text: "\(output): float32 [\(rows.rowCount), \(rows.width)]\n",
        json: [
          "path": .string(output), "rows": .integer(rows.rowCount), "columns": .integer(rows.width),
        ])
    }
  }

  /// NaN and infinities mean a broken model; rows of them must not pass for embeddings.
  private func refuseNonFinite(_ rows: OutputMatrix) throws {
    let broken = (0..<rows.rowCount).filter { !rows[$0].allSatisfy(\.isFinite) }
    guard let first = broken.first else { return }
    throw Failure(
      message: "\(inputs):\(first + 1): the model's output is not finite, as are those of "
        + "\(Numbers.count(broken.count - 1, "further line")); nothing was written",
      hint: "look for NaN, infinities and huge values with: ingot inspect \(model)")
  }
}
