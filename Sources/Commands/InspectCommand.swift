import ArgumentParser
import Emission
import Graph
import StrictJSON
import Weights

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "List the tensors of a weight file or model, with what they are for.",
    discussion: """
      Non-finite values are counted and named: compression refuses such a tensor.

      Examples:
        ingot inspect model.safetensors
        ingot inspect MODEL --json
      """)

  @Argument(help: "A model folder, a weight file, or something Ingot wrote.")
  var path: String

  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      let inspection = try ModelInspection(path)
      try shared.answer(console, text: inspection.text, json: inspection.json)
    }
  }
}
