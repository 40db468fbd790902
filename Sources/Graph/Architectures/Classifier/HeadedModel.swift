import StrictJSON

/// What a head behind a transformer tells apart.
package enum HeadTask: String, CaseIterable, Sendable {
  /// Whole texts.
  case texts = "ForSequenceClassification"
  /// The tokens of a text, each by itself.
  case tokens = "ForTokenClassification"
}

/// A folder of transformers whose `config.json` names a class with a head.
struct HeadedModel {
  let architecture: any TransformerArchitecture.Type
  let task: HeadTask
  let head: ClassifierHead
  let config: JSONObject

  static let configName = "config.json"

  /// Nil for a folder without a classifier's head, and one of sentence-transformers, which drops heads
  /// but for those of cross-encoders.
  ///
  /// - Throws: on a head that is not supported.
  init?(_ files: ModelFiles) throws {
    guard try files.bytes(of: SentenceModules.file) == nil || CrossEncoder.isOne(files),
      let config = try files.object(Self.configName), let type = config["model_type"]?.string,
      let names = config["architectures"]?.array, names.count == 1, let name = names[0].string,
      let task = HeadTask.allCases.first(where: { Self.isName(name, of: type, with: $0) }),
      let architecture = Self.architecture(type, config),
      let head = try architecture.head(task, config)
    else { return nil }
    self.architecture = architecture
    self.task = task
    self.head = head
    self.config = config
  }

  /// Whether a class is the one of a type: `DebertaV2ForSequenceClassification` of `deberta-v2`, and of
  /// `bert` also the one of Jina's program.
  private static func isName(_ name: String, of type: String, with task: HeadTask) -> Bool {
    let usual = type.filter { !"-_".contains($0) } + task.rawValue.lowercased()
    return [usual, "jina" + usual].contains(name.lowercased())
  }

  private static func architecture(
    _ type: String, _ config: JSONObject
  ) -> (any TransformerArchitecture.Type)? {
    Architectures.all.lazy.compactMap { $0 as? any TransformerArchitecture.Type }
      .first { $0.modelTypes.contains(type) && $0.reads(config) }
  }
}
