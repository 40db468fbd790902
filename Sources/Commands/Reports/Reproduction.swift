/// The command line that makes a result again.
enum Reproduction {
  /// Options that change no result, and take a word.
  private static let valued = ["--jobs", "--report"]
  /// Options that change no result.
  private static let plain = ["--json", "--quiet", "-q", "--verbose", "-v", "--json-progress"]

  /// This very command, as a shell takes it, without what changes no result.
  ///
  /// - Parameter arguments: the words behind the program's name.
  static func command(_ arguments: [String]) -> String {
    var words = ["ingot"]
    var isSkipped = false
    for argument in arguments {
      if isSkipped {
        isSkipped = false
      } else if valued.contains(argument) {
        isSkipped = true
      } else if !plain.contains(argument), !valued.contains(where: { argument.hasPrefix($0 + "=") })
      {
        words.append(argument)
      }
    }
    return words.map(ShellWord.quoted).joined(separator: " ")
  }

  /// The same of this process.
  static var command: String { command(Array(CommandLine.arguments.dropFirst())) }
}
