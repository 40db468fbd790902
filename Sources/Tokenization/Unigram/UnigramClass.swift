/// A class of the library `transformers` that reads Unigram models, and what it sets from 5.0 on,
/// whatever `tokenizer.json` says.
enum UnigramClass: Equatable, Sendable {
  case albert, camembert, debertaV2, t5, xlmRoberta

  /// The special tokens that the class has if no file names them.
  var specialTokens: [SpecialTokens.Name: String] {
    switch self {
    case .xlmRoberta, .camembert:
      [
        .start: "<s>", .end: "</s>", .separator: "</s>", .classifier: "<s>", .unknown: "<unk>",
        .padding: "<pad>", .mask: "<mask>",
      ]
    case .albert:
      [
        .start: "[CLS]", .end: "[SEP]", .unknown: "<unk>", .separator: "[SEP]", .padding: "<pad>",
        .classifier: "[CLS]", .mask: "[MASK]",
      ]
    case .debertaV2:
      [
        .start: "[CLS]", .end: "[SEP]", .unknown: "[UNK]", .separator: "[SEP]",
        .padding: "[PAD]", .classifier: "[CLS]", .mask: "[MASK]",
      ]
    case .t5: [.end: "</s>", .unknown: "<unk>", .padding: "<pad>"]
    }
  }

  /// The special tokens before and behind a text.
  var ends: (before: [SpecialTokens.Name], after: [SpecialTokens.Name]) {
    switch self {
    case .xlmRoberta, .camembert: ([.start], [.end])
    case .albert, .debertaV2: ([.classifier], [.separator])
    case .t5: ([], [.end])
    }
  }

  /// The special tokens around one text, and around two.
  func template(before: [Int32], after: [Int32]) -> SpecialTokenTemplate {
    var template = SpecialTokenTemplate(before: before, after: after)
    guard let start = before.first, let end = after.first else { return template }
    switch self {
    case .xlmRoberta, .camembert: template.pair = .roberta(start, end)
    case .albert, .debertaV2: template.pair = .bert(start, end)
    case .t5: break
    }
    return template
  }

  /// The steps of the normalizer.
  ///
  /// - Parameter map: the file's map of characters, if it has one.
  func normalizer(
    _ map: [Normalizer.Step], _ settings: TokenizerConfiguration
  ) -> [Normalizer.Step] {
    switch self {
    case .xlmRoberta, .camembert, .t5: map
    case .albert:
      [.quote("``"), .quote("''")]
        + (settings.keepsAccents ? [] : [.decomposeCompatible, .dropCombiningMarks])
        + (settings.lowercases ?? true ? [.lowercase] : []) + map
    case .debertaV2:
      (settings.lowercases ?? false ? [.lowercase] : []) + [
        .replace(
          TextReplacement(pattern: .whitespace(minimum: 2, lineBreaks: true), content: [0x20])),
        .compose, .strip(left: false, right: true),
      ]
    }
  }

  /// The steps of the pre-tokenizer.
  func preTokenizer(_ settings: TokenizerConfiguration) -> [PreTokenizer.Step] {
    let adds = settings.addsPrefixSpace ?? true
    let metaspace = { (prefix: Metaspace.Prefix) in
      PreTokenizer.Step.metaspace(
        Metaspace(replacement: 0x2581, prefix: prefix, splits: true))
    }
    switch self {
    case .xlmRoberta, .camembert, .albert:
      return [.whitespaceSplit, metaspace(adds ? .always : .never)]
    case .t5: return [.whitespaceSplit, metaspace(.always)]
    case .debertaV2:
      return (settings.splitsPunctuation ? [.punctuation] : [])
        + [metaspace(adds ? .always : .first)]
    }
  }
}

extension Normalizer.Step {
  /// Replaces a pair of marks by the plain quotation mark.
  fileprivate static func quote(_ marks: String) -> Normalizer.Step {
    .replace(
      TextReplacement(pattern: .text(marks.unicodeScalars.map(\.value)), content: [0x22]))
  }
}
