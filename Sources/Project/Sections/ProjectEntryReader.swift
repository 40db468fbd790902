import Formats
import Gate
import Graph
import Inputs
import Packaging
import SelfTesting
import WeightCompression

/// Reads how one model, or every custom model, is made.
struct ProjectEntryReader {
  let section: ContractSection
  /// Whether it is for custom models, whose paths may hold `{flowName}` and its like; those of a
  /// shared model may hold `{member}`.
  let isOfFlows: Bool
  /// The project's folder, from which the files of compression recipes are named.
  let folder: String

  /// Reads the sound parts of the entry; notes every fault.
  func read() -> ProjectEntryDraft {
    section.allowOnly([
      "source", "encoder", "prompt", "source-check", "sourceCheck", "compress", "gate", "formats",
      CoreMLOptions.section, "description", "selfTest", "membersDiffer",
    ])
    let source = path("source", of: section, mend: "add 'source', the model's folder or file")
    let compress = section.section(
      "compress", mend: "say how to compress: 'compress: {scheme: int8}'"
    )
    let format = FormatReader(section: section).read() ?? .standIn
    let encoder = self.encoder()
    let prompt = PromptReader(section: section).read()
    let options = compress.flatMap {
      CompressionReader(
        floats: format.floats, encoder: encoder?.value, folder: folder
      ).read($0)
    }
    let calibration = compress.flatMap(self.calibration)
    let keptTokens = compress.flatMap(self.keptTokens)
    let dropsOverlap = compress.map(self.dropsOverlap) ?? false
    let verdict = compress.flatMap(self.verdict)
    let sourceCheck = self.sourceCheck()
    let selfTest = self.selfTest()
    let areMembersUnlike = self.areMembersUnlike(source)
    let compression = Located(
      value: options ?? .standIn, place: compress?.place ?? section.place)
    let gate = section.section(
      "gate", mend: "name the reference set: 'gate: {references: pairs.jsonl}'")
    let (references, limits) = gate.map(self.gate) ?? (nil, nil)
    let entry = source.flatMap { source in
      limits.map {
        ProjectEntry(
          source: source, encoder: encoder, prompt: prompt, compression: compression,
          calibration: calibration,
          dropsOverlap: dropsOverlap, verdict: verdict, keptTokens: keptTokens,
          sourceCheck: sourceCheck, selfTest: selfTest, gate: $0,
          format: format, areMembersUnlike: areMembersUnlike)
      }
    }
    let areMembersKnown = checkMembers(
      source,
      [
        ("references", references), ("calibration", calibration), ("verdict", verdict),
        ("keepTokens", keptTokens), ("vectors", sourceCheck?.vectors),
        ("inputs", sourceCheck?.inputs),
      ])
    let isOfNobody = !areMembersKnown && references?.value.uses(.member) == true
    return ProjectEntryDraft(
      source: source, references: isOfNobody ? nil : references,
      columns: limits?.columns ?? .none, entry: areMembersKnown ? entry : nil)
  }

  /// The inputs on which compression is tuned, of both encoders where there are two.
  private func calibration(_ compress: ContractSection) -> Located<PathPattern>? {
    guard compress.node("calibration") != nil else { return nil }
    return path(
      "calibration", of: compress,
      mend: "name inputs like those the app will see: 'calibration: sentences.jsonl'")
  }

  /// References for the verdict on what a search finds.
  private func verdict(_ compress: ContractSection) -> Located<PathPattern>? {
    guard let node = compress.node(CompressionReader.search), case .mapping = node.content,
      let group = ContractSection(node, name: "'smallest'", log: compress.log),
      group.node("verdict") != nil
    else { return nil }
    return path(
      "verdict", of: group,
      mend: "name references that the search does not see: 'verdict: others.jsonl'")
  }

  /// The texts whose tokens stay.
  private func keptTokens(_ compress: ContractSection) -> Located<PathPattern>? {
    guard compress.node("keepTokens") != nil else { return nil }
    return path(
      "keepTokens", of: compress,
      mend: "name texts like those the app will see: 'keepTokens: sentences.jsonl'")
  }

  /// Whether calibration inputs that the references hold too are left out.
  private func dropsOverlap(_ compress: ContractSection) -> Bool {
    guard let word = compress.optionalBool("dropOverlap") else { return false }
    if compress.node("calibration") == nil {
      section.fault(
        .badValue, word.place, "'dropOverlap' is for 'calibration', which is not there",
        hint: "remove 'dropOverlap', or add 'calibration: sentences.jsonl'")
    }
    return word.value
  }

  /// Outputs made elsewhere, and their inputs; the key is read in both spellings, once.
  private func sourceCheck() -> SourceCheckOptions? {
    let keys = ["source-check", "sourceCheck"].filter { section.node($0) != nil }
    guard let key = keys.first else { return nil }
    if keys.count > 1, let node = section.node(keys[1]) {
      section.fault(
        .badValue, node.place, "'source-check' and 'sourceCheck' are one key",
        hint: "remove one of them")
      return nil
    }
    let mend = "name both files: '\(key): {vectors: vectors.npy, inputs: inputs.jsonl}'"
    guard let group = section.section(key, mend: mend) else { return nil }
    group.allowOnly(["vectors", "inputs"])
    let vectors = path("vectors", of: group, mend: mend)
    let inputs = path("inputs", of: group, mend: mend)
    return vectors.flatMap { vectors in
      inputs.map { SourceCheckOptions(vectors: vectors, inputs: $0) }
    }
  }

