import ArgumentParser
import Evaluation

extension CompressCommand {
  /// How to judge a refused model again, as a shell takes it: by the limits that were asked for where
  /// single ones were given, else by the strictest profile that would let it pass.
  func checkCommand(_ path: String, _ judgement: Judgement) -> String {
    let hasOwn = gate.limits?.contains("=") ?? false
    let passing = judgement.outlooks.first(where: \.isPassed)?.profile.rawValue
    let options: [(String, String?)] = [
      ("--encoder", encoder.encoder), ("--prompt", encoder.prompt.prompt),
      ("--prompt-text", encoder.prompt.promptText), ("--pooling", encoder.pooling.pooling),
      ("--references", references),
      ("--limits", hasOwn ? gate.limits : passing ?? gate.limits),
      ("--threshold", gate.threshold.map { "\($0)" }), ("--tokenizer", tokenizer.tokenizer),
    ]
    let words =
      ["ingot", "check", model, path]
      + options.flatMap { flag, value in
        // A value that looks like an option is one word with it.
        value.map { $0.hasPrefix("-") ? ["\(flag)=\($0)"] : [flag, $0] } ?? []
      }
    return words.map(ShellWord.quoted).joined(separator: " ")
  }
}
