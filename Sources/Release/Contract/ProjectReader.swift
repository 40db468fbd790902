import Files
import Packaging

/// Reads a project file, noting every fault at once.
struct ProjectReader {
  /// The project file's name in a project's folder.
  static let fileName = "ingot.yaml"
  /// Version of the contract.
  static let contractVersion = 1

  /// The project file at a path: a folder with `ingot.yaml`, or the file itself.
  static func file(of path: String) -> String {
    Folder.kind(of: path) == .folder ? Folder.join(path, fileName) : path
  }

  /// Reads the project at a path: a folder with `ingot.yaml`, or the file itself.
  ///
  /// - Returns: nil when there is any fault; then `log` holds it.
  static func read(_ path: String, log: ContractSection.Log) -> Project? {
    let file = file(of: path)
    let bytes: [UInt8]
    do {
      bytes = try MappedFile.contents(of: file, limit: YAMLReader.sizeLimit)
    } catch {
      log.faults.add(unreadable: file, error)
      return nil
    }
    guard let root = YAMLReader.read(bytes, file: file, &log.faults),
      let section = ContractSection(root, name: "the project", log: log)
    else { return nil }
    return read(section, file: file)
  }

  private static func read(_ root: ContractSection, file: String) -> Project? {
    root.allowOnly(["ingot", "models", "customModels", "customers", "release"])
    checkVersion(root)
    let models = root.node("models").map { sharedModels($0, root.log) } ?? []
    let customModels = root.node("customModels").flatMap { node in
      ContractSection(node, name: "'customModels'", log: root.log).flatMap {
        RecipeReader(section: $0, allowsPlaceholders: true).read()
      }
    }
    if root.node("models") == nil && root.node("customModels") == nil {
      root.fault(
        root.place, "the project has no models", hint: "add 'models' or 'customModels'")
    }
    let customers = root.path(
      "customers", mend: "name the customer list: 'customers: customers.json'")
    let release = root.section("release", mend: "add 'release' with 'version' and 'sdk'")
      .flatMap(ReleaseReader.read)
    guard root.log.faults.isEmpty, let customers, let release else { return nil }
    return Project(
      file: file, folder: Folder.parent(of: file), models: models, customModels: customModels,
      customers: customers, release: release)
  }

  private static func checkVersion(_ root: ContractSection) {
    guard let node = root.required("ingot", mend: "start the file with 'ingot: 1'") else { return }
    guard node.integer == contractVersion else {
      root.fault(
        node.place, "'ingot' is \(node.kind), this version reads contract \(contractVersion)")
      return
    }
  }

  private static func sharedModels(
    _ node: YAMLNode, _ log: ContractSection.Log
  ) -> [SharedModel] {
    guard let section = ContractSection(node, name: "'models'", log: log) else { return [] }
    var folded: Set<String> = []
    if section.entries.isEmpty { section.fault(section.place, "'models' is empty") }
    return section.entries.compactMap { name, node in
      if !Identifiers.isModelName(name.value) {
        section.fault(
          name.place, "'\(name.value.prefix(80).asciiEscaped)' cannot name a model",
          hint: "at most 64 of A-Z a-z 0-9 . _ -, starting with a letter, a digit or _")
      } else if !folded.insert(name.value.lowercased()).inserted {
        section.fault(name.place, "model '\(name.value)' differs from another only in case")
      }
      guard
        let section = ContractSection(
          node, name: "model '\(name.value.prefix(80).asciiEscaped)'", log: log)
      else { return nil }
      return RecipeReader(section: section, allowsPlaceholders: false).read().map {
        SharedModel(name: name, recipe: $0)
      }
    }
  }
}

extension ProjectFaults {
  /// Notes that a file cannot be read.
  mutating func add(unreadable file: String, _ error: FileError) {
    let place = Place(file: file, line: 1, column: 1)
    switch error {
    case .failed(let doing, _, let reason): add(place, "cannot \(doing): \(reason)")
    case .notAFile(_, let found): add(place, "is \(found), expected a regular file")
    case .tooLarge(_, let bytes, let limit):
      add(place, "has \(bytes) bytes, the limit for such a file is \(limit)")
    }
  }
}
