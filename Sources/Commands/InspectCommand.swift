import ArgumentParser
import Emission
import Graph
import StrictJSON
import Weights

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "List the tensors of a weight file or model, or what a package holds.",
    discussion: """
      Non-finite values are counted and named: compression refuses such a tensor, unless it is one \
      that no encoder needs, such as a mask; the role says so. With --encoder the tensors of the other \
      encoder are left out.

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
      if let kind = encoder.kind, path.hasSuffix(".tar.zst") || CoreMLPackage.isMeant(path) {
        throw ModelError.noEncoder(origin: path, asked: kind, found: [])
      }
      if path.hasSuffix(".tar.zst") {
        return try VerifyCommand.answer(path, shared, console)
      }
      if CoreMLPackage.isMeant(path) {
        let inspection = try PackageInspection(path)
        return try shared.answer(console, text: inspection.text, json: inspection.json)
      }
      let inspection = try ModelInspection(path, encoder: encoder.kind)
      try shared.answer(console, text: inspection.text, json: inspection.json)
    }
  }
}
