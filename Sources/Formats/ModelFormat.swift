package import WeightCompression
package import Weights

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

  package static var allCases: [ModelFormat] { all.map { ModelFormat($0) } }

  /// The format that is taken where nothing says which.
  package static var usual: ModelFormat { ModelFormat(all[0]) }

  /// Those whose choices are in a section of a project file.
  package static func withSection(_ name: String) -> [ModelFormat] {
    allCases.filter { $0.type.section == name }
  }

  /// Those that hold a model as its program alone.
  package static var ofPrograms: [ModelFormat] { allCases.filter { $0.type.programs != nil } }

  /// How a model of an architecture that is not read may come in, each to follow "or".
  package static var programs: [String] { allCases.compactMap { $0.type.programs } }

  /// Which formats round floats to float16 unless they are asked to keep them, and which keep them.
  package static var floats: FloatStorage {
    func those(_ floats: FloatType) -> [ModelFormat] {
      allCases.filter { $0.with(FormatChoices()).floats == floats }
    }
    return FloatStorage(
      halving: those(.float16).map { $0.type.phrase }, keeping: those(.float32).map(\.name))
  }

  /// The format of the folder at a path, also of one that is only called like it; nil for anything
  /// else, and for a single file, which is known by what is in it.
  package static func meant(by path: String) -> ModelFormat? {
    allCases.first { $0.folder?.isMeant(path) == true }
  }

  /// The format of the single file that weights were read from; nil for weights as trained.
  package static func written(_ weights: WeightCollection) -> FileFormat? {
    allCases.lazy.compactMap(\.file).first { $0.isWritten(weights) }
  }

  /// Whether a name is that of a folder of some format.
  package static func isFolder(called name: String) -> Bool {
    allCases.contains { $0.folder != nil && name.lowercased().hasSuffix(".\($0.name)") }
  }

  /// The name in projects, manifests and on the command line.
  package var name: String { type.name }
  package var description: String { name }
  /// The rules of a format of folders; nil if a model is a single file.
  package var folder: FolderFormat? {
    if case .folder(let rules) = type.kind { rules } else { nil }
  }
  /// The rules of a format of single files; nil if a model is a folder.
  package var file: FileFormat? { if case .file(let rules) = type.kind { rules } else { nil } }
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