  /// Where the inputs of the self-test come from.
  private func selfTest() -> SelfTest.Source {
    guard let word = section.optionalString("selfTest") else { return .references }
    guard let source = SelfTest.Source(rawValue: word.value) else {
      section.fault(
        .badValue, word.place,
        "'selfTest' is '\(word.value.prefix(60).asciiEscaped)', expected "
          + SelfTest.Source.allCases.map(\.rawValue).joined(separator: " or "),
        hint: "say 'selfTest: synthetic' where no reference may be in a package")
      return .references
    }
    return source
  }

  private func path(
    _ key: String, of section: ContractSection, mend: String
  ) -> Located<PathPattern>? {
    guard let text = section.path(key, mend: mend) else { return nil }
    guard isOfFlows else {
      switch PathPattern.parse(text.value, knowing: [.member]) {
      case .success(let pattern): return Located(value: pattern, place: text.place)
      case .failure(let fault):
        let near = Suggestion.nearest(
          to: fault.word ?? "", among: [PathPattern.Placeholder.member.rawValue])
        section.fault(
          .badPath, text.place, "'\(key)' holds a placeholder",
          hint: near == nil
            ? "placeholders are for 'customModels'; a shared model has one source" : fault.hint)
        return nil
      }
    }
    switch PathPattern.parse(text.value) {
    case .success(let pattern): return Located(value: pattern, place: text.place)
    case .failure(let fault):
      section.fault(.badPath, text.place, "'\(key)': \(fault.message)", hint: fault.hint)
      return nil
    }
  }

  /// Whether the source says which members there are, if any path asks for one; noted when not.
  private func checkMembers(
    _ source: Located<PathPattern>?, _ others: [(key: String, path: Located<PathPattern>?)]
  ) -> Bool {
    guard let source else { return false }
    let word = "{\(PathPattern.Placeholder.member.rawValue)}"
    if source.value.uses(.member), source.value.aroundMember == nil {
      section.fault(
        .badPath, source.place, "'source' holds \(word) twice in one part of the path",
        hint: "write it once between two '/': 'source: users/\(word)/model'")
    }
    guard !source.value.uses(.member) else { return true }
    var isSound = true
    for case (let key, let path?) in others where path.value.uses(.member) {
      isSound = false
      section.fault(
        .badPath, path.place, "'\(key)' holds \(word), 'source' does not",
        hint: "members are found by the source: 'source: users/\(word)'")
    }
    return isSound
  }

  /// Whether members are meant to differ in what they take and give.
  private func areMembersUnlike(_ source: Located<PathPattern>?) -> Bool {
    guard let word = section.optionalBool("membersDiffer") else { return false }
    if let source, isOfFlows || !source.value.uses(.member) {
      section.fault(
        .badValue, word.place, "'membersDiffer' is for a family, and 'source' holds no {member}",
        hint: "remove 'membersDiffer'")
    }
    return word.value
  }

  /// The one encoder that is to ship; nil, with a fault, when it is none.
  private func encoder() -> Located<EncoderKind>? {
    guard let word = section.optionalString("encoder") else { return nil }
    guard let encoder = EncoderKind(rawValue: word.value) else {
      section.fault(
        .badValue, word.place,
        "'encoder' is '\(word.value.prefix(60).asciiEscaped)', expected image or text",
        hint: "leave 'encoder' out to ship every encoder there is")
      return nil
    }
    return Located(value: encoder, place: word.place)
  }

  private func gate(
    _ section: ContractSection
  ) -> (references: Located<PathPattern>?, options: GateOptions?) {
    section.allowOnly(["references", "label", "ignore", "limits", "threshold", "fewReferences"])
    let references = path(
      "references", of: section, mend: "name the reference set: 'references: pairs.jsonl'")
    let limits = LimitsReader(section: section).read() ?? .standIn
    let threshold = self.threshold(section)
    let isFewMeant = section.optionalBool("fewReferences")?.value ?? false
    let columns = self.columns(section)
    return (
      references,
      references.map {
        GateOptions(
          references: $0, limits: limits, threshold: threshold, isFewMeant: isFewMeant,
          columns: columns)
      }
    )
  }

  /// Columns of the references that are no features.
  private func columns(_ section: ContractSection) -> NamedColumns {
    NamedColumns(
      label: section.optionalString("label")?.value,
      ignored: (section.optionalTexts("ignore") ?? []).map(\.value))
  }

  private func threshold(_ section: ContractSection) -> Located<Double>? {
    guard let node = section.node("threshold") else { return nil }
    // Its range depends on the model's outputs.
    return section.optionalDouble("threshold").map { Located(value: $0, place: node.place) }
  }
}

// Replacements for faulty parts of an entry, so that all else is checked.

extension FormatOptions {
  fileprivate static var standIn: FormatOptions {
    FormatOptions(
      format: .usual, coreML: CoreMLOptions(), sequencePlace: nil, summary: nil)
  }
}

extension ModelCompressionOptions {
  fileprivate static var standIn: ModelCompressionOptions {
    guard let none = try? CompressionOptions(scheme: Scheme?.none) else {
      preconditionFailure("weights can always be kept")
    }
    return .one(none)
  }
}

extension LimitOptions {
  fileprivate static var standIn: LimitOptions {
    LimitOptions(profile: Limits.Profile.standard.rawValue, overrides: [:])
  }
}

extension FormatOptions {
  /// Type of the floats that are stored.
  var floats: FloatType { format.with(FormatChoices(coreML: coreML)).floats }
}
