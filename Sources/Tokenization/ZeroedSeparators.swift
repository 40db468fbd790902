import StrictJSON

/// A tokenizer of BERT with id 0 in place of every separator, as OpenCLIP reads texts for CLIPA
/// (`strip_sep_token`).
struct ZeroedSeparators: WrappedTokenizer {
  let base: any TextTokenizer
  private let separator: Int32

  /// - Throws: for a tokenizer of another class, which may have no separator.
  init(_ base: any TextTokenizer, _ context: TokenizerContext) throws(PreprocessingError) {
    let around = base.specialTokenCounts
    guard context.kind.isBert, around.before == 1, around.behind == 1,
      let separator = base.ids(of: "", maximumLength: 2).last
    else {
      throw .file(
        context.error("OpenCLIP's 'strip_sep_token' is supported with BERT's tokenizer alone"))
    }
    self.base = base
    self.separator = separator
  }

  func differences(from other: any TextTokenizer) -> [String] {
    guard let other = other as? ZeroedSeparators else { return ["what becomes of separators"] }
    let isAlike = separator == other.separator
    return base.differences(from: other.base) + (isAlike ? [] : ["the separator"])
  }

  func ids(of text: String, maximumLength: Int) -> [Int32] {
    base.ids(of: text, maximumLength: maximumLength).map { $0 == separator ? 0 : $0 }
  }
}
