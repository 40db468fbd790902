import Files
import Graph
import Inputs
import Packaging
import Release
import StrictJSON

/// The trained tokenizer beside a model that has fewer tokens: by it `embed` finds texts that need the
/// dropped ones.
struct WholeTokenizerFile {
  private let bytes: [UInt8]

  /// The path for a model's.
  static func path(beside model: String) -> String {
    var name = model[...]
    while name.utf8.last == UInt8(ascii: "/") { name = name.dropLast() }
    return name + ".all-tokens.zst"
  }

  /// - Parameter trained: the model with all tokens.
  init(of trained: Model) throws {
    bytes = try ZstdText.compress(try trained.wholeTokenizerText())
  }

  /// The file beside a model whose tokens were dropped before, for beside what is made of it.
  ///
  /// - Parameter model: with fewer tokens, at `path`.
  /// - Returns: nil if the file is not there.
  /// - Throws: if it is another model's.
  init?(besideReduced model: Model, at path: String) throws {
    let place = WholeTokenizerFile.path(beside: path)
    guard Folder.kind(of: place) == .file else { return nil }
    let text = try ZstdText.contents(of: place, limit: ModelFiles.tokenizerSizeLimit)
    _ = try model.wholeTokenizer(text, origin: place)
    bytes = try ZstdText.compress(text)
  }

  /// Replaces an older one beside a model: it belongs to the model that is replaced, too.
  func write(beside model: String) throws {
    try AtomicFile.write(bytes, to: WholeTokenizerFile.path(beside: model))
  }

  /// Warns where texts need tokens that a model has no more.
  ///
  /// - Parameters:
  ///   - path: of the model.
  ///   - place: the trained tokenizer, or a folder that a build wrote it to; beside the model when nil.
  /// - Throws: `Failure` where the model has all its tokens or nothing is at `place`, and if the file is
  ///   another model's.
  static func warn(
    of lines: InputLines, for model: Model, at path: String, by place: String?, _ console: Console
  ) throws {
    guard let record = model.vocabulary else {
      guard place == nil else {
        throw Failure(message: "\(path): has all its tokens", hint: "leave --all-tokens out")
      }
      return
    }
    let file = WholeTokenizerFile.path(of: model, at: path, by: place)
    guard Folder.kind(of: file) == .file else {
      guard place == nil else { throw Failure(message: "\(file): is not there") }
      return console.note(
        "\(path) \(record.words), and '\(file)' is not there: texts that need dropped tokens are not "
          + "found; for a model of a package give --all-tokens OUTPUT/\(TrainedTokenizers.folder)")
    }
    let text = try ZstdText.contents(of: file, limit: ModelFiles.tokenizerSizeLimit)
    let found = try DroppedTokenSearch(model, whole: text, origin: file).lines(of: lines)
    guard let first = found.first else { return }
    console.warn(
      "\(lines.origin):\(first): \(found.count == 1 ? "1 text needs" : "\(found.count) texts need") "
        + "tokens that were dropped, of \(lines.inputs.count): the outputs are not those of all "
        + "tokens",
      hint: "compress the model again, with such texts in the file that --keep-tokens names")
  }

  /// The path of a model's trained tokenizer.
  private static func path(of model: Model, at path: String, by place: String?) -> String {
    guard let place else { return WholeTokenizerFile.path(beside: path) }
    guard Folder.kind(of: place) == .folder else { return place }
    return Folder.join(place, TrainedTokenizers.name(for: model.digest))
  }
}
