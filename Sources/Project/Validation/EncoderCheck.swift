import Graph

/// Checks whether a model has the encoders that its entry is about.
struct EncoderCheck {
  let job: BuildPlan.Job
  /// Nil if the faults were noted before.
  let log: ContractSection.Log?

  /// Those that ship; nil, with a fault, when the entry asks for one that is not there.
  func shipping(of models: [Model]) -> [Model]? {
    let found = models.compactMap(\.architecture.encoder)
    if let requested = job.key.encoder {
      let chosen = models.filter { $0.architecture.encoder == requested }
      guard chosen.isEmpty else { return chosen }
      return fault(
        job.encoderPlace, "'encoder' is \(requested.rawValue), the source \(words(found))",
        hint: "remove 'encoder', or name another source")
    }
    if job.key.compression.isForEach, found != EncoderKind.allCases {
      return fault(
        job.compressionPlace, "'compress' is for two encoders, the source \(words(found))",
        hint: "give one for the whole model, such as 'compress: {scheme: int8}'")
    }
    return models
  }

  private func words(_ found: [EncoderKind]) -> String {
    found.first.map { "has the \($0.rawValue) encoder alone" } ?? "is one encoder as a whole"
  }

  private func fault(_ place: Place?, _ message: String, hint: String) -> [Model]? {
    log?.faults.add(
      .unfitSource, place ?? job.sourcePlace, "model '\(job.label)': \(message)", hint: hint)
    return nil
  }
}
