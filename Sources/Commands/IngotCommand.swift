import ArgumentParser

/// The root of the command line.
struct IngotCommand: ParsableCommand {
  /// The version that `--version` prints and packages record.
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "ingot",
    abstract: "Trained weights in, proven packages out.",
    discussion: """
      Ingot compresses trained weights, runs the compressed model against reference pairs, refuses \
      one whose outputs have drifted, and writes one reproducible package per customer.

      A first look:
        ingot inspect MODEL
        ingot check VECTORS.npy MODEL --inputs INPUTS.jsonl
        ingot compress MODEL --output small.safetensors --references PAIRS.jsonl
        ingot build PROJECT

      Exit status: 0 done, 1 failed, 3 refused by the gate, 4 verification failed, 64 wrong usage.
      Answers go to stdout, everything else to stderr. The network is used by --remote-store and client alone.
      """,
    version: version,
    subcommands: [
      InspectCommand.self, PlanCommand.self, CompressCommand.self, ShrinkCommand.self,
      EmbedCommand.self, CheckCommand.self, ExplainCommand.self, InitCommand.self,
      ValidateCommand.self,
      DoctorCommand.self,
      BuildCommand.self, VerifyCommand.self, DiffCommand.self, PublishCommand.self,
      ClientCommand.self,
      StoreCommand.self,
    ])
}
