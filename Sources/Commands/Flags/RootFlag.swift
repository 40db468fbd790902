import ArgumentParser

/// How far the paths of a project may lead.
struct RootFlag: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder that paths of the project may not leave; the project's own by default.",
      valueName: "folder"))
  var root: String?
}
