import Graph
import StrictJSON
import Tokenization

extension CoreMLPackage {
  /// How texts are prepared: by the package itself if Ingot wrote it, else by the files beside it.
  static func textPreparation(
    _ message: SpecModel, _ files: ModelFiles
  ) throws -> TextPreparation {
    let stated = message.description_p.metadata.userDefined
    guard stated[sourceKey] != nil else { return try files.statedPreparation() }
    return TextPreparation(
      prompt: stated[promptKey] ?? "",
      lowercasing: stated[lowerCaseKey] == nil ? .none : .normalizer,
      framing: try framing(stated[framingKey], files),
      cleaning: try cleaning(stated[cleaningKey], files))
  }

  private static func cleaning(
    _ word: String?, _ files: ModelFiles
  ) throws(CoreMLError) -> TextPreparation.Cleaning? {
    guard let word else { return nil }
    guard let cleaning = TextPreparation.Cleaning(rawValue: word) else {
      throw .malformed(
        path: files.origin, fault: "'\(cleaningKey)' is \(quoted(word)), which is not known")
    }
    return cleaning
  }

  private static func framing(
    _ word: String?, _ files: ModelFiles
  ) throws(CoreMLError) -> TokenFraming {
    guard let word else { return .specialTokens }
    guard let framing = TokenFraming(rawValue: word) else {
      throw .malformed(
        path: files.origin, fault: "'\(framingKey)' is \(quoted(word)), which is not known")
    }
    return framing
  }
}
