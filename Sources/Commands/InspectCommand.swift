import ArgumentParser
import Formats
import Graph
import StrictJSON
import Weights

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "List and examine the tensors of a weight file or model, or of a package.",
    discussion: """
      After the table come findings: what is odd about a weight, and what Ingot will do about it. \
      They tell NaN and infinities, masks, constant and dead channels, heavy tails, numbers that \
      float16 does not hold, tables of integers, few distinct values, equal tensors. \
      "refused" stops a compression, "warning" is worth a look, "note" explains.

      Of weights alone the tensors are all there is to say. A folder whose files say that it is a \
      model, but none that Ingot knows, is listed, too, and the exit status is 1.

      With --encoder the tensors of the other encoder are left out.

      Examples:
        ingot inspect model.safetensors
        ingot inspect MODEL --json
        ingot inspect CLIP --encoder text
        ingot inspect X.mlpackage
        ingot inspect PACKAGE.tar.zst
      """)

  @Argument(help: "A model folder, a weight file, a compressed model, or a package of either kind.")
  var path: String

  @OptionGroup var encoder: EncoderFlags
  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      let format = ModelFormat.meant(by: path)?.folder
      let isPackage = path.hasSuffix(".tar.zst") || format != nil
      if let kind = encoder.kind, isPackage {
        throw ModelError.noEncoder(origin: path, requested: kind, found: [])
      }
      if encoder.pooling.choice != nil, isPackage {
        throw ModelError.poolingNotTaken(
          origin: path, reason: "a package holds the pooling that it was made with")
      }
      if path.hasSuffix(".tar.zst") {
        return try VerifyCommand.answer(path, shared, console)
      }
      if let format {
        let inspection = try PackageInspection(path, in: format)
        return try shared.answer(console, text: inspection.text, json: inspection.json)
      }
      let progress = ProgressLine(console)
      defer { progress.clear() }
      let inspection = try ModelInspection(
        path, encoder: encoder.kind, prompt: encoder.prompt.choice,
        pooling: encoder.pooling.choice
      ) { progress.show("reading tensors", $0, of: $1) }
      progress.clear()
      try shared.answer(console, text: inspection.text, json: inspection.json)
      if let fault = inspection.fault { throw Failure(message: fault) }
    }
  }
}
