import ArgumentParser
import StrictJSON

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a small project that passes validate and builds.",
    discussion: """
      The project has one model that every customer gets, one custom model, and two customers; its \
      ingot.yaml explains every key. For models of your own, first compare what Ingot makes of them \
      with what the library makes that they were trained with: 'ingot check --help'. No file is ever replaced: a folder that holds one of the \
      project's files is left as it is.

      Examples:
        ingot init my-release
        ingot init my-release --template tabular
      """)

  @Argument(help: "The folder for the project; made when missing.")
  var folder = "."

  @Option(
    help: ArgumentHelp(
      "What its models are: layers (small networks) or tabular (forests over features).",
      valueName: "kind"))
  var template = StarterTemplate.layers

  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      let files = template.files
      try StarterWriter(folder: folder).write(files)
      let project = folder == "." ? "" : " \(folder)"
      // Check first that the model is read as it was trained: otherwise every proof is in vain.
      let next = [
        "ingot check VECTORS.npy MODEL --inputs INPUTS.jsonl", "ingot validate\(project)",
        "ingot build\(project)",
      ]
      try shared.answer(
        console,
        text: "\(folder): \(Figures.count(files.count, "file")) written; next:\n"
          + next.map { "  \($0)\n" }.joined(),
        json: [
          "project": .string(folder), "files": .array(files.map { .string($0.path) }),
          "next": .array(next.map(JSONValue.string)),
        ])
    }
  }
}

/// What the models of a new project are.
enum StarterTemplate: String, ExpressibleByArgument, CaseIterable {
  case layers, tabular

  /// Every file, the project file first.
  var files: [StarterFile] {
    switch self {
    case .layers: StarterProject.files
    case .tabular: StarterProject.forestFiles
    }
  }
}
