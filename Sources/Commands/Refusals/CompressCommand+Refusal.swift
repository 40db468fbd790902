import ArgumentParser
import Gate

extension CompressCommand {
  /// How to judge a refused model again, as a shell takes it: by the limits that were asked for where
  /// single ones were given, else by the strictest profile that would let it pass.
  func checkCommand(_ path: String, _ verdict: Verdict) -> String {
    let hasOwn = gate.limits?.contains("=") ?? false
    let passing = verdict.outlooks.first(where: \.isPassed)?.profile.rawValue
    let options: [(String, String?)] = [
      ("--encoder", encoder.encoder), ("--prompt", encoder.prompt.prompt),
      ("--prompt-text", encoder.prompt.promptText), ("--pooling", encoder.pooling.pooling),
      ("--references", references),
      ("--limits", hasOwn ? gate.limits : passing ?? gate.limits),
      ("--threshold", gate.threshold.map { "\($0)" }), ("--tokenizer", tokenizer.tokenizer),
    ]
    let flags = options.flatMap { option -> [String] in
      guard let value = option.1 else { return [] }
      // A value that looks like an option is one word with it.
      return value.hasPrefix("-") ? ["\(option.0)=\(value)"] : [option.0, value]
    }
    let words =
      ["ingot", "check", model, path] + flags + (gate.fewReferences ? ["--few-references"] : [])
    return words.map(ShellWord.quoted).joined(separator: " ")
  }
}

extension Verdict {
  /// The way out of a refusal: more bits help neither a model that gives no embedding as trained, nor
  /// texts whose tokens are gone.
  var compressionHint: String {
    for refusal in refusals {
      switch refusal {
      case .outputs(_, of: .baseline):
        return
          "the model does this as it was trained, and no compression mends it: take such inputs "
          + "out of the references, or look at the model with 'ingot inspect'"
      case .droppedTokens:
        return "put such texts into the file that --keep-tokens names, or take them out of the "
          + "references"
      default: continue
      }
    }
    return "use more bits, another granularity, or another scheme"
  }
}
