package import Formats
package import Graph
import Inputs
import Project
import StrictJSON

/// A model's card: the YAML at the beginning of `README.md`, as model hubs have it.
///
/// Nothing is invented: a missing key stays missing. A card with unsound YAML counts as empty.
/// Every text is one line; see `CardText`.
package struct ModelCard: Equatable, Sendable {
  /// The card's name in a model's folder.
  package static let file = "README.md"

  /// `model_name`, or the one name under `model-index`, or the first heading.
  package let name: String?
  /// `pipeline_tag`: the model's task.
  package let task: String?
  /// `language`: one or several.
  package let languages: [String]
  /// `license`; `license_name` where that is `other`.
  package let license: String?
  /// `author` or `authors`.
  package let author: String?
  /// `version`.
  package let version: String?

  /// Reads the card among a model's files.
  ///
  /// - Returns: nil if there is no card, or it does not begin with YAML.
  package init?(_ files: ModelFiles) throws {
    guard let bytes = try files.bytes(of: ModelCard.file) else { return nil }
    self.init(bytes)
  }

  /// Reads a card.
  ///
  /// - Returns: nil for a text that does not begin with YAML.
  package init?(_ bytes: [UInt8]) {
    guard let text = String(utf8: bytes) else { return nil }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(String.init)
    guard lines.first == "---", let end = lines.dropFirst().firstIndex(of: "---") else {
      return nil
    }
    let yaml = lines[1..<end].joined(separator: "\n") + "\n"
    var faults = ProjectFaults()
    guard yaml.utf8.count <= YAMLReader.sizeLimit,
      let node = YAMLReader.read(Array(yaml.utf8), file: ModelCard.file, &faults),
      case .mapping(let members) = node.content
    else { return nil }
    let keys = Dictionary(
      members.compactMap { key, value in key.string.map { ($0, value) } }
    ) { first, _ in first }
    func words(_ key: String) -> [String] { keys[key].map(ModelCard.words) ?? [] }
    name =
      words("model_name").first ?? keys["model-index"].flatMap(ModelCard.indexed)
      ?? ModelCard.heading(lines[(end + 1)...])
    task = words("pipeline_tag").first
    languages = words("language")
    let licenses = words("license")
    license =
      licenses == ["other"]
      ? words("license_name").first ?? "other"
      : CardText.list(licenses)
    author = CardText.list(words("author") + words("authors"))
    version = words("version").first
  }

  /// A package's summary from the card: name, task and languages in a line.
  package var summary: String? {
    let parts = [task, CardText.list(languages)]
    let rest = parts.compactMap(\.self).joined(separator: "; ")
    guard let name else { return rest.isEmpty ? nil : rest }
    return rest.isEmpty ? name : "\(name): \(rest)"
  }

  // One text, or those of a list; long ones are not names.
  private static func words(_ node: YAMLNode) -> [String] {
    let nodes = if case .sequence(let nodes) = node.content { nodes } else { [node] }
    return nodes.compactMap(\.string).compactMap(CardText.line)
  }

  private static func indexed(_ node: YAMLNode) -> String? {
    guard case .sequence(let models) = node.content, models.count == 1,
      case .mapping(let members) = models[0].content
    else { return nil }
    return members.first { $0.key.string == "name" }?.value.string.flatMap(CardText.line)
  }

  private static func heading(_ lines: ArraySlice<String>) -> String? {
    lines.first { $0.hasPrefix("# ") }.flatMap { CardText.line(String($0.dropFirst(2))) }
  }
}

extension ModelCard {
  /// The card of a model; nil without one, and for a folder that a format
  /// wrote, which has no place for one.
  package init?(of model: Model) throws {
    guard ModelFormat.meant(by: model.origin) == nil else { return nil }
    try self.init(model.files)
  }
}

extension CoreMLDescription {
  /// Takes the user's words, and the card's where the user gives none.
  package init(_ said: CoreMLDescription, card: ModelCard?, notes: [String: String]) {
    self.init(
      summary: said.summary ?? card?.summary, author: said.author ?? card?.author,
      license: said.license ?? card?.license, version: said.version ?? card?.version, notes: notes)
  }

  /// The same for a package of a model, which also states how the model's texts are prepared.
  package init(
    _ said: CoreMLDescription, card: ModelCard?, of model: Model, _ options: CoreMLOptions
  ) throws {
    let statement = try TextStatement(of: model)
    let notes = statement.map {
      $0.notes(length: options.sequenceLengths.max() ?? $0.maximumLength)
    }
    self.init(said, card: card, notes: notes ?? [:])
  }
}

/// Texts of a card as a package may say them: whoever wrote the card, they steer no terminal and pass
/// for no line of their own.
enum CardText {
  /// Most bytes of one text; longer ones are not names.
  static let maxBytes = 200
  /// Most bytes of a list in one line.
  private static let maxBytesOfList = 1000

  /// A text as one line: a run of blanks, ends of lines and control characters becomes one blank, and
  /// marks that cannot be seen, as those that turn the reading direction, are left out.
  ///
  /// - Returns: nil if nothing is left, or the text is too long.
  static func line(_ text: String) -> String? {
    guard text.utf8.count <= maxBytes else { return nil }
    var line = String.UnicodeScalarView()
    var isParted = false
    for scalar in text.unicodeScalars where !isHidden(scalar) {
      if parts(scalar) {
        isParted = true
        continue
      }
      if isParted, !line.isEmpty { line.append(" ") }
      isParted = false
      line.append(scalar)
    }
    return line.isEmpty ? nil : String(line)
  }

  /// Texts with commas between; nil without any, or they are too long together.
  static func list(_ texts: [String]) -> String? {
    let list = texts.joined(separator: ", ")
    return list.isEmpty || list.utf8.count > maxBytesOfList ? nil : list
  }

  private static func parts(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
  }

  /// Whether a scalar is a mark of formatting; those that join and part letters belong to words.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .format && scalar != "\u{200C}" && scalar != "\u{200D}"
  }
}
