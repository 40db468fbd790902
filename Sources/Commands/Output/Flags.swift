import Files

/// The flags of the command line, for faults whose way out is an option. No other target names one.
enum Flags {
  /// How an option is spelt.
  static func name(_ option: UserOption) -> String? {
    switch option {
    case .encoder: "--encoder"
    case .pooling: "--pooling"
    case .tokenizer: "--tokenizer"
    case .sourceCheck: "--source-check"
    case .root: "--root"
    case .allowDowngrade: "--allow-downgrade"
    case .acceptIndex: "--accept-index"
    case .shard: "--shard"
    case .json: "--json"
    case .inspection: "ingot inspect"
    case .explanation: "ingot explain"
    }
  }
}

/// An error's words, with the flags that are a way out.
func words(of error: any Error) -> String {
  guard let error = error as? any NamesOptions else { return "\(error)" }
  return error.words(Flags.name)
}
