import ArgumentParser
import StrictJSON
import Updates

struct PublishKeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Make the masters that the keys of all customers are derived from.",
    discussion: """
      The folder holds 'root-1' and 'root-2', which both sign a root; 'targets', which signs what is \
      offered; and 'online', which alone is needed for 'publish refresh'. Keep the roots apart from each other \
      and offline.

      A customer may have keys of its own: a folder named as the app, with private keys of OpenSSH of the same \
      names, for instance made by 'ssh-keygen -t ed25519'.

      Example:
        ingot publish keys keys
      """)

  @Argument(help: ArgumentHelp("The folder to make.", valueName: "dir"))
  var folder: String

  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      try publishing { try KeyFolder.make(at: folder) }
      try shared.answer(
        console, text: "\(folder): four keys; keep root-1 and root-2 apart and offline\n",
        json: ["keys": .string(folder)])
    }
  }
}
