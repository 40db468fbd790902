import ArgumentParser

struct PublishCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Offer packages to the devices of customers, by signed metadata.",
    discussion: """
      A repository is a folder that any static server serves: metadata of The Update Framework (TUF 1.0) for \
      each customer, and the parts of models, each stored once for all customers. A device fetches what \
      differs from the version it has.

      Metadata expire: 'publish refresh' signs them anew, daily, with the online key alone.

      Examples:
        ingot publish keys keys
        ingot publish . --repository repository --keys keys
        ingot publish packages --repository repository --keys keys --rollout 5%
        ingot publish refresh --repository repository --keys keys
      """,
    subcommands: [
      PublishOfferCommand.self, PublishWithdrawCommand.self, PublishRefreshCommand.self,
      PublishRotateCommand.self, PublishKeysCommand.self,
    ], defaultSubcommand: PublishOfferCommand.self)
}
