import ArgumentParser
import Files
import Project

/// A command or an option that is not there, and the one that was probably meant.
struct Misspelling: Equatable {
  /// `command` or `option`.
  let noun: String
  let word: String
  /// Nil if nothing known is near.
  let nearest: String?

  /// The first one of a command line that cannot be parsed; nil if that has other reasons.
  init?(in arguments: [String], of root: any ParsableCommand.Type) {
    var command = root
    var rest = arguments[...]
    while !command.configuration.subcommands.isEmpty {
      guard let word = rest.first, word != "help" else { return nil }
      let names = command.configuration.subcommands.compactMap { $0.configuration.commandName }
      if let index = names.firstIndex(of: word) {
        command = command.configuration.subcommands[index]
        rest.removeFirst()
      } else if let standard = Misspelling.standard(of: command, word, names) {
        command = standard
      } else {
        if word.hasPrefix("-") { return nil }
        self.init("command", word, among: names)
        return
      }
    }
    let options = Misspelling.options(of: command, in: root)
    for argument in rest.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
      let name = String(argument.prefix { $0 != "=" })
      if options.contains(name) { continue }
      self.init("option", name, among: options)
      return
    }
    return nil
  }

  /// The subcommand that a command has where none is named; nil without one, and where a word must have been
  /// meant for the name of another.
  private static func standard(
    of command: any ParsableCommand.Type, _ word: String, _ names: [String]
  ) -> (any ParsableCommand.Type)? {
    let isName =
      !word.hasPrefix("-") && Folder.kind(of: word) == .missing
      && Suggestion.nearest(to: word, among: names) != nil
    return isName ? nil : command.configuration.defaultSubcommand
  }

  private init(_ noun: String, _ word: String, among known: [String]) {
    self.noun = noun
    self.word = word
    nearest = Suggestion.nearest(to: word, among: known)
  }

  /// As the parser itself words it.
  var text: String {
    "Unknown \(noun) '\(word)'" + (nearest.map { ". Did you mean '\($0)'?" } ?? "")
  }

  /// The long options that a command's help lists.
  private static func options(
    of command: any ParsableCommand.Type, in root: any ParsableCommand.Type
  ) -> [String] {
    root.helpMessage(for: command).split(separator: "\n").flatMap { line -> [String] in
      guard line.hasPrefix("  -") else { return [] }
      return line.split(separator: "  ")[0].split(whereSeparator: { " ,/<".contains($0) })
        .filter { $0.hasPrefix("--") }.map(String.init)
    }
  }
}
