/// One of the formats: told apart from the others, and found by its name.
package struct ModelFormat: Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// Every format there is; the first is taken where nothing says which.
  private static let all: [any Format.Type] = [
    CompressedSafetensors.self,
    CoreMLPackage.self,
  ]

  package let type: any Format.Type

  package init(_ type: any Format.Type) { self.type = type }

  /// The format of a name.
  ///
  /// - Throws: `EmissionError.unknownFormat`, which names those that are known.
  package init(named name: String) throws(EmissionError) {
    guard let format = ModelFormat(name) else {
      throw .unknownFormat(name: name, known: ModelFormat.allCases.map(\.name))
    }
    self = format
  }

  /// The same; nil for a name that no format has.
  package init?(_ name: String) {
    guard let type = ModelFormat.all.first(where: { $0.name == name }) else { return nil }
    self.init(type)
  }

  package static let safetensors = ModelFormat(CompressedSafetensors.self)
  package static let mlpackage = ModelFormat(CoreMLPackage.self)

  package static var allCases: [ModelFormat] { all.map { ModelFormat($0) } }

  /// The format of the folder at a path, also of one that is only called like it; nil for anything
  /// else, and for a single file, which is known by what is in it.
  package static func meant(by path: String) -> ModelFormat? {
    allCases.first { $0.type.isMeant(path) }
  }

  /// The name in projects, manifests and on the command line.
  package var name: String { type.name }
  package var description: String { name }
  /// The rules of a format of folders; nil if a model is a single file.
  package var folder: FolderFormat? { type.folder }
  /// Names of the files that may be beside a model.
  package var companions: [String] { folder?.companions ?? [] }

  /// Those of several formats, each name once.
  package static func companions(of formats: [ModelFormat]) -> [String] {
    var seen: Set<String> = []
    return formats.flatMap(\.companions).filter { seen.insert($0).inserted }
  }

  /// The format with these choices.
  package func with(_ choices: FormatChoices) -> any Format { type.init(choices) }

  package static func == (left: ModelFormat, right: ModelFormat) -> Bool {
    left.type == right.type
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}
