import Files
import Graph
import Inputs
import Packaging
import StrictJSON

/// The trained tokenizer beside a model that has fewer tokens: by it `embed` finds texts that need the
/// dropped ones.
struct WholeTokenizerFile {
  private let path: String
  private let bytes: [UInt8]

  /// The path for a model's.
  static func path(beside model: String) -> String {
    var name = model[...]
    while name.utf8.last == UInt8(ascii: "/") { name = name.dropLast() }
    return name + ".all-tokens.zst"
  }

  /// - Parameters:
  ///   - trained: the model with all tokens.
  ///   - output: of the model with fewer.
  init(of trained: Model, beside output: String) throws {
    path = WholeTokenizerFile.path(beside: output)
    bytes = try ZstdText.compress(try trained.wholeTokenizerText())
  }

  /// Replaces an older one: it belongs to the model that is replaced, too.
  func write() throws { try AtomicFile.write(bytes, to: path) }

  /// Warns where texts need tokens that a model has no more.
  ///
  /// - Parameter path: of the model.
  static func warn(of lines: InputLines, for model: Model, at path: String, _ console: Console)
    throws
  {
    guard let record = model.vocabulary else { return }
    let beside = WholeTokenizerFile.path(beside: path)
    guard Folder.kind(of: beside) == .file else {
      return console.note(
        "\(path) \(record.words), and '\(beside)' is not there: texts that need dropped tokens are not "
          + "found")
    }
    let text = try ZstdText.contents(of: beside, limit: ModelFiles.tokenizerSizeLimit)
    let found = try DroppedTokenSearch(model, whole: text, origin: beside).lines(of: lines)
    guard let first = found.first else { return }
    console.warn(
      "\(lines.origin):\(first): \(found.count == 1 ? "1 text needs" : "\(found.count) texts need") "
        + "tokens that were dropped, of \(lines.inputs.count): the embeddings are not those of all "
        + "tokens",
      hint: "compress the model again, with such texts in the file that --keep-tokens names")
  }
}
